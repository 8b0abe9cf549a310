import type { StackedBar } from "@/components/charts/stacked-bars";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";

const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The series as bars, clipped to the range, so that each links to exactly the entries that it counts. */
export function seriesBars({ series, interval, since, until }: AuditStats): StackedBar[] {
  return series.map(({ start, security_events: _, ...counts }) => {
    const from = Date.parse(start);
    return {
      ...counts,
      from: Math.max(from, Date.parse(since)),
      to: Math.min(from + STEP_MS[interval], Date.parse(until)),
    };
  });
}
