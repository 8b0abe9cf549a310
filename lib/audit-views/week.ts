import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const WEEK_MS = 7 * DAY_MS;
/** The first Monday of the Unix epoch: 5 January 1970. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** E-mails are sent on Mondays from 06:00 UTC on. */
const SENT_AFTER_MS = 6 * HOUR_MS;

const mondayBefore = (time: number) => time - ((((time - FIRST_MONDAY_MS) % WEEK_MS) + WEEK_MS) % WEEK_MS);

/** A range in Unix milliseconds, half-open. */
export interface Week {
  from: number;
  to: number;
}

/** The last whole week, Monday to Sunday in UTC. */
export function lastWeek(now: number): Week {
  const to = mondayBefore(now);
  return { from: to - WEEK_MS, to };
}

/** The week before another. */
export function weekBefore({ from }: Week): Week {
  return { from: from - WEEK_MS, to: from };
}

/** When the e-mail about the week after another is sent, in Unix milliseconds. */
export function emailAfter({ to }: Week): number {
  return to + WEEK_MS + SENT_AFTER_MS;
}

/** When the first e-mail is sent to a person who asks now, in Unix milliseconds. */
export function nextEmailAt(now: number): number {
  const today = mondayBefore(now) + SENT_AFTER_MS;
  return today > now ? today : today + WEEK_MS;
}
