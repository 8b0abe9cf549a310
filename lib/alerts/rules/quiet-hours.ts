import type { QuietHours } from "@/lib/alerts/rules/conditions";
import { weekdays } from "@/lib/alerts/rules/weekdays";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(zone, made);
  return made;
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Whether `now` (Unix milliseconds) is within the quiet hours, in the local time of their zone, including clock changes. */
export function isQuiet({ start, end, days, time_zone }: QuietHours, now: number): boolean {
  const parts = Object.fromEntries(
    formatOf(time_zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  const today = (weekdays as readonly string[]).indexOf(String(parts.weekday).toLowerCase());
  const minute = Number(parts.hour) * 60 + Number(parts.minute);
  const startsOn = (index: number) => days.some((day) => day === weekdays[(index + 7) % 7]);
  const [from, to] = [minutesOf(start), minutesOf(end)];
  if (from < to) return startsOn(today) && minute >= from && minute < to;
  return (startsOn(today) && minute >= from) || (startsOn(today - 1) && minute < to);
}
