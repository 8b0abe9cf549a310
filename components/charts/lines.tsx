"use client";

import { labelPositions } from "@/components/charts/label-positions";
import { niceCeiling } from "@/components/charts/nice-ceiling";
import { Plot } from "@/components/charts/plot";
import type { Reading } from "@/components/charts/readout";
import { ScaleLines } from "@/components/charts/scale-lines";
import { ShowAsTable } from "@/components/charts/show-as-table";
import { ValuesTable } from "@/components/charts/values-table";
import { Time } from "@/components/time/time";
import { dayName, formatMs, formatTime } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import { useTimeZone } from "@/components/ui/reader";

const WIDTH = 1000;
const HEIGHT = 120;
/** At most as many points by the hour are labelled by the clock: a day, which may begin within an hour. More have their days. */
const POINTS_OF_DAY = 25;

export interface Line {
  name: string;
  stroke: string;
  /** The colour as a background, for the legend. */
  swatch: string;
}

export interface Point {
  start: string;
  /** Milliseconds by name of the line; null if nothing was measured. */
  values: Record<string, number | null>;
}

/**
 * A line chart of durations with a table of the same values. Lines have gaps where nothing was measured. Points by the hour have the
 * reader's time, points by the day are named by their UTC days.
 */
export function Lines({
  label,
  by,
  lines,
  points,
}: {
  label: string;
  by: "hour" | "day";
  lines: readonly Line[];
  points: readonly Point[];
}) {
  const all = points.flatMap(({ values }) => Object.values(values)).filter((value) => value !== null);
  const most = niceCeiling(Math.max(1, ...all));
  const readersZone = useTimeZone();
  const zone = by === "day" ? "UTC" : readersZone;
  const style = by === "hour" && points.length <= POINTS_OF_DAY ? "hour" : "short";
  const readingOf = (at: number): Reading => {
    const { start = "", values = {} } = points[at] ?? {};
    const time = Date.parse(start);
    return {
      title: by === "day" ? `${dayName(start)} (UTC)` : formatTime(time, "minute", zone, time),
      rows: lines.map(({ name, swatch }) => ({ name, swatch, value: words(values[name]) })),
    };
  };
  return (
    <figure>
      <Plot label={label} count={points.length} readingOf={readingOf} height={HEIGHT} className="mr-12" isLine>
        <ScaleLines most={most} label={formatMs} />
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          {lines.map(({ name, stroke }) => (
            <path
              key={name}
              d={path(points, name, most)}
              fill="none"
              className={stroke}
              strokeWidth={1.5}
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
      </Plot>
      <div aria-hidden="true" className="relative mr-12 h-[21px] border-t pt-1 font-mono text-second text-xs">
        {labelPositions(points.length).map((at, nth) => (
          <span
            key={at}
            className={`absolute whitespace-nowrap ${nth % 2 === 0 ? "" : "max-sm:hidden"}`}
            style={{ left: `${(at / Math.max(1, points.length - 1)) * 100}%` }}
          >
            {formatTime(Date.parse(points[at]?.start ?? ""), style, zone, 0)}
          </span>
        ))}
      </div>
      <figcaption className="mt-1.5 flex flex-wrap gap-x-4 text-second text-sm">
        {lines.map(({ name, swatch }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={cx("h-0.5 w-3 rounded-full", swatch)} />
            {name}
          </span>
        ))}
        <ShowAsTable>
          {() => (
            <ValuesTable
              caption={label}
              by={by === "day" ? "Day (UTC)" : "From"}
              columns={lines.map(({ name }) => name)}
            >
              {points.map(({ start, values }) => (
                <tr key={start} className="border-t">
                  <th scope="row" className="px-2 py-0.5 text-left font-normal">
                    {by === "day" ? dayName(start) : <Time value={start} />}
                  </th>
                  {lines.map(({ name }) => (
                    <td key={name} className="px-2 py-0.5 text-right">
                      {words(values[name])}
                    </td>
                  ))}
                </tr>
              ))}
            </ValuesTable>
          )}
        </ShowAsTable>
      </figcaption>
    </figure>
  );
}

function words(value: number | null | undefined): string {
  return value == null ? "—" : formatMs(value);
}

/** The SVG path of one line. A value without neighbours is a dot. */
function path(points: readonly Point[], name: string, most: number): string {
  let isDrawing = false;
  return points
    .map(({ values }, at) => {
      const value = values[name] ?? null;
      if (value === null) {
        isDrawing = false;
        return "";
      }
      const x = points.length === 1 ? WIDTH / 2 : (at / (points.length - 1)) * WIDTH;
      const y = HEIGHT - (value / most) * HEIGHT;
      const move = isDrawing ? "L" : "M";
      isDrawing = true;
      const place = `${x.toFixed(1)} ${y.toFixed(1)}`;
      return move === "M" ? `M${place}L${place}` : `L${place}`;
    })
    .join("");
}
