"use client";

import Link from "next/link";
import { type Bin, rangeOfBars } from "@/components/audit-logs/figures/bins";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { Time } from "@/components/time/time";

const columns = [
  { name: "requests", label: "Entries" },
  { name: "status_2xx", label: "2xx" },
  { name: "status_3xx", label: "3xx" },
  { name: "status_4xx", label: "4xx" },
  { name: "status_5xx", label: "5xx" },
  { name: "security_events", label: "Security" },
] as const;

/** The bars as rows of a table; each row links to its time range. */
export function HistogramRows({ bars }: { bars: Bin[] }) {
  const { hrefOf } = useExplorerView();
  return (
    <div className="mt-2 max-h-80 overflow-auto border">
      <table className="w-full tabular-nums">
        <caption className="sr-only">Entries over time by status class</caption>
        <thead>
          <tr className="text-left">
            <th scope="col" className="px-2 py-1 font-normal">
              From
            </th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col" className="px-2 py-1 text-right font-normal">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar, at) => (
            <tr key={bar.from} className="border-t">
              <th scope="row" className="px-2 py-0.5 text-left font-normal">
                <Link
                  prefetch={false}
                  href={hrefOf({ ...rangeOfBars(bars, at, at), range: null, live: null })}
                  className="hover:underline"
                >
                  <Time value={new Date(bar.from).toISOString()} />
                </Link>
              </th>
              {columns.map(({ name }) => (
                <td key={name} className="px-2 py-0.5 text-right">
                  {bar[name].toLocaleString("en-GB")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
