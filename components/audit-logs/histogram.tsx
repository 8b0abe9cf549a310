import Link from "next/link";
import { type Bin, bins } from "@/components/audit-logs/bins";
import { hrefWith } from "@/components/audit-logs/view";
import { Time } from "@/components/ui/time";
import { plural } from "@/components/ui/time-format";
import type { AuditStats } from "@/lib/audit-logs/stats-contract";

const MOST_BARS = 72;
const DAY_MS = 86_400_000;
const LABELS = 5;

/** Requests over time, those that did not succeed in red. A bar narrows the list to its stretch of time. */
export function Histogram({
  stats,
  path,
  params,
}: {
  stats: AuditStats;
  path: string;
  params: Record<string, string>;
}) {
  const bars = bins(stats, MOST_BARS);
  const most = Math.max(1, ...bars.map(({ requests }) => requests));
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last) return null;
  const style = last.to - first.from > 2 * DAY_MS ? "short" : "hour";
  const step = Math.max(1, Math.ceil(bars.length / LABELS));
  const { requests, errors } = stats.totals;
  return (
    <figure className="px-4 pt-1 pb-2 max-sm:hidden sm:px-5">
      <figcaption className="sr-only">
        {plural(requests, "event")} in this range, {errors.toLocaleString("en-GB")} of them refused or failed.
      </figcaption>
      {/* The same is in the figures and the list; a stop of the Tab key for each bar would only be in the way. */}
      <div aria-hidden="true" className="flex h-16 items-end gap-px">
        {bars.map((bar) => (
          <Link
            key={bar.from}
            tabIndex={-1}
            prefetch={false}
            href={hrefWith(path, params, {
              since: new Date(bar.from).toISOString(),
              until: new Date(bar.to).toISOString(),
              range: null,
              live: null,
            })}
            title={`${plural(bar.requests, "event")}, ${bar.errors} refused or failed`}
            className="group flex h-full min-w-0 flex-1 flex-col justify-end hover:bg-seal-wash"
          >
            <Bar bar={bar} most={most} />
          </Link>
        ))}
      </div>
      <div aria-hidden="true" className="flex justify-between border-t pt-1 font-mono text-second text-xs">
        {bars
          .filter((_, at) => at % step === 0)
          .map((bar) => (
            <Time key={bar.from} value={new Date(bar.from).toISOString()} style={style} />
          ))}
        <Time value={new Date(last.to).toISOString()} style={style} />
      </div>
    </figure>
  );
}

function Bar({ bar, most }: { bar: Bin; most: number }) {
  if (bar.requests === 0) return null;
  const height = (count: number) => `${Math.max(count > 0 ? 3 : 0, (count / most) * 100)}%`;
  return (
    <>
      <span className="bg-seal/35 group-hover:bg-seal/60" style={{ height: height(bar.requests - bar.errors) }} />
      <span className="bg-bad/80" style={{ height: height(bar.errors) }} />
    </>
  );
}
