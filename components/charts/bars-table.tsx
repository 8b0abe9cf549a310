import Link from "next/link";
import { type StatusCounts, statusClasses } from "@/components/charts/status-classes";
import { ValuesTable } from "@/components/charts/values-table";
import { Time } from "@/components/time/time";
import { formatCount } from "@/lib/text/counts";
import { capitalized } from "@/lib/text/labels";

interface Column<Bar> {
  name: string;
  count: (bar: Bar) => number;
}

/**
 * The bars of entries by status class as rows of a table: a link to each bar's time range, its entries, and their classes, which add
 * up to the entries. `more` are the columns after those.
 */
export function BarsTable<Bar extends StatusCounts & { from: number }>({
  bars,
  hrefOf,
  more = [],
}: {
  bars: readonly Bar[];
  hrefOf: (bar: Bar, at: number) => string;
  more?: readonly Column<Bar>[];
}) {
  const columns: Column<Bar>[] = [{ name: "entries", count: ({ requests }) => requests }, ...statusClasses, ...more];
  return (
    <ValuesTable
      caption="Entries over time by status class"
      by="From"
      columns={columns.map(({ name }) => capitalized(name))}
    >
      {bars.map((bar, at) => (
        <tr key={bar.from} className="border-t">
          <th scope="row" className="px-2 py-0.5 text-left font-normal">
            <Link prefetch={false} href={hrefOf(bar, at)} className="hover:underline">
              <Time value={new Date(bar.from).toISOString()} />
            </Link>
          </th>
          {columns.map(({ name, count }) => (
            <td key={name} className="px-2 py-0.5 text-right">
              {formatCount(count(bar))}
            </td>
          ))}
        </tr>
      ))}
    </ValuesTable>
  );
}
