import { bins } from "@/components/audit-logs/figures/bins";
import { HistogramBars } from "@/components/audit-logs/figures/histogram-bars";
import { HistogramTable } from "@/components/audit-logs/figures/histogram-table";
import { Time } from "@/components/time/time";
import { plural } from "@/components/time/time-format";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";

const MAX_BARS = 72;
const DAY_MS = 86_400_000;
const LABELS = 5;

/** Entries over time by status class, with security events marked below. Clicking or dragging selects that time range. */
export function Histogram({ stats }: { stats: AuditStats }) {
  const bars = bins(stats, MAX_BARS);
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last) return null;
  const style = last.to - first.from > 2 * DAY_MS ? "short" : "hour";
  const step = Math.max(1, Math.ceil(bars.length / LABELS));
  const { requests, errors, security_events } = stats.totals;
  return (
    <figure className="px-4 pt-1 pb-2 sm:px-5">
      <HistogramBars bars={bars} />
      <div aria-hidden="true" className="flex justify-between pt-1 font-mono text-second text-xs">
        {bars
          .filter((_, at) => at % step === 0)
          .map((bar) => (
            <Time key={bar.from} value={new Date(bar.from).toISOString()} style={style} />
          ))}
        <Time value={new Date(last.to).toISOString()} style={style} />
      </div>
      <figcaption>
        <span className="sr-only">
          {plural(requests, "entry", "entries")} in this range, {errors.toLocaleString("en-GB")} of them refused or
          failed, {plural(security_events, "security event")}.
        </span>
        <HistogramTable bars={bars} />
      </figcaption>
    </figure>
  );
}
