"use client";

import Link from "next/link";
import { labelPositions } from "@/components/charts/label-positions";
import { niceCeiling } from "@/components/charts/nice-ceiling";
import { Plot } from "@/components/charts/plot";
import type { Reading } from "@/components/charts/readout";
import { ScaleLines } from "@/components/charts/scale-lines";
import { ShowAsTable } from "@/components/charts/show-as-table";
import { ValuesTable } from "@/components/charts/values-table";
import { counted, formatCount, plural } from "@/lib/text/counts";
import { capitalized } from "@/lib/text/labels";

const HEIGHT = 132;

interface Bar {
  /** The label under the chart and in the table. */
  name: string;
  value: number;
  /** The URL of the counted items. */
  href?: string;
  /** Additional text in the table and in the reading. */
  more?: string;
}

/** A bar chart with a table of the same values. `of` is the counted item in the singular, `by` names the bars. */
export function Bars({ label, of, by, bars }: { label: string; of: string; by: string; bars: readonly Bar[] }) {
  const most = niceCeiling(Math.max(1, ...bars.map(({ value }) => value)));
  const readingOf = (at: number): Reading => {
    const { name = "", value = 0, more } = bars[at] ?? {};
    return { title: name, total: `${plural(value, of)}${more ? `, ${more}` : ""}` };
  };
  return (
    <figure>
      <Plot label={label} count={bars.length} readingOf={readingOf} height={HEIGHT} className="mr-12">
        <div aria-hidden="true" className="absolute inset-0 flex items-end gap-px">
          <ScaleLines most={most} />
          {bars.map((bar) => (
            <Column key={bar.name} bar={bar} most={most} />
          ))}
        </div>
      </Plot>
      <div aria-hidden="true" className="relative mr-12 h-[21px] border-t pt-1 font-mono text-second text-xs">
        {labelPositions(bars.length).map((at, nth) => (
          <span
            key={at}
            className={`absolute whitespace-nowrap ${nth % 2 === 0 ? "" : "max-sm:hidden"}`}
            style={{ left: `${(at / bars.length) * 100}%` }}
          >
            {bars[at]?.name}
          </span>
        ))}
      </div>
      <figcaption className="mt-1.5 flex flex-wrap text-second text-sm">
        <ShowAsTable>
          {() => (
            <ValuesTable caption={label} by={by} columns={[capitalized(counted(0, of))]}>
              {bars.map(({ name, value, more, href }) => (
                <tr key={name} className="border-t">
                  <th scope="row" className="px-2 py-0.5 text-left font-normal">
                    {href ? (
                      <Link prefetch={false} href={href} className="hover:underline">
                        {name}
                      </Link>
                    ) : (
                      name
                    )}
                  </th>
                  <td className="px-2 py-0.5 text-right">
                    {formatCount(value)}
                    {more && ` · ${more}`}
                  </td>
                </tr>
              ))}
            </ValuesTable>
          )}
        </ShowAsTable>
      </figcaption>
    </figure>
  );
}

function Column({ bar: { value, href }, most }: { bar: Bar; most: number }) {
  const look = "relative flex h-full min-w-0 flex-1 flex-col-reverse";
  const fill = (
    <span className="bg-seal/40" style={{ height: `${value === 0 ? 0 : Math.max(1.5, (value / most) * 100)}%` }} />
  );
  if (!href) return <span className={look}>{fill}</span>;
  return (
    <Link prefetch={false} tabIndex={-1} href={href} className={look}>
      {fill}
    </Link>
  );
}
