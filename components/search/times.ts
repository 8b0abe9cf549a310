import { ranges } from "@/lib/audit-views/ranges";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** A time range. Unix milliseconds, half-open; `until` null has no end, and `range` is set if it is one of the usual ranges. */
export interface Times {
  since: number;
  until: number | null;
  range: string | null;
}

const MAX_LENGTH = 60;
const UNITS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");

const DASH = String.raw`(?:\s*(?:-|–|—|\.\.|\bto\b|\buntil\b)\s*)`;
const CLOCK = String.raw`(\d{1,2})(?::(\d{2}))?\s*(am|pm)?`;
const CLOCKS = new RegExp(`^(?:at\\s+|from\\s+)?${CLOCK}(?:${DASH}${CLOCK})?$`);

/** A day of the calendar; `month` from 1. */
interface Day {
  year: number;
  month: number;
  day: number;
}

/**
 * The range of time that `text` names, in the reader's zone: `last 2 hours`, `yesterday 14:00–16:00`, `monday`, `2026-11-20`,
 * `20 Nov 9:30`, `20 Nov 9:30 – 21 Nov 6:00`, `since 14:00`. One full hour stands for an hour, another time for a minute. Null if it names none.
 */
export function parseTimes(text: string, now: number, zone: string): Times | null {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  if (words === "" || words.length > MAX_LENGTH) return null;
  return lastOf(words, now) ?? sinceOf(words, now, zone) ?? daysOf(words, now, zone) ?? dayAndClock(words, now, zone);
}

/** The range as parameters of the log's page. */
export function timesQuery({ since, until, range }: Times): Record<string, string | null> {
  if (range !== null) return { range, since: null, until: null };
  const iso = (time: number) => new Date(time).toISOString();
  return { range: null, since: iso(since), until: until === null ? null : iso(until) };
}

/** `last 2 hours`, `past week`, `2h ago`, `30m`. */
function lastOf(words: string, now: number): Times | null {
  const [, prefix, digits, unit = "", suffix] =
    /^(last|past)? ?(\d{1,4})? ?(m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)( ago)?$/.exec(words) ?? [];
  // A letter alone is a letter, and "hours" alone names none.
  if (prefix === undefined && digits === undefined) return null;
  const ms = Number(digits ?? 1) * (UNITS[unit.charAt(0)] ?? 0);
  if (ms === 0) return null;
  const usual = suffix === undefined ? ranges.find((range) => range.ms === ms) : undefined;
  return { since: now - ms, until: null, range: usual?.value ?? null };
}

function sinceOf(words: string, now: number, zone: string): Times | null {
  const [, rest] = /^(?:since|after|from) (.+)$/.exec(words) ?? [];
  if (rest === undefined || new RegExp(DASH).test(rest.replace(/\d{4}-\d{2}-\d{2}/g, ""))) return null;
  const found = dayAndClock(rest, now, zone);
  return found === null ? null : { ...found, until: null };
}

/** `2026-11-18 – 2026-11-20`: from the first day to the end of the last. `yesterday 22:00 – today 6:00`: between two times. */
function daysOf(words: string, now: number, zone: string): Times | null {
  const [first, last, ...more] = words
    .replace(/^from /, "")
    .split(/\s+(?:-|–|—|to|until)\s+|–|—|\.\.|(?<=:\d\d)-(?=\d)/);
  if (first === undefined || last === undefined || more.length > 0) return null;
  const [from, to] = [edgeOf(first, now, zone), edgeOf(last, now, zone)];
  if (from === null || to === null) return null;
  return from.begin < to.end ? { since: from.begin, until: to.end, range: null } : null;
}

/** Begin and end of a day, or a time of a day as both. Null without a day: `yesterday 14:00–16:00` is of one day. */
function edgeOf(words: string, now: number, zone: string): { begin: number; end: number } | null {
  const whole = dayOf(words, now, zone);
  if (whole !== null) return { begin: startOf(whole, zone), end: startOf(addDays(whole, 1), zone) };
  const at = words.search(/[ ,t]+\d{1,2}(?::\d{2})?\s*(?:am|pm)?$/);
  const day = at > 0 ? dayOf(words.slice(0, at), now, zone) : null;
  const time = day && clocksOf(words.slice(at).replace(/^[ ,t]+/, ""), day, now, zone);
  return time && { begin: time.since, end: time.since };
}

/** A day, a time of the day, or both. */
function dayAndClock(words: string, now: number, zone: string): Times | null {
  // The shortest rest that is a time of the day.
  for (const at of breaks(words)) {
    const day = at === 0 ? null : dayOf(words.slice(0, at).replace(/[, ]+$|t$/g, ""), now, zone);
    if (at > 0 && day === null) continue;
    const rest = words
      .slice(at)
      .replace(/^[, t]+(?=\d)/, "")
      .trim();
    if (rest === "") return day && { since: startOf(day, zone), until: startOf(addDays(day, 1), zone), range: null };
    const found = clocksOf(rest, day, now, zone);
    if (found !== null) return found;
  }
  return null;
}

/** Positions between day and time: each space, comma or `t`, and both ends. */
function breaks(words: string): number[] {
  return [words.length, ...[...words.matchAll(/[ ,t]/g)].map(({ index }) => index).reverse(), 0];
}

function clocksOf(rest: string, day: Day | null, now: number, zone: string): Times | null {
  const [all, hour, minute, half, lastHour, lastMinute, lastHalf] = CLOCKS.exec(rest) ?? [];
  // A number alone may be anything.
  if (
    all === undefined ||
    (minute === undefined && half === undefined && lastMinute === undefined && lastHalf === undefined)
  ) {
    return null;
  }
  const from = minutesOf(hour, minute, half ?? (lastHour === undefined ? undefined : lastHalf));
  const to = lastHour === undefined ? null : minutesOf(lastHour, lastMinute, lastHalf);
  if (from === null || (lastHour !== undefined && to === null)) return null;
  const today = dayAt(now, zone);
  // Without a day: the last time that it was so late.
  const on = day ?? (timeOf(today, from, zone) <= now ? today : addDays(today, -1));
  const since = timeOf(on, from, zone);
  if (to === null) return { since, until: since + (from % 60 === 0 ? HOUR_MS : MINUTE_MS), range: null };
  const until = timeOf(to > from ? on : addDays(on, 1), to, zone);
  return { since, until, range: null };
}

/** Minutes since midnight; null if there is no such time. */
function minutesOf(hour = "", minute = "0", half?: string): number | null {
  const [h, m] = [Number(hour), Number(minute)];
  if (m > 59 || h > (half === undefined ? 24 : 12) || (half !== undefined && h === 0)) return null;
  if (half !== undefined) return ((h % 12) + (half === "pm" ? 12 : 0)) * 60 + m;
  return h * 60 + m <= 24 * 60 ? h * 60 + m : null;
}

/** `today`, `monday`, `2026-11-20`, `20 nov`, `nov 20 2026`, `20.11.2026`. Without a year: the last such day. */
function dayOf(text: string, now: number, zone: string): Day | null {
  const words = text.trim().replace(/^on /, "");
  const today = dayAt(now, zone);
  if (words === "today") return today;
  if (words === "yesterday") return addDays(today, -1);
  const [, weekday] = /^(?:last )?(sun|mon|tue|wed|thu|fri|sat)(?:[a-z]{3,6})?$/.exec(words) ?? [];
  if (weekday !== undefined) {
    const since = (weekdayOf(today) - WEEKDAYS.indexOf(weekday) + 7) % 7;
    return addDays(today, words.startsWith("last ") && since === 0 ? -7 : -since);
  }
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(words) ?? [];
  if (year !== undefined) return valid({ year: Number(year), month: Number(month), day: Number(day) });
  const [, dotDay, dotMonth, dotYear] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(words) ?? [];
  if (dotYear !== undefined) return valid({ year: Number(dotYear), month: Number(dotMonth), day: Number(dotDay) });
  return namedDay(words, today);
}

function namedDay(words: string, today: Day): Day | null {
  const [, before, month = "", after, year] =
    /^(\d{1,2})?(?:st|nd|rd|th)?\.? ?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? ?(\d{1,2}(?!\d))?(?:st|nd|rd|th)?,? ?(\d{4})?$/.exec(
      words,
    ) ?? [];
  const day = before ?? after;
  if (day === undefined || (before !== undefined && after !== undefined)) return null;
  const found = { year: Number(year ?? today.year), month: MONTHS.indexOf(month) + 1, day: Number(day) };
  const isAhead = found.month * 31 + found.day > today.month * 31 + today.day;
  return valid(year === undefined && isAhead ? { ...found, year: found.year - 1 } : found);
}

function valid(day: Day): Day | null {
  const found = addDays(day, 0);
  const isSame = found.year === day.year && found.month === day.month && found.day === day.day;
  return isSame && day.year >= 2000 && day.year < 2200 ? day : null;
}

function addDays({ year, month, day }: Day, days: number): Day {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function startOf(day: Day, zone: string): number {
  return timeOf(day, 0, zone);
}

/** The time at which a clock in the zone shows `minutes` after midnight. A time that the zone skips becomes the one after the gap. */
function timeOf({ year, month, day }: Day, minutes: number, zone: string): number {
  const wall = Date.UTC(year, month - 1, day, 0, minutes);
  // The offset may change between the guess and the time itself.
  const guess = wall - offsetAt(wall, zone);
  return wall - offsetAt(guess, zone);
}

function dayAt(time: number, zone: string): Day {
  const date = new Date(time + offsetAt(time, zone));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The offset of the zone from UTC, in milliseconds. */
function offsetAt(time: number, zone: string): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
    clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...numeric, second: "numeric" });
    clocks.set(zone, clock);
  }
  const found = Object.fromEntries(clock.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}
