import type { Condition } from "@/lib/alerts/rules/conditions";
import type { LogFault } from "@/lib/alerts/situation/situation";
import { listWitnesses, type WitnessState } from "@/lib/audit-logs/seal/list-witnesses";
import { readLogState } from "@/lib/audit-logs/seal/read-state";
import { auditPool } from "@/lib/db/audit";
import { withoutPeriod } from "@/lib/text/labels";

/** How long events may wait to be sealed, and then to be signed, in seconds. */
const MAX_LAG_SECONDS = 60;

/** What is wrong with the organization's sealed log, if one of the conditions is about that. */
export async function readLogFaults(organizationId: string, conditions: readonly Condition[]): Promise<LogFault[]> {
  if (!conditions.some(({ type }) => type === "log_integrity")) return [];
  const { message, lag_seconds, unsigned_seconds, is_importing, refused } = await readLogState(organizationId);
  const faults: LogFault[] = [];
  if (message) faults.push({ cause: "self_check_failed", detail: withoutPeriod(message) });
  // While older events are sealed first, new ones wait.
  if (isLate(lag_seconds) && !is_importing) {
    faults.push({ cause: "sealing_behind", detail: `an event has waited to be sealed for ${minutes(lag_seconds)}` });
  } else if (isLate(unsigned_seconds) && refused === null) {
    faults.push({
      cause: "sealing_behind",
      detail: `a sealed event has waited to be signed for ${minutes(unsigned_seconds)}`,
    });
  }
  if (refused !== null) faults.push({ cause: "signing_refused", detail: `not signed: ${withoutPeriod(refused)}` });
  const silent = (await listWitnesses(auditPool())).filter(({ silent_since }) => silent_since !== null);
  if (silent.length > 0) faults.push({ cause: "witness_silent", detail: silent.map(silenceOf).join(", ") });
  return faults;
}

const isLate = (seconds: number | null): seconds is number => seconds !== null && seconds > MAX_LAG_SECONDS;

const minutes = (seconds: number) => (seconds < 120 ? "a minute" : `${Math.floor(seconds / 60)} minutes`);

function silenceOf({ name, silent_since }: WitnessState): string {
  const since = silent_since?.toISOString().slice(0, 16).replace("T", " ");
  return `the witness “${name}” has cosigned nothing since ${since} UTC`;
}
