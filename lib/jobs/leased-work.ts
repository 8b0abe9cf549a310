import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";

/** Work that several processes share by leases. */
export interface LeasedWork<Item extends { organizationId: string }, Result> {
  /** What is done, for the log: `certificate check`. */
  what: string;
  /** Items under way at once in this process. Default: `defaultSlots`. */
  slots?: Slots;
  /** Leases up to `most` items that are due now, beside those that are running. */
  lease: (most: number, running: readonly Item[]) => Promise<Item[]>;
  /** Works on one item. What it throws is logged, and its item is due again when its lease is over; a database that is away ends the run. */
  work: (item: Item, signal: AbortSignal) => Promise<Result>;
  /** The id of what a result is about, for the log. */
  idOf: (result: Result) => string;
  /** Writes results in one transaction. May be called again with the same results when the connection breaks. */
  write: (results: readonly Result[]) => Promise<unknown>;
}

/** How many items a process works on at once. */
export interface Slots {
  total: number;
  /** Of one organization. Smaller than the total, so that others always find a free slot. */
  perOrganization: number;
}

/** Enough that some items hang for seconds without holding up the others. */
export const defaultSlots: Slots = { total: 320, perOrganization: 256 };

/** Free slots worth a query. */
const LEASE_BATCH_SIZE = 32;
/** Milliseconds between queries for what has become due meanwhile. */
const POLL_MS = 500;
/** Milliseconds for which results are kept and written again while the database is away. Shorter than any lease. */
const WRITE_RETRY_MS = 30_000;
const LONGEST_RETRY_PAUSE_MS = 2_000;

/** Writes results together; if one of them is refused, writes each alone, so that it does not hold back the rest. */
async function write<Item extends { organizationId: string }, Result>(
  job: LeasedWork<Item, Result>,
  results: readonly Result[],
): Promise<void> {
  try {
    await writeWithRetries(job, results);
  } catch (error) {
    if (isAway(error)) throw error;
    if (results.length > 1) for (const result of results) await write(job, [result]);
    else
      for (const result of results) logFailure(`a ${job.what} could not be written`, error, { id: job.idOf(result) });
  }
}

/** Tries again while the database is away: work that is done should not be done twice because a connection broke. */
async function writeWithRetries<Item extends { organizationId: string }, Result>(
  job: LeasedWork<Item, Result>,
  results: readonly Result[],
): Promise<void> {
  const giveUpAt = performance.now() + WRITE_RETRY_MS;
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, LONGEST_RETRY_PAUSE_MS)) {
    try {
      await job.write(results);
      return;
    } catch (error) {
      if (!isAway(error) || performance.now() + pauseMs > giveUpAt) throw error;
      await delay(pauseMs);
    }
  }
}

/** Whether an organization uses all slots that it may use, so that more of it may be due. */
function isAtLimit(running: Iterable<{ organizationId: string }>, { perOrganization }: Slots): boolean {
  const counts = countByOrganization(running);
  return [...counts.values()].some((count) => count >= perOrganization);
}

/** Running items by organization. */
export function countByOrganization(running: Iterable<{ organizationId: string }>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { organizationId } of running) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
  return counts;
}

/**
 * Works on what is due until nothing is. Items run side by side; results that arrive while others are being written are written
 * together next. Throws what leasing or writing threw; items leased then are due again when their lease is over.
 */
export async function runLeasedWork<Item extends { organizationId: string }, Result>(
  job: LeasedWork<Item, Result>,
  signal: AbortSignal,
): Promise<void> {
  const slots = job.slots ?? defaultSlots;
  const batch = Math.min(LEASE_BATCH_SIZE, Math.ceil(slots.total / 8));
  // Every item listens to it, and so do other jobs; Node would take more than ten for a leak.
  setMaxListeners(0, signal);
  const running = new Map<Promise<void>, Item>();
  let arrived: Result[] = [];
  let writing: Promise<void> | undefined;
  let failure: unknown;
  /** Items that ended since the last lease, and who waits for them. */
  let ended = 0;
  let onEnded = () => {};

  const writeArrived = async () => {
    while (arrived.length > 0) {
      const results = arrived;
      arrived = [];
      await write(job, results).catch((error: unknown) => {
        failure = error;
      });
    }
    writing = undefined;
  };
  const start = (item: Item) => {
    const done = job.work(item, signal).then(
      (result) => {
        arrived.push(result);
        writing ??= writeArrived();
      },
      (error: unknown) => {
        if (signal.aborted) return;
        if (isAway(error)) failure = error;
        else logFailure(`a ${job.what} failed`, error, { organization_id: item.organizationId });
      },
    );
    const settled = done.finally(() => {
      running.delete(settled);
      ended++;
      onEnded();
    });
    running.set(settled, item);
  };
  /** Resolves when `count` items have ended, when none is left, or after POLL_MS. */
  const untilEnded = (count: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      onEnded = () => {
        if (running.size > 0 && ended < count) return;
        clearTimeout(timer);
        resolve();
      };
      onEnded();
    });

  try {
    while (!signal.aborted && failure === undefined) {
      ended = 0;
      const free = slots.total - running.size;
      const leased = free > 0 ? await job.lease(free, [...running.values()]) : [];
      leased.forEach(start);
      if (running.size === 0) break;
      const mayBeMore = leased.length === free || isAtLimit(running.values(), slots);
      await untilEnded(mayBeMore ? batch : Number.POSITIVE_INFINITY);
    }
  } finally {
    await Promise.all(running.keys());
    await writing;
  }
  if (failure !== undefined) throw failure;
}
