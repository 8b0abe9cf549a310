import { invalid } from "@/lib/http/errors";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";
import { HOURLY_DAYS } from "@/lib/uptime/stats-contract";
import { tooLong, wholeRange } from "@/lib/uptime/window";

/** An hour or a day in milliseconds. */
export const INTERVAL_MS = { hour: HOUR_MS, day: DAY_MS } as const;
type Interval = keyof typeof INTERVAL_MS;

/** Ranges up to this long default to an hourly series. */
const LONGEST_BY_HOUR_MS = 8 * DAY_MS;
const MAX_POINTS = 1_000;

interface Requested {
  since?: number | undefined;
  until?: number | undefined;
  interval?: Interval | undefined;
}

interface StatsRange {
  /** As requested. */
  since: number;
  /** The start of its interval, and the end of the last one, but at most now. */
  from: number;
  to: number;
  interval: Interval;
}

/** The range and the interval of statistics, in Unix milliseconds. Throws 400. */
export function statsRange(requested: Requested, now: number): StatsRange {
  const until = Math.min(requested.until ?? now, now);
  const since = requested.since ?? until - DAY_MS;
  if (since >= until) throw invalid("since", "must be before until and before now");
  const hours = wholeRange(since, until, HOUR_MS, now);
  const isKeptByHour = hours.from >= now - HOURLY_DAYS * DAY_MS;
  const interval = requested.interval ?? (isKeptByHour && until - since <= LONGEST_BY_HOUR_MS ? "hour" : "day");
  const days = wholeRange(since, until, DAY_MS, now);
  if (days.to - days.from > MAX_POINTS * DAY_MS) throw invalid("since", tooLong(MAX_POINTS));
  if (interval === "day") return { since, ...days, interval };
  if (hours.to - hours.from > MAX_POINTS * HOUR_MS) throw invalid("interval", "is too fine for this range");
  if (!isKeptByHour) throw invalid("interval", `is too fine for a range that begins more than ${HOURLY_DAYS} days ago`);
  return { since, ...hours, interval };
}
