"use client";

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

function marks({ isPruned, isWitnessed }: SealedDay, isHeld: boolean): string[] {
  return [
    ...(isPruned ? ["seals expired"] : []),
    ...(isWitnessed ? ["witnessed"] : []),
    ...(isHeld ? ["on hold"] : []),
  ];
}

function words(day: SealedDay, isHeld: boolean): string {
  const said = day.sealed === 0 ? "nothing sealed" : `${plural(day.sealed, "entry", "entries")} sealed`;
  return `${dayOf(day.start)} (UTC): ${[said, ...marks(day, isHeld)].join(", ")}`;
}

/** A bar per day, as high as its sealed entries. The label describes all days, the title of each bar one day, and a table has the values. */
export function SealedDays({ days, holds }: { days: readonly SealedDay[]; holds: readonly AuditHold[] }) {
  const most = Math.max(1, ...days.map(({ sealed }) => sealed));
  const total = days.reduce((sum, { sealed }) => sum + sealed, 0);
  const pruned = days.filter(({ isPruned }) => isPruned).length;
  const witnessed = days.filter(({ isWitnessed }) => isWitnessed).length;
  const held = days.filter(({ start }) => isOnHold(holds, start)).length;
  const witnessedY = HEIGHT + GAP;
  const heldY = witnessed > 0 ? witnessedY + LINE + GAP : witnessedY;
  const height = Math.max(HEIGHT, witnessed > 0 ? witnessedY + LINE : 0, held > 0 ? heldY + LINE : 0);
  const label = [
    `Last ${plural(days.length, "day")}: ${plural(total, "entry", "entries")} sealed`,
    pruned > 0 && `seals of ${plural(pruned, "day")} expired`,
    witnessed > 0 && `${plural(witnessed, "day")} witnessed`,
    held > 0 && `${plural(held, "day")} on hold`,
  ];
  return (
    <figure className="px-4 pb-4 sm:px-5">
      <svg
        role="img"
        aria-label={label.filter(Boolean).join(", ")}
        viewBox={`0 0 ${days.length * BAR} ${height}`}
        height={height}
        preserveAspectRatio="none"
        className={cx("block w-full", height === HEIGHT && "border-b")}
      >
        {days.map((day, at) => {
          const isHeld = isOnHold(holds, day.start);
          const bar = day.sealed === 0 ? 0 : Math.max(2, (day.sealed / most) * HEIGHT);
          return (
            <g key={day.start}>
              <title>{words(day, isHeld)}</title>
              <rect x={at * BAR} y={0} width={BAR} height={HEIGHT} fill="transparent" />
              <rect
                x={at * BAR}
                y={HEIGHT - bar}
                width={BAR - 1}
                height={bar}
                className={cx(day.isPruned ? "fill-third/50" : "fill-seal/70")}
              />
              {day.isWitnessed && (
                <rect x={at * BAR} y={witnessedY} width={BAR - 1} height={LINE} className="fill-good" />
              )}
              {isHeld && <rect x={at * BAR} y={heldY} width={BAR} height={LINE} className="fill-warn" />}
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
          {witnessed > 0 && (
            <>
              <span aria-hidden="true" className="ml-2 h-[3px] w-2 bg-good" />
              witnessed
            </>
          )}
          {held > 0 && (
            <>
              <span aria-hidden="true" className="ml-2 h-[3px] w-2 bg-warn" />
              on hold
            </>
          )}
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
                  <td className="px-2 py-0.5 text-right">{marks(day, isOnHold(holds, day.start)).join(", ") || "—"}</td>
                </tr>
              ))}
            </ValuesTable>
          )}
        </ShowAsTable>
      </figcaption>
    </figure>
  );
}
