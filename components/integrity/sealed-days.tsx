import { plural } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import type { SealedDay } from "@/lib/audit-logs/seal/days";

const HEIGHT = 40;
const BAR = 8;

const dayOf = (start: number) => new Date(start).toISOString().slice(0, 10);

function words({ start, sealed, isPruned }: SealedDay): string {
  const said = sealed === 0 ? "nothing sealed" : `${plural(sealed, "entry", "entries")} sealed`;
  return `${dayOf(start)} (UTC): ${said}${isPruned ? ", seals expired" : ""}`;
}

/** A bar per day, as high as its sealed entries. The label describes all days, the title of each bar one day. */
export function SealedDays({ days }: { days: readonly SealedDay[] }) {
  const most = Math.max(1, ...days.map(({ sealed }) => sealed));
  const total = days.reduce((sum, { sealed }) => sum + sealed, 0);
  const pruned = days.filter(({ isPruned }) => isPruned).length;
  const label = `Last ${plural(days.length, "day")}: ${plural(total, "entry", "entries")} sealed${pruned > 0 ? `, seals of ${plural(pruned, "day")} expired` : ""}`;
  return (
    <figure className="px-4 pb-4 sm:px-5">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length * BAR} ${HEIGHT}`}
        height={HEIGHT}
        preserveAspectRatio="none"
        className="block w-full border-b"
      >
        {days.map((day, at) => {
          const height = day.sealed === 0 ? 0 : Math.max(2, (day.sealed / most) * HEIGHT);
          return (
            <g key={day.start}>
              <title>{words(day)}</title>
              <rect x={at * BAR} y={0} width={BAR} height={HEIGHT} fill="transparent" />
              <rect
                x={at * BAR}
                y={HEIGHT - height}
                width={BAR - 1}
                height={height}
                className={cx(day.isPruned ? "fill-third/50" : "fill-seal/70")}
              />
            </g>
          );
        })}
      </svg>
      <figcaption className="mt-1 flex flex-wrap justify-between gap-x-4 text-second text-sm">
        <span className="font-mono">{dayOf(days[0]?.start ?? 0)}</span>
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2 rounded-xs bg-seal/70" />
          sealed per day (UTC)
          {pruned > 0 && (
            <>
              <span aria-hidden="true" className="ml-2 size-2 rounded-xs bg-third/50" />
              seals expired
            </>
          )}
        </span>
        <span className="font-mono">today</span>
      </figcaption>
    </figure>
  );
}
