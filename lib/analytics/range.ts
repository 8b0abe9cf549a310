import { LONGEST_DAYS } from "@/lib/analytics/contract";
import { invalid } from "@/lib/http/errors";
import { DAY_MS } from "@/lib/time/units";
import { lastDaysStart, tooLong, wholeRange } from "@/lib/uptime/window";

const USUAL_DAYS = 30;

interface Requested {
  since?: number | undefined;
  until?: number | undefined;
}

/** The requested range in whole UTC days, the last one at most up to now, in Unix milliseconds. Throws 400. */
export function rangeOf(requested: Requested, now = Date.now()): { from: number; to: number } {
  const until = Math.min(requested.until ?? now, now);
  const { from, to } = wholeRange(requested.since ?? lastDaysStart(USUAL_DAYS, until), until, DAY_MS, now);
  if (from >= to) throw invalid("since", "must be before until and before now");
  if (to - from > LONGEST_DAYS * DAY_MS) throw invalid("since", tooLong(LONGEST_DAYS));
  return { from, to };
}

/** The starts of the UTC days from `from` to `to`. */
export function days(from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / DAY_MS) }, (_, at) => from + at * DAY_MS);
}
