/** The hours that are kept: one more than a day has. */
import { HOUR_MS } from "@/lib/time/units";

const KEPT_HOURS = 25;

/** Events that were sent, by hour since 1970 (UTC). */
export type SentByHour = Readonly<Record<string, number>>;

/** The counts with `events` that were sent at `now`. Older hours are dropped. */
export function countSent(counts: SentByHour, events: number, now: Date): SentByHour {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const kept = Object.fromEntries(Object.entries(counts).filter(([at]) => Number(at) > hour - KEPT_HOURS));
  return { ...kept, [hour]: (kept[hour] ?? 0) + events };
}
