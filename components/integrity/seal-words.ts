import { formatSpan } from "@/components/time/time-format";
import type { Tone } from "@/components/ui/badge";
import type { SealedLog } from "@/lib/audit-logs/seal/get-contract";
import { formatCount } from "@/lib/text/counts";

/** Sealing takes seconds; an event that waits longer is worth a warning, and an alert can be set on it. */
const BEHIND_S = 60;

/** The state of a sealed log in words. `problem` says what happened and what to do; null if nothing is wrong. */
interface SealWords {
  tone: Tone;
  label: string;
  problem: string | null;
}

/** Describes a sealed log; the worst state comes first. */
export function sealWords(log: SealedLog): SealWords {
  const { self_check, refused, lag_seconds, is_importing, size } = log;
  if (self_check?.result === "failed") {
    const from = self_check.first_wrong_index;
    const where = from === null ? "" : ` The first entry affected is #${formatCount(from)}.`;
    return {
      ...{ tone: "bad", label: "Changed" },
      problem: `The stored log does not match what was sealed.${where} ${self_check.message ?? ""}`.trimEnd(),
    };
  }
  if (refused !== null) {
    return {
      ...{ tone: "bad", label: "Signing refused" },
      problem: `The log is no longer signed: ${refused} Entries are still stored. If a backup was restored, the operator begins a new epoch.`,
    };
  }
  if (lag_seconds !== null && lag_seconds > BEHIND_S) {
    const problem = `An entry has waited for ${formatSpan(lag_seconds * 1000)} to be sealed. Entries that are not sealed can be changed without a trace, so ask the operator whether the worker runs.`;
    return { tone: "warn", label: "Behind", problem };
  }
  if (is_importing) return { tone: "seal", label: "Sealing older entries", problem: null };
  if (size === 0) return { tone: "neutral", label: "Nothing sealed yet", problem: null };
  if (lag_seconds !== null) return { tone: "seal", label: "Sealing", problem: null };
  return { tone: "good", label: "Every entry is sealed", problem: null };
}
