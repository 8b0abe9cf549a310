import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** Time that the processors of this machine have spent since it started, in milliseconds: all of it, idle, and in this process. */
interface Spent {
  processors: number;
  all: number;
  idle: number;
  own: number;
}

/** How often the machine is looked at, in milliseconds. */
const POLL_INTERVAL_MS = 250;
/** The machine is busy with other work if that leaves less than one processor, and uses more than this share of all. */
const OTHERS = 0.5;
/** One processor is never left to this process alone: it is busy if less than this share of it is idle. */
const IDLE = 0.1;
/** A pause is this many times as long as the work before it, and at most this long in milliseconds. */
const PAUSE = 5;
const LONGEST_PAUSE_MS = 2_000;

/** Whether the machine was busy with the work of other processes between two moments. */
export function isBusyWithOthers(before: Spent, after: Spent): boolean {
  const all = after.all - before.all;
  const idle = after.idle - before.idle;
  const others = all - idle - (after.own - before.own);
  const isShort = after.processors === 1 ? idle < IDLE * all : all - others < all / after.processors;
  return others > OTHERS * all && isShort;
}

function spent(): Spent {
  const { user, system } = process.cpuUsage();
  const each = cpus();
  const total = { processors: each.length, all: 0, idle: 0, own: (user + system) / 1_000 };
  for (const { times } of each) {
    total.idle += times.idle;
    total.all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return total;
}

/**
 * For bulk work that may take longer while requests need the processors. The returned function is called after each piece of work. It
 * waits if the machine is busy with other work: the process then works a sixth of the time, so that bulk work always goes on. Resolves
 * early when `signal` aborts.
 */
export function givingWay(signal: AbortSignal): () => Promise<void> {
  let looked = { at: performance.now(), spent: spent() };
  let isBusy = false;
  let worked = looked.spent.own;
  return async () => {
    const now = performance.now();
    if (now - looked.at >= POLL_INTERVAL_MS) {
      const after = spent();
      isBusy = isBusyWithOthers(looked.spent, after);
      looked = { at: now, spent: after };
    }
    const { user, system } = process.cpuUsage();
    const own = (user + system) / 1_000;
    if (isBusy) await delay(Math.min(PAUSE * (own - worked), LONGEST_PAUSE_MS), undefined, { signal }).catch(() => {});
    worked = own;
  };
}
