import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { isUnavailable } from "@/lib/db/unavailable";
import { log } from "@/lib/log";

/** Work of which several processes take parts by leases. */
export interface LeasedWork<Item, Result> {
  /** What is done, for the log: `certificate check`. */
  what: string;
  /** Leases up to `most` that are due now, beside those that are under way. */
  lease: (most: number, running: readonly Item[]) => Promise<Item[]>;
  /** Rejects only when `signal` aborts. */
  work: (item: Item, signal: AbortSignal) => Promise<Result>;
  /** The id of what a result is about, for the log. */
  idOf: (result: Result) => string;
  /** Writes results in one transaction. */
  write: (results: readonly Result[]) => Promise<unknown>;
}

/** Items under way at once in one process: enough that some hang for seconds without holding up the others. */
export const MOST_AT_ONCE = 256;
/** Free places worth a query. */
const LEAST_TO_LEASE = 32;
/** Milliseconds between looks for what has become due meanwhile. */
const POLL_MS = 500;

/** Writes results together; when that fails, each alone, so that one that cannot be written does not hold back the rest. */
async function write<Item, Result>(each: LeasedWork<Item, Result>, results: readonly Result[]): Promise<void> {
  try {
    await each.write(results);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (results.length > 1) for (const result of results) await write(each, [result]);
    else
      for (const result of results)
        log.error({ err: error, id: each.idOf(result) }, `a ${each.what} could not be written`);
  }
}

/**
 * Works on what is due until nothing is. Items are worked on side by side; results that arrive while others are being written are
 * written together next. Throws what leasing or writing threw; what was leased then is due again when its lease is over.
 */
export async function drain<Item, Result>(each: LeasedWork<Item, Result>, signal: AbortSignal): Promise<void> {
  // Every item listens to it; Node would take more than ten for a leak.
  setMaxListeners(MOST_AT_ONCE * 2, signal);
  const running = new Map<Promise<void>, Item>();
  let arrived: Result[] = [];
  let writing: Promise<void> | undefined;
  let failure: unknown;

  const writeArrived = async () => {
    while (arrived.length > 0) {
      const results = arrived;
      arrived = [];
      await write(each, results).catch((error: unknown) => {
        failure = error;
      });
    }
    writing = undefined;
  };
  const start = (item: Item) => {
    const done = each.work(item, signal).then(
      (result) => {
        arrived.push(result);
        writing ??= writeArrived();
      },
      (error: unknown) => {
        if (!signal.aborted) failure = error;
      },
    );
    const ended = done.finally(() => running.delete(ended));
    running.set(ended, item);
  };

  try {
    while (!signal.aborted && failure === undefined) {
      const free = MOST_AT_ONCE - running.size;
      const leased = free >= LEAST_TO_LEASE ? await each.lease(free, [...running.values()]) : [];
      leased.forEach(start);
      if (running.size === 0) break;
      const isAllLeased = free >= LEAST_TO_LEASE && leased.length < free;
      const pause = [Promise.all(running.keys()), delay(POLL_MS, undefined, { ref: false })];
      await Promise.race<unknown>(isAllLeased ? pause : running.keys());
    }
  } finally {
    await Promise.all(running.keys());
    await writing;
  }
  if (failure !== undefined) throw failure;
}
