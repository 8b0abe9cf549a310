import { formatTime } from "@/components/time/time-format";

interface Dated {
  id: string;
  occurred_at: string;
}

/** A line of the list: an event with its index, or the day that begins below it. All lines are equally high. */
export type Line<T> = { id: string; event: T; index: number } | { id: string; event: null; day: string };

/** No zone's days begin within a quarter of an hour. */
const QUARTER_MS = 15 * 60_000;

/** The lines of a list: its events, with a line before the first event of each other day of `zone` than that above it. */
export function withDays<T extends Dated>(events: readonly T[], zone: string): Line<T>[] {
  const days = new Map<number, string>();
  const dayOf = ({ occurred_at }: T) => {
    const time = Date.parse(occurred_at);
    const quarter = Math.floor(time / QUARTER_MS);
    const day = days.get(quarter) ?? formatTime(time, "day", zone, time);
    days.set(quarter, day);
    return day;
  };
  const lines: Line<T>[] = [];
  let above: string | undefined;
  for (const [index, event] of events.entries()) {
    const day = dayOf(event);
    if (above !== undefined && day !== above) lines.push({ id: `day ${day}`, event: null, day });
    above = day;
    lines.push({ id: event.id, event, index });
  }
  return lines;
}
