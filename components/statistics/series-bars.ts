import type { StackedBar } from "@/components/charts/stacked-bars";
import { intervalMs } from "@/lib/audit-logs/count/rollup-plan";
import type { AuditFigures } from "@/lib/audit-logs/count/stats";

/** The series as bars, clipped to the range, so that each links to exactly the entries that it counts. */
export function seriesBars({ series, interval, since, until }: AuditFigures): StackedBar[] {
  return series.map(({ start, security_events: _, ...counts }) => {
    const from = Date.parse(start);
    return {
      ...counts,
      from: Math.max(from, Date.parse(since)),
      to: Math.min(from + intervalMs[interval], Date.parse(until)),
    };
  });
}
