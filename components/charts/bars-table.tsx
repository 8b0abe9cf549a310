import Link from "next/link";
import { ValuesTable } from "@/components/charts/values-table";
import { Time } from "@/components/time/time";
import { formatCount } from "@/lib/text/counts";

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
    <ValuesTable caption={caption} by="From" columns={columns.map(({ label }) => label)}>
      {bars.map((bar, at) => (
        <tr key={bar.from} className="border-t">
          <th scope="row" className="px-2 py-0.5 text-left font-normal">
            <Link prefetch={false} href={hrefOf(bar, at)} className="hover:underline">
              <Time value={new Date(bar.from).toISOString()} />
            </Link>
          </th>
          {columns.map(({ name }) => (
            <td key={name} className="px-2 py-0.5 text-right">
              {formatCount(bar[name])}
            </td>
          ))}
        </tr>
      ))}
    </ValuesTable>
  );
}
