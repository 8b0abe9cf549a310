import Link from "next/link";
import { Time } from "@/components/time/time";

/** The bars of a chart as rows of a table: a link to each bar's time range, and its counts by column. */
export function BarsTable<Bar extends { from: number } & Record<Name, number>, Name extends string>({
  caption,
  columns,
  bars,
  hrefOf,
}: {
  caption: string;
  columns: readonly { name: Name; label: string }[];
  bars: readonly Bar[];
  hrefOf: (bar: Bar, at: number) => string;
}) {
  return (
    <div className="mt-2 max-h-80 overflow-auto border">
      <table className="w-full tabular-nums">
        <caption className="sr-only">{caption}</caption>
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
                <Link prefetch={false} href={hrefOf(bar, at)} className="hover:underline">
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
