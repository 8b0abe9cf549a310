import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

type Point = AuditStats["series"][number];

/** The counts of a bar. */
export const counted = ["requests", "status_2xx", "status_3xx", "status_4xx", "status_5xx", "security_events"] as const;

/** A bar of the histogram: a half-open range in Unix milliseconds, and its counts. */
export type Bin = { from: number; to: number } & Pick<Point, (typeof counted)[number]>;

/** Combines the series into at most `most` bars of whole intervals. */
export function bins({ series, interval }: Pick<AuditStats, "series" | "interval">, most: number): Bin[] {
  const size = Math.max(1, Math.ceil(series.length / most));
  const found: Bin[] = [];
  for (let at = 0; at < series.length; at += size) {
    const points = series.slice(at, at + size);
    const [first] = points;
    if (!first) break;
    const from = Date.parse(first.start);
    const sum = (name: (typeof counted)[number]) => points.reduce((all, point) => all + point[name], 0);
    found.push({
      from,
      to: from + points.length * STEP_MS[interval],
      requests: sum("requests"),
      status_2xx: sum("status_2xx"),
      status_3xx: sum("status_3xx"),
      status_4xx: sum("status_4xx"),
      status_5xx: sum("status_5xx"),
      security_events: sum("security_events"),
    });
  }
  return found;
}

/** The time range from one bar to another, in either order. */
export function rangeOfBars(bars: readonly Bin[], one: number, other: number): { since: string; until: string } | null {
  const [first, last] = [bars[Math.min(one, other)], bars[Math.max(one, other)]];
  if (!first || !last) return null;
  return { since: new Date(first.from).toISOString(), until: new Date(last.to).toISOString() };
}
