import { isUnavailable } from "@/lib/db/unavailable";
import { DAY_MS } from "@/lib/time/units";

export type Order = "asc" | "desc";

/** The next window is as wide as the last one suggests is enough, times this factor; at most MAX_WIDENING_FACTOR times as wide. */
const OVERFETCH_FACTOR = 1.5;
const MAX_WIDENING_FACTOR = 6;
/** The next window has at least this fraction of the last width, however little time is left, so that every request makes progress. */
const MIN_NARROWING_FACTOR = 0.25;

interface Search {
  /** The range, Unix milliseconds, half-open. */
  from: number;
  to: number;
  order: Order;
  /** The number of events after which the search ends. */
  limit: number;
  timeoutMs: number;
  firstWindowDays: number;
  /** Reads a window and returns the number of events in it. */
  read: (from: number, to: number) => Promise<number>;
}

/**
 * Searches a range in windows that widen from its start, so that a search that finds enough near the start does not open the partitions
 * of years. A window starts only if it is expected to end within `timeoutMs`. Returns the number of events up to `edge`, the
 * time from which to continue; `edge` is null if the search found `limit` events or reached the end of the range.
 */
export async function searchWindows({
  from,
  to,
  order,
  limit,
  timeoutMs,
  firstWindowDays,
  read,
}: Search): Promise<{ count: number; edge: number | null }> {
  const deadline = performance.now() + timeoutMs;
  const ascending = order === "asc";
  const start = ascending ? from : to;
  let [count, edge, days] = [0, start, firstWindowDays];
  while (count < limit && from < to && (ascending ? edge < to : edge > from)) {
    const far = ascending ? Math.min(to, edge + days * DAY_MS) : Math.max(from, edge - days * DAY_MS);
    const beganAt = performance.now();
    let added: number;
    try {
      added = ascending ? await read(edge, far) : await read(far, edge);
    } catch (error) {
      // The database's time limit: return what was found before this window, and continue the search from it.
      if (edge === start || !isUnavailable(error)) throw error;
      return { count, edge };
    }
    count += added;
    edge = far;
    const enough = Math.max(((limit - count) / added) * OVERFETCH_FACTOR, firstWindowDays / days);
    const affordable = (deadline - performance.now()) / (performance.now() - beganAt);
    const isComplete = ascending ? edge >= to : edge <= from;
    if (affordable <= 0 && count < limit && !isComplete) return { count, edge };
    days *= Math.min(MAX_WIDENING_FACTOR, enough, Math.max(affordable, MIN_NARROWING_FACTOR));
  }
  return { count, edge: null };
}
