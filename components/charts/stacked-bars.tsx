"use client";

import Link from "next/link";
import { BarsTable } from "@/components/charts/bars-table";
import { niceCeiling } from "@/components/charts/nice-ceiling";
import { Plot } from "@/components/charts/plot";
import { ScaleLines } from "@/components/charts/scale-lines";
import { ShowAsTable } from "@/components/charts/show-as-table";
import { type StatusCounts, statusClasses } from "@/components/charts/status-classes";
import { statusReading } from "@/components/charts/status-reading";
import { TimeAxis } from "@/components/charts/time-axis";
import { entriesHref } from "@/components/statistics/range";
import { useTimeZone } from "@/components/ui/reader";

const HEIGHT = 132;

export interface StackedBar extends StatusCounts {
  /** Unix milliseconds, half-open. */
  from: number;
  to: number;
}

/** Entries over time by status class, with a table of the same values. A bar links to its entries in the log with `filters`. */
export function StackedBars({ bars, filters }: { bars: readonly StackedBar[]; filters?: Record<string, string> }) {
  const zone = useTimeZone();
  if (bars.length === 0) return null;
  const hrefOf = ({ from, to }: StackedBar) =>
    entriesHref({ since: new Date(from).toISOString(), until: new Date(to).toISOString() }, filters);
  const most = niceCeiling(Math.max(1, ...bars.map(({ requests }) => requests)));
  return (
    <figure className="px-4 pt-1 sm:px-5">
      <Plot
        label="Entries over time by status class"
        count={bars.length}
        readingOf={(at) => statusReading(bars.slice(at, at + 1), zone)}
        height={HEIGHT}
        className="mr-10"
      >
        <div aria-hidden="true" className="absolute inset-0 flex items-end gap-px">
          <ScaleLines most={most} />
          {bars.map((bar) => (
            <Link
              key={bar.from}
              prefetch={false}
              tabIndex={-1}
              href={hrefOf(bar)}
              className="relative flex h-full min-w-0 flex-1 flex-col-reverse"
            >
              {statusClasses.map(({ name, fill, count }) => (
                <span key={name} className={fill} style={{ height: `${share(count(bar), most)}%` }} />
              ))}
            </Link>
          ))}
        </div>
      </Plot>
      <div className="mr-10">
        <TimeAxis starts={bars.map(({ from }) => from)} />
      </div>
      <figcaption className="mt-1.5 flex flex-wrap gap-x-4 text-second text-sm">
        {statusClasses.map(({ name, fill }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-xs ${fill}`} />
            {name}
          </span>
        ))}
        <ShowAsTable>{() => <BarsTable bars={bars} hrefOf={hrefOf} />}</ShowAsTable>
      </figcaption>
    </figure>
  );
}

/** The height of a count in percent; a count above zero is always visible. */
function share(count: number, most: number): number {
  return count <= 0 ? 0 : Math.max(1, (count / most) * 100);
}
