import { plural } from "@/components/time/time-format";
import { cx } from "@/components/ui/cx";
import type { UptimeDay } from "@/lib/uptime/checks/days";

/** A day with a lower share of successful checks is shown as bad. */
const BAD_BELOW = 0.95;
const BAR = 5;

function tone({ checks, failures }: UptimeDay): string {
  if (checks === 0) return "fill-line";
  if (failures === 0) return "fill-good";
  return 1 - failures / checks < BAD_BELOW ? "fill-bad" : "fill-warn";
}

function words({ start, checks, failures, maintenance }: UptimeDay): string {
  const day = new Date(start).toISOString().slice(0, 10);
  const said = checks === 0 ? "not checked" : `${plural(failures, "failure")} in ${plural(checks, "check")}`;
  return `${day} (UTC): ${said}${maintenance > 0 ? `, ${plural(maintenance, "check")} in maintenance` : ""}`;
}

/** One bar per day: up, partly up, down or not checked. The label describes all days, the title of each bar one day. */
export function UptimeBars({ days, tall = false }: { days: readonly UptimeDay[]; tall?: boolean }) {
  const checks = days.reduce((sum, day) => sum + day.checks, 0);
  const bad = days.filter((day) => day.failures > 0).length;
  const label = `Last ${plural(days.length, "day")}: ${checks === 0 ? "not checked" : bad === 0 ? "no failures" : `failures on ${plural(bad, "day")}`}`;
  const height = tall ? 34 : 16;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length * BAR} ${height}`}
      width={days.length * BAR}
      height={height}
      preserveAspectRatio="none"
      className={cx("block max-w-full", tall && "w-full")}
    >
      {days.map((day, at) => (
        <rect key={day.start} x={at * BAR} y={0} width={BAR - 1} height={height} rx={0.5} className={tone(day)}>
          <title>{words(day)}</title>
        </rect>
      ))}
    </svg>
  );
}
