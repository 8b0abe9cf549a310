import { formatAgo } from "@/components/time/time-format";
import type { Tone } from "@/components/ui/badge";
import type { DomainSource, SourceState } from "@/lib/subdomains/domain-contract";

export const sourceTone: Record<SourceState, Tone> = { never: "neutral", running: "seal", ok: "good", failing: "bad" };

/** The organization of an issuer's name, else its common name. */
export function issuerWords(issuer: string): string {
  const value = (type: string) => new RegExp(`(?:^|,)${type}=((?:\\\\.|[^,\\\\])*)`).exec(issuer)?.[1];
  return (value("O") ?? value("CN") ?? issuer).replace(/\\(.)/g, "$1");
}

/** Milliseconds by which the browser's clock may differ, and a source that is due now still counts as due. */
const CLOCK_TOLERANCE_MS = 30_000;

/** What a request to discover has started: the sources may have to rest. `now` in Unix milliseconds. */
export function discoveryWords(sources: readonly Pick<DomainSource, "state" | "next_run_at">[], now: number): string {
  const starts = sources.map(({ state, next_run_at }) => (state === "running" ? now : Date.parse(next_run_at ?? "")));
  const soonest = Math.min(...starts);
  if (soonest > now + CLOCK_TOLERANCE_MS) return `Discovery ran recently. It runs again ${formatAgo(soonest, now)}.`;
  return "Discovery has started. Results appear as they arrive.";
}
