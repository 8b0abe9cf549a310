import { plural } from "@/lib/text/counts";
import { MONTHS } from "@/lib/text/dates";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const SECOND_MS = 1000;

/** Whether this runtime knows the IANA zone. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Numbers only: month names differ between runtimes, and the server must render the same text as the browser. */
function parts(time: number, zone: string) {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone, format);
  }
  const found: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(time)) found[type] = value;
  const { year = "", month = "1", day = "", hour = "", minute = "", second = "" } = found;
  const date = `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return { date, short: date.slice(0, -5), clock: `${hour}:${minute}:${second}`, local };
}

/** The wall clock of `zone` as if it were UTC, to the second: for boundaries of hours and days. Unix milliseconds. */
export function localTime(time: number, zone: string): number {
  return parts(time, zone).local;
}

/**
 * `hour` 15:31 · `short` 21 Nov · `day` 21 Nov 2026 · `minute` 21 Nov 2026, 15:31 · `full` to the millisecond · `clock` the
 * time to the millisecond, with the day if it is not that of `now`.
 */
export type TimeStyle = "hour" | "short" | "day" | "minute" | "full" | "clock";

/** A Unix time in milliseconds as people of `zone` write it. */
export function formatTime(time: number, style: TimeStyle, zone: string, now: number): string {
  const { date, short, clock } = parts(time, zone);
  const exact = `${clock}.${String(time % SECOND_MS).padStart(3, "0")}`;
  if (style === "hour") return clock.slice(0, 5);
  if (style === "short") return short;
  if (style === "day") return date;
  if (style === "minute") return `${date}, ${clock.slice(0, 5)}`;
  if (style === "full") return `${date}, ${exact}`;
  const today = parts(now, zone).date;
  if (date === today) return exact;
  return date.slice(-4) === today.slice(-4) ? `${short}, ${exact}` : `${date}, ${exact}`;
}

/** A day in UTC, as `21 Nov 2026`. */
export function dayName(start: string): string {
  return parts(Date.parse(start), "UTC").date;
}

/** `2026-11-21 14:31:58.207 UTC` */
export function formatUtc(time: number): string {
  return `${new Date(time).toISOString().replace("T", " ").slice(0, -1)} UTC`;
}

/** `UTC+1`, the offset of the zone at `now`. */
export function zoneName(zone: string, now: number): string {
  const found = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "shortOffset" })
    .formatToParts(now)
    .find(({ type }) => type === "timeZoneName");
  return (found?.value ?? "UTC").replace("GMT", "UTC").replace(/\+0$/, "");
}

/**
 * `12 days`, `1 day 23 h`, `3 h 20 min`, `5 minutes`, `40 seconds`: a rounded duration. Fewer than ten days or hours have a
 * second unit, because half a day matters there.
 */
export function formatSpan(ms: number): string {
  const inUnits = (size: number) => Math.round(Math.max(0, ms) / size);
  const [hours, minutes, seconds] = [inUnits(HOUR_MS), inUnits(MINUTE_MS), inUnits(SECOND_MS)];
  if (hours >= 10 * 24) return plural(inUnits(DAY_MS), "day");
  if (hours >= 24) return twoUnits(plural(Math.floor(hours / 24), "day"), hours % 24, "h");
  if (minutes >= 10 * 60 || (minutes >= 60 && minutes % 60 === 0)) return plural(hours, "hour");
  if (minutes >= 60) return twoUnits(`${Math.floor(minutes / 60)} h`, minutes % 60, "min");
  return seconds >= 60 ? plural(minutes, "minute") : plural(seconds, "second");
}

const UNITS = [
  [DAY_MS, "day"],
  [HOUR_MS, "hour"],
  [MINUTE_MS, "minute"],
] as const;

/** `30 minutes`, `90 seconds`, `1 day`: whole seconds of a setting, not rounded, in the largest unit that divides them. */
export function formatSetting(seconds: number): string {
  const [size, unit] = UNITS.find(([ms]) => (seconds * SECOND_MS) % ms === 0) ?? [SECOND_MS, "second"];
  return plural((seconds * SECOND_MS) / size, unit);
}

function twoUnits(first: string, count: number, unit: string): string {
  return count === 0 ? first : `${first} ${count} ${unit}`;
}

/** `3 hours ago`, `in 12 days`, `just now`. */
export function formatAgo(time: number, now: number): string {
  const passed = now - time;
  if (passed > -5 * SECOND_MS && passed < 10 * SECOND_MS) return "just now";
  return passed > 0 ? `${formatSpan(passed)} ago` : `in ${formatSpan(-passed)}`;
}

/** `8.3 ms`, `1,083 ms`. */
export function formatMs(ms: number): string {
  const digits = ms < 10 ? 1 : 0;
  return `${ms.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ms`;
}
