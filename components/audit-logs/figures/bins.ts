import { intervalMs } from "@/lib/audit-logs/count/rollup-plan";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";
import { MINUTE_MS } from "@/lib/time/units";

/** The counts of a bar. */
const counted = ["requests", "status_2xx", "status_3xx", "status_4xx", "status_5xx", "security_events"] as const;

/** A bar of the histogram: a half-open range in Unix milliseconds, and its counts. */
export type Bin = { from: number; to: number } & Record<(typeof counted)[number], number>;

const [HOUR_MS, DAY_MS] = [60 * MINUTE_MS, 24 * 60 * MINUTE_MS];
/** Widths of bars in milliseconds, each at most half as large again as the one before, except at the start of a unit. */
const WIDTHS = [
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45].map((minutes) => minutes * MINUTE_MS),
  ...[1, 1.5, 2, 3, 4, 6, 8, 12, 18].map((hours) => hours * HOUR_MS),
  ...[1, 1.5, 2, 3, 4, 5, 7, 10, 14, 20, 30].map((days) => days * DAY_MS),
];

/** Combines the series into bars of a round width, about `most` at most. The first and the last end with the range. */
export function bins(
  { series, interval, since, until }: Pick<AuditStats, "series" | "interval" | "since" | "until">,
  most: number,
): Bin[] {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const fits = (width: number) => width % intervalMs[interval] === 0 && (to - from) / width <= most;
  const width = WIDTHS.find(fits) ?? WIDTHS.at(-1) ?? DAY_MS;
  const none = { requests: 0, status_2xx: 0, status_3xx: 0, status_4xx: 0, status_5xx: 0, security_events: 0 };
  const found = new Map<number, Bin>();
  for (let start = Math.floor(from / width) * width; start < to; start += width) {
    found.set(start, { from: Math.max(start, from), to: Math.min(start + width, to), ...none });
  }
  for (const point of series) {
    // Most minutes of most logs are empty, and reading a time takes a microsecond or several.
    if (point.requests === 0) continue;
    const bin = found.get(Math.floor(Date.parse(point.start) / width) * width);
    if (bin) for (const name of counted) bin[name] += point[name];
  }
  return [...found.values()];
}

/** The time range from one bar to another, in either order. */
export function rangeOfBars(bars: readonly Bin[], one: number, other: number): { since: string; until: string } | null {
  const [first, last] = [bars[Math.min(one, other)], bars[Math.max(one, other)]];
  if (!first || !last) return null;
  return { since: new Date(first.from).toISOString(), until: new Date(last.to).toISOString() };
}
