import { processSingleton } from "@/lib/process-singleton";

/** What a connection is for. It decides which pool it comes from and how long its statements may take. */
export type Purpose = "request" | "write" | "report" | "stream" | "export" | "job" | "migration" | "health";

interface Limits {
  /** `statement_timeout` in milliseconds. */
  statementMs: number;
  /** `lock_timeout` in milliseconds. */
  lockMs: number;
  /** `idle_in_transaction_session_timeout` in milliseconds. */
  idleInTransactionMs: number;
  /** How long to wait for a free or a new connection, in milliseconds. */
  acquireMs: number;
  /** The pool's share of DATABASE_POOL_SIZE. Those of one process add up to 1: `job` replaces `request` and `stream` in the worker. */
  share: number;
}

/** The time limits and the pool of each purpose, the same in both databases. */
export const purposes: Readonly<Record<Purpose, Limits>> = {
  /** The work of an API request or a page. */
  request: { statementMs: 15_000, lockMs: 5_000, idleInTransactionMs: 20_000, acquireMs: 10_000, share: 0.5 },
  /** Audit events, to the audit database or the outbox. No reader can take these connections. */
  write: { statementMs: 5_000, lockMs: 5_000, idleInTransactionMs: 10_000, acquireMs: 5_000, share: 0.1 },
  /** Aggregates over many rows: statistics, groups, metrics. */
  report: { statementMs: 30_000, lockMs: 5_000, idleInTransactionMs: 30_000, acquireMs: 10_000, share: 0.2 },
  /** What event streams ask again and again, for as long as somebody listens. */
  stream: { statementMs: 15_000, lockMs: 5_000, idleInTransactionMs: 20_000, acquireMs: 5_000, share: 0.2 },
  /** Files, which last as long as their reader takes: each on a connection of its own, none from a pool. */
  export: { statementMs: 3_600_000, lockMs: 5_000, idleInTransactionMs: 60_000, acquireMs: 5_000, share: 0 },
  /** Background work and commands of the operator. */
  job: { statementMs: 60_000, lockMs: 5_000, idleInTransactionMs: 60_000, acquireMs: 10_000, share: 0.7 },
  /** What `/readyz` asks, on a connection of its own for each database. */
  health: { statementMs: 2_000, lockMs: 2_000, idleInTransactionMs: 2_000, acquireMs: 2_000, share: 0 },
  /** Schema changes at start. */
  migration: { statementMs: 3_600_000, lockMs: 60_000, idleInTransactionMs: 0, acquireMs: 5_000, share: 0 },
};

const processPurpose = processSingleton("db.purpose", (): { value: Purpose } => ({ value: "request" }));

/** The purpose of this process's connections where none is named: `request`, unless `setDefaultPurpose` said otherwise. */
export function defaultPurpose(): Purpose {
  return processPurpose.value;
}

/** To be called once, before the first connection, by processes that answer no requests. */
export function setDefaultPurpose(purpose: Purpose): void {
  processPurpose.value = purpose;
}
