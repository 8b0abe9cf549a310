import { processSingleton } from "@/lib/process-singleton";

/** The purpose of a connection, which determines its pool and its time limits. */
export type Purpose = "request" | "write" | "report" | "stream" | "export" | "job" | "migration" | "health";

interface Limits {
  /** `statement_timeout` in milliseconds. */
  statementMs: number;
  /** `lock_timeout` in milliseconds. */
  lockMs: number;
  /** `idle_in_transaction_session_timeout` in milliseconds. */
  idleInTransactionMs: number;
  /** Maximum time to wait for a free or a new connection, in milliseconds. */
  acquireMs: number;
  /** The pool's share of DATABASE_POOL_SIZE. The shares of a process add up to 1: `job` replaces `request` and `stream` in the worker. */
  share: number;
}

/** The time limits and the pool size of each purpose, the same for both databases. */
export const purposes: Readonly<Record<Purpose, Limits>> = {
  /** API requests and pages. */
  request: { statementMs: 15_000, lockMs: 5_000, idleInTransactionMs: 20_000, acquireMs: 10_000, share: 0.5 },
  /** Writing audit events to the audit database or the outbox. Readers cannot use these connections. */
  write: { statementMs: 5_000, lockMs: 5_000, idleInTransactionMs: 10_000, acquireMs: 5_000, share: 0.1 },
  /** Aggregates over many rows: statistics, groups, metrics. */
  report: { statementMs: 30_000, lockMs: 5_000, idleInTransactionMs: 30_000, acquireMs: 10_000, share: 0.2 },
  /** Repeated queries of event streams while clients are connected. */
  stream: { statementMs: 15_000, lockMs: 5_000, idleInTransactionMs: 20_000, acquireMs: 5_000, share: 0.2 },
  /** Files, for as long as their readers need: each on a separate connection, without a pool. */
  export: { statementMs: 3_600_000, lockMs: 5_000, idleInTransactionMs: 60_000, acquireMs: 5_000, share: 0 },
  /** Background jobs and operator commands. */
  job: { statementMs: 60_000, lockMs: 5_000, idleInTransactionMs: 60_000, acquireMs: 10_000, share: 0.7 },
  /** Queries of `/readyz`, on a separate connection for each database. */
  health: { statementMs: 2_000, lockMs: 2_000, idleInTransactionMs: 2_000, acquireMs: 2_000, share: 0 },
  /** Schema changes at startup. */
  migration: { statementMs: 3_600_000, lockMs: 60_000, idleInTransactionMs: 0, acquireMs: 5_000, share: 0 },
};

const processPurpose = processSingleton("db.purpose", (): { value: Purpose } => ({ value: "request" }));

/** The default purpose of this process's connections: `request`, or `job` after `connectAsJob`. */
export function defaultPurpose(): Purpose {
  return processPurpose.value;
}

/** Connects for jobs by default. Call once, before the first connection, in processes that do not serve requests. */
export function connectAsJob(): void {
  processPurpose.value = "job";
}
