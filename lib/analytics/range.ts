import { LONGEST_DAYS } from "@/lib/analytics/contract";
import { invalid } from "@/lib/http/errors";
import { DAY_MS } from "@/lib/time/units";
import { lastDaysStart } from "@/lib/uptime/window";

const USUAL_DAYS = 30;

/** The requested range in Unix milliseconds, starting at a whole UTC day. Throws 400. */
export function rangeOf({ since, until }: { since?: number | undefined; until?: number | undefined }): {
  from: number;
  to: number;
} {
  const now = Date.now();
  const to = Math.min(until ?? now, now);
  const from = Math.floor((since ?? lastDaysStart(USUAL_DAYS, to)) / DAY_MS) * DAY_MS;
  if (from >= to) throw invalid("since", "must be before until and before now");
  if (to - from > LONGEST_DAYS * DAY_MS) throw invalid("since", `must be at most ${LONGEST_DAYS} days before until`);
  return { from, to };
}

/** The starts of the UTC days from `from` to `to`. */
export function days(from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / DAY_MS) }, (_, at) => from + at * DAY_MS);
}
