"use client";

import Link from "next/link";
import { BarsTable } from "@/components/charts/bars-table";
import { niceCeiling } from "@/components/charts/nice-ceiling";
import { ScaleLines } from "@/components/charts/scale-lines";
import { ShowAsTable } from "@/components/charts/show-as-table";
import { TimeAxis } from "@/components/charts/time-axis";
import { entriesHref } from "@/components/statistics/range";
import { formatTime } from "@/components/time/time-format";
import { useTimeZone } from "@/components/ui/reader";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";
import { plural } from "@/lib/text/counts";

const HEIGHT = 132;

/** From bottom to top. */
const classes = [
  { name: "status_2xx", label: "2xx", fill: "fill-seal/40 bg-seal/40" },
  { name: "status_3xx", label: "3xx", fill: "fill-third/50 bg-third/50" },
  { name: "status_4xx", label: "4xx", fill: "fill-warn/75 bg-warn/75" },
  { name: "status_5xx", label: "5xx", fill: "fill-bad bg-bad" },
] as const;

export interface StackedBar extends Pick<AuditStats["series"][number], (typeof classes)[number]["name"]> {
  /** Unix milliseconds, half-open. */
  from: number;
  to: number;
  requests: number;
}

/** Requests over time by status class, with a table of the same values. A bar links to its entries in the log with `filters`. */
export function StackedBars({ bars, filters }: { bars: readonly StackedBar[]; filters?: Record<string, string> }) {
  const zone = useTimeZone();
  if (bars.length === 0) return null;
  const hrefOf = ({ from, to }: StackedBar) =>
    entriesHref({ since: new Date(from).toISOString(), until: new Date(to).toISOString() }, filters);
  const most = niceCeiling(Math.max(1, ...bars.map(({ requests }) => requests)));
  return (
    <figure className="px-4 pt-1 sm:px-5">
      <div aria-hidden="true" className="relative mr-10 flex items-end gap-px" style={{ height: HEIGHT }}>
        <ScaleLines most={most} />
        {bars.map((bar) => (
          <Link
            key={bar.from}
            prefetch={false}
            tabIndex={-1}
            href={hrefOf(bar)}
            title={`${formatTime(bar.from, "minute", zone, bar.from)}: ${plural(bar.requests, "request")}, ${classes.map(({ name, label }) => `${label} ${bar[name]}`).join(", ")}`}
            className="relative flex h-full min-w-0 flex-1 flex-col-reverse hover:bg-seal-wash"
            suppressHydrationWarning
          >
            {classes.map(({ name, fill }) => (
              <span key={name} className={fill} style={{ height: `${share(bar[name], most)}%` }} />
            ))}
          </Link>
        ))}
      </div>
      <div className="mr-10">
        <TimeAxis starts={bars.map(({ from }) => from)} />
      </div>
      <figcaption className="mt-1.5 flex flex-wrap gap-x-4 text-second text-sm">
        {classes.map(({ name, label, fill }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-xs ${fill}`} />
            {label}
          </span>
        ))}
        <ShowAsTable>
          {() => (
            <BarsTable caption="Requests over time by status class" columns={classes} bars={bars} hrefOf={hrefOf} />
          )}
        </ShowAsTable>
      </figcaption>
    </figure>
  );
}

/** The height of a count in percent; a count above zero is always visible. */
function share(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(1, (count / most) * 100);
}
