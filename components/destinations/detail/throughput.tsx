"use client";

import { niceCeiling } from "@/components/charts/nice-ceiling";
import { ScaleLines } from "@/components/charts/scale-lines";
import { TimeAxis } from "@/components/charts/time-axis";
import { formatTime } from "@/components/time/time-format";
import { useTimeZone } from "@/components/ui/reader";
import type { DestinationActivity } from "@/lib/destinations/contract";
import { formatCount, plural } from "@/lib/text/counts";

const HEIGHT = 96;

/** Events that were sent in each of the last 24 hours, as bars and as a table. */
export function Throughput({ hours }: { hours: DestinationActivity["hours"] }) {
  const zone = useTimeZone();
  const total = hours.reduce((sum, { sent_events }) => sum + sent_events, 0);
  const most = niceCeiling(Math.max(1, ...hours.map(({ sent_events }) => sent_events)));
  const hour = (from: string) => formatTime(Date.parse(from), "hour", zone, 0);
  return (
    <figure className="px-4 sm:px-5">
      <div aria-hidden="true" className="relative mr-12 flex items-end gap-px" style={{ height: HEIGHT }}>
        <ScaleLines most={most} />
        {hours.map(({ from, sent_events }) => (
          <span
            key={from}
            title={`${plural(sent_events, "event")} from ${hour(from)}`}
            className="relative flex h-full min-w-0 flex-1 flex-col-reverse hover:bg-seal-wash"
            suppressHydrationWarning
          >
            <span
              className="bg-seal/40"
              style={{ height: `${sent_events === 0 ? 0 : Math.max(1.5, (sent_events / most) * 100)}%` }}
            />
          </span>
        ))}
      </div>
      <div className="mr-12">
        <TimeAxis starts={hours.map(({ from }) => Date.parse(from))} />
      </div>
      <figcaption className="mt-1.5 flex flex-wrap gap-x-4 text-second text-sm">
        <span className="tabular-nums">{plural(total, "event")} in the last 24 hours</span>
        <details className="ml-auto open:basis-full">
          <summary className="cursor-pointer hover:text-ink">Show as table</summary>
          <div className="mt-2 max-h-80 overflow-auto border">
            <table className="w-full tabular-nums">
              <caption className="sr-only">Events that were sent, by hour</caption>
              <thead>
                <tr className="text-left">
                  <th scope="col" className="px-2 py-1 font-normal">
                    From
                  </th>
                  <th scope="col" className="px-2 py-1 text-right font-normal">
                    Events
                  </th>
                </tr>
              </thead>
              <tbody>
                {hours.map(({ from, sent_events }) => (
                  <tr key={from} className="border-t">
                    <th scope="row" className="px-2 py-0.5 text-left font-normal">
                      <time dateTime={from} suppressHydrationWarning>
                        {formatTime(Date.parse(from), "minute", zone, 0)}
                      </time>
                    </th>
                    <td className="px-2 py-0.5 text-right">{formatCount(sent_events)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </figcaption>
    </figure>
  );
}
