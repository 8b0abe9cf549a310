import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { logFailure } from "@/lib/db/outage-log";
import { isAway } from "@/lib/db/unavailable";
import { beginTask, type TaskKind } from "@/lib/jobs/tasks";
import { span } from "@/lib/tracing/span";

/** Work that several processes share through leases. */
export interface LeasedWork<Item extends { organizationId: string }, Result> {
  /** A name for the log: `certificate check`. */
  what: string;
  /** Its name in the metrics. */
  kind: TaskKind;
  /** Limits of concurrent items in this process. Default: `defaultSlots`. */
  slots?: Slots;
  /** Leases up to `most` due items, in addition to those that are running. */
  lease: (most: number, running: readonly Item[]) => Promise<Item[]>;
  /** Processes one item. Errors are logged, and the item is due again when its lease ends; an unavailable database ends the run. */
  work: (item: Item, signal: AbortSignal) => Promise<Result>;
  /** The id of a result's subject, for the log. */
  idOf: (result: Result) => string;
  /** Writes results in one transaction. Called again with the same results if the connection breaks, also after their leases have ended. */
  write: (results: readonly Result[]) => Promise<unknown>;
}

/** Limits of concurrent items per process. */
export interface Slots {
  total: number;
  /** Per organization. Less than the total, so that other organizations always find a free slot. */
  perOrganization: number;
}

/** Enough for some items to hang for seconds without blocking the others. */
export const defaultSlots: Slots = { total: 320, perOrganization: 256 };

/** Minimum free slots for a query. */
const LEASE_BATCH_SIZE = 32;
/** Milliseconds between queries for newly due items. */
const POLL_MS = 500;
/**
 * Milliseconds for which writing results is retried while the database is unavailable: longer than a failover takes, and than most leases.
 * Writing ignores results whose lease another process has by then, or that are older than what is recorded.
 */
const WRITE_RETRY_MS = 300_000;
const MAX_RETRY_PAUSE_MS = 2_000;

/** Whether results of a job cannot be written at present, and what ends the attempts. */
interface Retries {
  readonly signal: AbortSignal;
  isRepeating: boolean;
}

/** Writes results together. If that fails because of one result, writes each separately, so that it does not block the others. */
async function write<Item extends { organizationId: string }, Result>(
  job: LeasedWork<Item, Result>,
  results: readonly Result[],
  retries: Retries,
): Promise<void> {
  try {
    await writeWithRetries(job, results, retries);
  } catch (error) {
    if (isAway(error)) throw error;
    if (results.length > 1) for (const result of results) await write(job, [result], retries);
    else
      for (const result of results) logFailure(`a ${job.what} could not be written`, error, { id: job.idOf(result) });
  }
}

/** Retries while the database is unavailable, so that an outage does not cause finished work to be repeated. Ends early with `signal`. */
async function writeWithRetries<Item extends { organizationId: string }, Result>(
  job: LeasedWork<Item, Result>,
  results: readonly Result[],
  retries: Retries,
): Promise<void> {
  const { signal } = retries;
  const giveUpAt = performance.now() + WRITE_RETRY_MS;
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, MAX_RETRY_PAUSE_MS)) {
    try {
      await job.write(results);
      retries.isRepeating = false;
      return;
    } catch (error) {
      retries.isRepeating = isAway(error) && !signal.aborted && performance.now() + pauseMs <= giveUpAt;
      if (!retries.isRepeating) throw error;
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

/** Whether an organization uses all its slots, so that it may have more due items. */
function isAtLimit(running: Iterable<{ organizationId: string }>, { perOrganization }: Slots): boolean {
  const counts = countByOrganization(running);
  return [...counts.values()].some((count) => count >= perOrganization);
}

/** The id of a leased row, as an attribute of its span. */
function idOf(item: object): { "sealwatch.id"?: string } {
  return "id" in item && typeof item.id === "string" ? { "sealwatch.id": item.id } : {};
}

/** The number of running items per organization. */
export function countByOrganization(running: Iterable<{ organizationId: string }>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { organizationId } of running) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
  return counts;
}

/**
 * Processes due items until there are none. Items run concurrently; results that arrive during a write are written together in the
 * next one. Calls `onProgress` after each write, because under load there are always due items. Throws errors of leasing and writing;
 * the leased items are due again when their leases end.
 */
export async function runLeasedWork<Item extends { organizationId: string }, Result>(
  job: LeasedWork<Item, Result>,
  signal: AbortSignal,
  onProgress: () => void = () => {},
): Promise<void> {
  const slots = job.slots ?? defaultSlots;
  const batch = Math.min(LEASE_BATCH_SIZE, Math.ceil(slots.total / 8));
  // Every item and other jobs add listeners; Node would report more than ten as a leak.
  setMaxListeners(0, signal);
  const running = new Map<Promise<void>, Item>();
  let arrived: Result[] = [];
  let writing: Promise<void> | undefined;
  let failure: unknown;
  const retries: Retries = { signal, isRepeating: false };
  /** Items that ended since the last lease, and the callback that waits for them. */
  let ended = 0;
  let onEnded = () => {};

  const writeArrived = async () => {
    while (arrived.length > 0) {
      const results = arrived;
      arrived = [];
      await write(job, results, retries).then(onProgress, (error: unknown) => {
        failure = error;
      });
    }
    writing = undefined;
  };
  const start = (item: Item) => {
    const measured = beginTask(job.kind);
    const of = { "sealwatch.organization_id": item.organizationId, ...idOf(item) };
    const done = span(job.what, of, () => job.work(item, signal)).then(
      (result) => {
        measured.end("done");
        arrived.push(result);
        writing ??= writeArrived();
      },
      (error: unknown) => {
        measured.end(signal.aborted ? null : "failed");
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
  /** Resolves when `count` items have ended, when none is running, or after POLL_MS. */
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
      if (retries.isRepeating) {
        // What waits to be written would be leased, and done, again.
        await delay(POLL_MS, undefined, { signal }).catch(() => {});
        continue;
      }
      ended = 0;
      const free = slots.total - running.size;
      const others = [...running.values()];
      const leased = free > 0 ? await job.lease(free, others) : [];
      leased.forEach(start);
      // Items that ended during the query may have kept others of their organization from being leased.
      if (running.size === 0 && others.length === 0) break;
      const mayBeMore = leased.length === free || isAtLimit(running.values(), slots);
      await untilEnded(mayBeMore ? batch : Number.POSITIVE_INFINITY);
    }
  } finally {
    await Promise.all(running.keys());
    await writing;
  }
  if (failure !== undefined) throw failure;
}
