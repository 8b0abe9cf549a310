"use client";

import { Fragment } from "react";
import { BarsEnds } from "@/components/charts/bars-ends";
import { ShowAsTable } from "@/components/charts/show-as-table";
import { ValuesTable } from "@/components/charts/values-table";
import { isOnHold } from "@/components/integrity/hold-days";
import { dayName } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import type { AuditHold } from "@/lib/audit-logs/hold/contract";
import type { SealedDay } from "@/lib/audit-logs/seal/days";
import { formatCount, plural } from "@/lib/text/counts";

const HEIGHT = 40;
const BAR = 8;
/** A line below the bars, and the gap above it. */
const LINE = 3;
const GAP = 2;

const dayOf = (start: number) => dayName(new Date(start).toISOString());

/** A line below the bars: the days that it marks. */
interface Line {
  name: string;
  color: string;
  width: number;
  isOf: (day: SealedDay) => boolean;
}

/** The lines that mark any of the days, from top to bottom. */
function linesOf(days: readonly SealedDay[], holds: readonly AuditHold[]): Line[] {
  const lines: Line[] = [
    { name: "witnessed", color: "fill-good bg-good", width: BAR - 1, isOf: ({ isWitnessed }) => isWitnessed },
    { name: "redacted", color: "fill-third bg-third", width: BAR - 1, isOf: ({ isRedacted }) => isRedacted },
    { name: "on hold", color: "fill-warn bg-warn", width: BAR, isOf: ({ start }) => isOnHold(holds, start) },
  ];
  return lines.filter(({ isOf }) => days.some(isOf));
}

function marks(day: SealedDay, lines: readonly Line[]): string[] {
  return [...(day.isPruned ? ["seals expired"] : []), ...lines.flatMap(({ name, isOf }) => (isOf(day) ? [name] : []))];
}

function words(day: SealedDay, lines: readonly Line[]): string {
  const said = day.sealed === 0 ? "nothing sealed" : `${plural(day.sealed, "entry", "entries")} sealed`;
  return `${dayOf(day.start)} (UTC): ${[said, ...marks(day, lines)].join(", ")}`;
}

/** A bar per day, as high as its sealed entries. The label describes all days, the title of each bar one day, and a table has the values. */
export function SealedDays({ days, holds }: { days: readonly SealedDay[]; holds: readonly AuditHold[] }) {
  const most = Math.max(1, ...days.map(({ sealed }) => sealed));
  const total = days.reduce((sum, { sealed }) => sum + sealed, 0);
  const pruned = days.filter(({ isPruned }) => isPruned).length;
  const lines = linesOf(days, holds);
  const height = HEIGHT + lines.length * (GAP + LINE);
  const label = [
    `Last ${plural(days.length, "day")}: ${plural(total, "entry", "entries")} sealed`,
    ...(pruned > 0 ? [`seals of ${plural(pruned, "day")} expired`] : []),
    ...lines.map(({ name, isOf }) => `${plural(days.filter(isOf).length, "day")} ${name}`),
  ];
  return (
    <figure className="px-4 pb-4 sm:px-5">
      <svg
        role="img"
        aria-label={label.join(", ")}
        viewBox={`0 0 ${days.length * BAR} ${height}`}
        height={height}
        preserveAspectRatio="none"
        className={cx("block w-full", height === HEIGHT && "border-b")}
      >
        {days.map((day, at) => {
          const bar = day.sealed === 0 ? 0 : Math.max(2, (day.sealed / most) * HEIGHT);
          return (
            <g key={day.start}>
              <title>{words(day, lines)}</title>
              <rect x={at * BAR} y={0} width={BAR} height={HEIGHT} fill="transparent" />
              <rect
                x={at * BAR}
                y={HEIGHT - bar}
                width={BAR - 1}
                height={bar}
                className={cx(day.isPruned ? "fill-third/50" : "fill-seal/70")}
              />
              {lines.map(({ name, color, width, isOf }, line) =>
                isOf(day) ? (
                  <rect
                    key={name}
                    x={at * BAR}
                    y={HEIGHT + GAP + line * (LINE + GAP)}
                    width={width}
                    height={LINE}
                    className={color}
                  />
                ) : null,
              )}
            </g>
          );
        })}
      </svg>
      <BarsEnds first={days[0]?.start ?? 0} />
      <figcaption className="mt-1 flex flex-wrap justify-between gap-x-4 text-second text-sm">
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2 rounded-xs bg-seal/70" />
          sealed per day (UTC)
          {pruned > 0 && (
            <>
              <span aria-hidden="true" className="ml-2 size-2 rounded-xs bg-third/50" />
              seals expired
            </>
          )}
          {lines.map(({ name, color }) => (
            <Fragment key={name}>
              <span aria-hidden="true" className={cx("ml-2 h-[3px] w-2", color)} />
              {name}
            </Fragment>
          ))}
        </span>
        <ShowAsTable>
          {() => (
            <ValuesTable caption="Sealed entries by day" by="Day (UTC)" columns={["Entries sealed", "Marks"]}>
              {days.toReversed().map((day) => (
                <tr key={day.start} className="border-t">
                  <th scope="row" className="px-2 py-0.5 text-left font-normal">
                    {dayOf(day.start)}
                  </th>
                  <td className="px-2 py-0.5 text-right">{formatCount(day.sealed)}</td>
                  <td className="px-2 py-0.5 text-right">{marks(day, lines).join(", ") || "—"}</td>
                </tr>
              ))}
            </ValuesTable>
          )}
        </ShowAsTable>
      </figcaption>
    </figure>
  );
}
