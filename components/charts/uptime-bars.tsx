"use client";

import { BarsEnds } from "@/components/charts/bars-ends";
import { Plot } from "@/components/charts/plot";
import { type Reading, readingText } from "@/components/charts/readout";
import { ShowAsTable } from "@/components/charts/show-as-table";
import { ValuesTable } from "@/components/charts/values-table";
import { dayName } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import { formatCount, plural } from "@/lib/text/counts";
import type { UptimeDay } from "@/lib/uptime/checks/days";

/** What a bar shows of a day. */
interface Day extends Omit<UptimeDay, "maintenance"> {
  /** Omitted where checks in maintenance are not counted. */
  maintenance?: number;
}

/** A day with a lower share of successful checks is shown as bad. */
const BAD_BELOW = 0.95;
const BAR = 5;
const TALL = 34;

function tone({ checks, failures }: Day): string {
  if (checks === 0) return "fill-line";
  if (failures === 0) return "fill-good";
  return 1 - failures / checks < BAD_BELOW ? "fill-bad" : "fill-warn";
}

const dayOf = (start: number) => dayName(new Date(start).toISOString());

function readingOf({ start, checks, failures, maintenance = 0 }: Day): Reading {
  const said = checks === 0 ? "not checked" : `${plural(failures, "failure")} in ${plural(checks, "check")}`;
  return {
    title: `${dayOf(start)} (UTC)`,
    total: `${said}${maintenance > 0 ? `, ${plural(maintenance, "check")} in maintenance` : ""}`,
  };
}

/**
 * One bar per day: up, partly up, down or not checked. The label describes all days, the title of each bar one day. Tall bars have
 * readings instead, and a table of the days below them.
 */
export function UptimeBars({ days, tall = false }: { days: readonly Day[]; tall?: boolean }) {
  if (!tall) return <Chart days={days} height={16} />;
  const readings = days.map(readingOf);
  return (
    <figure>
      <Plot label="Checks by day" count={days.length} readingOf={(at) => readings[at] ?? { title: "" }} height={TALL}>
        <Chart days={days} height={TALL} isTall />
      </Plot>
      {days[0] && <BarsEnds first={days[0].start} />}
      <figcaption className="mt-1 flex text-second text-sm">
        <ShowAsTable>{() => <DaysTable days={days} />}</ShowAsTable>
      </figcaption>
    </figure>
  );
}

/** The days as a table, newest first. */
export function DaysTable({ days }: { days: readonly Day[] }) {
  const isCounted = days.some(({ maintenance }) => maintenance !== undefined);
  const columns = ["Checks", "Failures", ...(isCounted ? ["In maintenance"] : [])];
  return (
    <ValuesTable caption="Checks by day" by="Day (UTC)" columns={columns}>
      {days.toReversed().map(({ start, checks, failures, maintenance = 0 }) => (
        <tr key={start} className="border-t">
          <th scope="row" className="px-2 py-0.5 text-left font-normal">
            {dayOf(start)}
          </th>
          {[checks, failures, maintenance].slice(0, columns.length).map((count, at) => (
            <td key={columns[at]} className="px-2 py-0.5 text-right">
              {formatCount(count)}
            </td>
          ))}
        </tr>
      ))}
    </ValuesTable>
  );
}

interface ChartProps {
  days: readonly Day[];
  height: number;
  /** As wide as its place, which says what a bar means. */
  isTall?: boolean;
}

function Chart({ days, height, isTall = false }: ChartProps) {
  const checks = days.reduce((sum, day) => sum + day.checks, 0);
  const bad = days.filter((day) => day.failures > 0).length;
  const label = `Last ${plural(days.length, "day")}: ${checks === 0 ? "not checked" : bad === 0 ? "no failures" : `failures on ${plural(bad, "day")}`}`;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length * BAR} ${height}`}
      width={days.length * BAR}
      height={height}
      preserveAspectRatio="none"
      className={cx("block max-w-full", isTall && "relative w-full")}
    >
      {days.map((day, at) => (
        <rect key={day.start} x={at * BAR} y={0} width={BAR - 1} height={height} rx={0.5} className={tone(day)}>
          {!isTall && <title>{readingText(readingOf(day))}</title>}
        </rect>
      ))}
    </svg>
  );
}
