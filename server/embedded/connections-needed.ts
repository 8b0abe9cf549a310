import type { Config } from "@/lib/config";

/** As many as a single web process needs with its worker, commands and a backup. */
const LEAST = 200;
/** So that settings for another PostgreSQL do not take the memory of this one, nor all semaphores of the machine. */
const MOST = 5_000;
/** Of each process beside its pools: health queries, locks and exports. */
const BESIDE_POOLS = 16;
/** Of commands, migrations and the supervisor. */
const OTHERS = 20;
/** A restore locks every partition of all plans at once. */
const LOCKS = 200 * 256;
/** Where there are very many connections; PostgreSQL's own default. */
const LEAST_LOCKS = 64;

/**
 * The limits of an embedded PostgreSQL, which has both databases: room for the pools of every web process and of the worker. Its table of
 * locks is `max_connections` times `max_locks_per_transaction`, and need not grow with the connections.
 */
export function limitsOf({
  WEB_CONCURRENCY,
  DATABASE_POOL_SIZE,
}: Pick<Config, "WEB_CONCURRENCY" | "DATABASE_POOL_SIZE">) {
  const needed = (WEB_CONCURRENCY + 1) * (2 * DATABASE_POOL_SIZE + BESIDE_POOLS) + OTHERS;
  const max_connections = Math.min(MOST, Math.max(LEAST, needed));
  return { max_connections, max_locks_per_transaction: Math.max(LEAST_LOCKS, Math.ceil(LOCKS / max_connections)) };
}
