/** The longest time without a complete count of which every window is counted again. Not longer than the shortest window. */
import { MINUTE_MS } from "@/lib/time/units";

const MAX_HELD_MS = 5 * MINUTE_MS;
/** At least this many events are counted in a window. */
const MIN_COUNTED = 1_000;
/** Maximum number of events read for one condition; at least twice its largest number. */
const MAX_READ = 20_000;

/** The number to which the events of a window are counted. */
export function mostCounted(count: number): number {
  return Math.max(MIN_COUNTED, count);
}

/**
 * The number of newest events to read in order to count windows that ended in the last `sinceMs` milliseconds. While that is not
 * longer than the window, reading so many proves that one window has `count`: all of them are within two windows.
 */
export function readLimit(count: number, sinceMs: number): number {
  return sinceMs > MINUTE_MS ? MAX_READ : 2 * mostCounted(count);
}

/**
 * The time up to which events are counted after an evaluation, in Unix milliseconds: those delivered before it began, if it counted
 * every condition; otherwise the next evaluation counts the same windows again. If a longer time is to be caught up, only its
 * newer half, so that a condition that always takes too long does not hold the others back.
 */
export function nextCountedAt(
  { now, since }: { now: number; since: number },
  delivered: number,
  isComplete: boolean,
): number {
  const pastMs = now - since;
  const again = pastMs > MAX_HELD_MS ? now - pastMs / 2 : since;
  return Math.min(isComplete ? now : again, delivered);
}
