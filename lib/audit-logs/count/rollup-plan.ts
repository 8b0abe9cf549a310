import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** A time range and the source of its counts. */
export interface RollupRange {
  source: "rows" | "hour" | "day";
  /** Unix milliseconds, half-open. */
  from: number;
  to: number;
}

/**
 * Splits a range into whole UTC days, whole hours around them, and partial hours at both ends that must be counted from rows.
 * `largest` limits the granularity of the source. The segments cover the range exactly, without overlap.
 */
export function rollupPlan(from: number, to: number, largest: RollupRange["source"]): RollupRange[] {
  if (from >= to) return [];
  const hourFrom = Math.ceil(from / HOUR_MS) * HOUR_MS;
  const hourTo = Math.floor(to / HOUR_MS) * HOUR_MS;
  if (largest === "rows" || hourFrom >= hourTo) return [{ source: "rows", from, to }];
  const dayFrom = Math.ceil(hourFrom / DAY_MS) * DAY_MS;
  const dayTo = Math.floor(hourTo / DAY_MS) * DAY_MS;
  const whole: RollupRange[] =
    largest === "hour" || dayFrom >= dayTo
      ? [{ source: "hour", from: hourFrom, to: hourTo }]
      : [
          { source: "hour", from: hourFrom, to: dayFrom },
          { source: "day", from: dayFrom, to: dayTo },
          { source: "hour", from: dayTo, to: hourTo },
        ];
  const all: RollupRange[] = [{ source: "rows", from, to: hourFrom }, ...whole, { source: "rows", from: hourTo, to }];
  return all.filter((segment) => segment.from < segment.to);
}

export const intervalMs = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS } as const;
const MAX_POINTS = 3_000;

/** The default interval of a series: at most about 400 points. */
export function chooseInterval(from: number, to: number): keyof typeof intervalMs {
  if (to - from <= 6 * HOUR_MS) return "minute";
  return to - from <= 14 * DAY_MS ? "hour" : "day";
}

/**
 * Whether a series with this interval would have too many points. Days are the coarsest, and never too fine: they are those that the plan
 * kept when the oldest hold was placed and those since, a few thousand.
 */
export function isTooFine(from: number, to: number, interval: keyof typeof intervalMs): boolean {
  return interval !== "day" && (to - from) / intervalMs[interval] > MAX_POINTS;
}

/** The start times of a series' points: every interval that overlaps the range, aligned to UTC. */
export function seriesStarts(from: number, to: number, interval: keyof typeof intervalMs): number[] {
  const step = intervalMs[interval];
  const starts: number[] = [];
  for (let start = Math.floor(from / step) * step; start < to; start += step) starts.push(start);
  return starts;
}
