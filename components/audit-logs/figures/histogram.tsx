import { bins } from "@/components/audit-logs/figures/bins";
import { HistogramBars } from "@/components/audit-logs/figures/histogram-bars";
import { HistogramTable } from "@/components/audit-logs/figures/histogram-table";
import { statusClasses } from "@/components/charts/status-classes";
import { TimeAxis } from "@/components/charts/time-axis";
import { cx } from "@/components/ui/cx";
import type { AuditFigures } from "@/lib/audit-logs/count/stats";
import { formatCount, plural } from "@/lib/text/counts";

const MAX_BARS = 90;

/** Entries over time by status class, with security events marked above. Clicking or dragging selects that time range. */
export function Histogram({ stats }: { stats: AuditFigures }) {
  const bars = bins(stats, MAX_BARS);
  if (bars.length === 0) return null;
  const { requests, errors, security_events } = stats.totals;
  return (
    <figure className="px-4 pt-1 pb-2 sm:px-5">
      <HistogramBars bars={bars} />
      <TimeAxis starts={bars.map(({ from }) => from)} />
      <figcaption className="flex flex-wrap gap-x-4 text-second text-sm">
        <span className="sr-only">
          {plural(requests, "entry", "entries")} in this range, {formatCount(errors)} of them refused or failed,{" "}
          {plural(security_events, "security event")}.
        </span>
        {statusClasses.map(({ name, fill }) => (
          <span key={name} aria-hidden="true" className="inline-flex items-center gap-1.5">
            <span className={cx("size-2 rounded-xs", fill)} />
            {name}
          </span>
        ))}
        <span aria-hidden="true" className="inline-flex items-center gap-1.5">
          <span className="size-1 rounded-full bg-bad" />
          security event
        </span>
        <HistogramTable bars={bars} />
      </figcaption>
    </figure>
  );
}
