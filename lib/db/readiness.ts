import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { requireSetting } from "@/lib/config";
import { connectClient, destroy, requirePrimary } from "@/lib/db/connections";
import { logAway } from "@/lib/db/outage-log";
import { processSingleton } from "@/lib/process-singleton";
import { shutdownRequested } from "@/lib/shutdown";

const QUERY_TIMEOUT_MS = 2_000;

/** Repeats a query on a separate connection, so that it does not wait for other queries. */
class Probe<Row extends pg.QueryResultRow> {
  #client: pg.Client | undefined;
  #asking: Promise<{ row: Row; ms: number } | null> | undefined;

  constructor(
    private readonly setting: "DATABASE_URL" | "AUDIT_DATABASE_URL",
    private readonly question: string,
    /** The dependency that is unavailable if there is no answer, for the log; null if that is not an outage. */
    private readonly dependency: "the monitoring database" | "the audit database" | null,
  ) {}

  /** The result and the milliseconds until it came, or null if there is none within `QUERY_TIMEOUT_MS`. Concurrent callers share a query. */
  ask(): Promise<{ row: Row; ms: number } | null> {
    const begun = performance.now();
    this.#asking ??= this.#ask()
      .then((row) => row && { row, ms: Math.round(performance.now() - begun) })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  async #ask(): Promise<Row | null> {
    const over = new AbortController();
    const late = delay(QUERY_TIMEOUT_MS, undefined, { signal: over.signal, ref: false }).then(() => {
      throw new Error(`no answer within ${QUERY_TIMEOUT_MS} ms`);
    });
    try {
      return await Promise.race([this.#query(over.signal), late]);
    } catch (error) {
      if (this.dependency !== null) logAway(this.dependency, { err: error });
      this.#drop();
      return null;
    } finally {
      over.abort();
    }
  }

  /** The kept connection may have broken during a restart of the database, so a new connection is tried as well. */
  async #query(over: AbortSignal): Promise<Row | null> {
    if (this.#client) {
      try {
        return await this.#answer(this.#client);
      } catch {
        this.#drop();
      }
    }
    const client = await connectClient(requireSetting(this.setting), "health");
    if (over.aborted) {
      destroy(client);
      return null;
    }
    this.#client = client;
    await requirePrimary(client);
    return this.#answer(client);
  }

  async #answer(client: pg.Client): Promise<Row | null> {
    const { rows } = await client.query<Row>(this.question);
    return rows[0] ?? null;
  }

  #drop(): void {
    if (this.#client) destroy(this.#client);
    this.#client = undefined;
  }
}

const monitoring = () =>
  processSingleton("db.readiness.app", () => {
    const delayed = "SELECT FROM audit_outbox WHERE complete AND created_at < now() - interval '1 minute'";
    const question = `SELECT EXISTS (${delayed}) AS is_delayed`;
    return new Probe<{ is_delayed: boolean }>("DATABASE_URL", question, "the monitoring database");
  });
const audit = () =>
  processSingleton(
    "db.readiness.audit",
    () => new Probe<object>("AUDIT_DATABASE_URL", "SELECT 1", "the audit database"),
  );
/**
 * SQL: how many `logs` have sealed entries that are not signed yet, and for how many seconds the oldest of these are sealed (`age`). Reads
 * the thousand logs that have not grown for the longest, and none whose signing is refused, which is reported by itself.
 */
export const UNSIGNED_LOGS = `SELECT count(*)::integer AS logs,
    coalesce(extract(epoch FROM now() - min(seal.sealed_at)), 0)::float8 AS age
  FROM (
    SELECT organization_id, epoch, signed_size FROM audit_seal_logs
    WHERE size > signed_size AND refused IS NULL ORDER BY sealed_at LIMIT 1000
  ) AS log LEFT JOIN LATERAL (
    SELECT sealed_at FROM audit_seals s
    WHERE s.organization_id = log.organization_id AND s.epoch = log.epoch AND s.first_index >= log.signed_size
    ORDER BY s.first_index LIMIT 1
  ) AS seal ON true`;
/** Apart from whether the database answers, because what waits to be sealed may be much. Being late is then no outage of it. */
const sealedLogs = () =>
  processSingleton("db.readiness.sealed-logs", () => {
    const refused = ["audit_seal_installation", "audit_seal_logs"].map(
      (table) => `EXISTS (SELECT FROM ${table} WHERE refused IS NOT NULL)`,
    );
    return new Probe<SealedLogRow>(
      "AUDIT_DATABASE_URL",
      `SELECT ${refused.join(" OR ")} AS is_refused,
         (SELECT count(*)::integer FROM audit_seal_checks WHERE first_wrong_index IS NOT NULL) AS faulty,
         (SELECT coalesce(extract(epoch FROM now() - min(queued_at)), 0)::float8 FROM audit_seal_queue) AS age,
         (SELECT age FROM (${UNSIGNED_LOGS}) AS unsigned) AS unsigned_age`,
      null,
    );
  });

/** An event that waits longer than this many seconds to be sealed, or then to be signed, is late. */
const LATE_SECONDS = 60;

interface SealedLogRow {
  is_refused: boolean;
  faulty: number;
  age: number;
  unsigned_age: number;
}

/** The sealed logs of the installation; nothing of them makes a process less ready. */
interface SealedLogState {
  /** `refused`: the log of the installation or of an organization is not signed; `faulty`: a self-check found a change; `behind`: an event has waited for more than a minute to be sealed or signed. */
  status: "ok" | "refused" | "faulty" | "behind" | "unavailable";
  /** Number of logs that are not what was sealed; null if it is not known. */
  faulty_logs: number | null;
  /** Seconds that the oldest event has waited to be sealed; 0 if none waits, null if it is not known. */
  oldest_age_seconds: number | null;
}

function sealedLogState(row: SealedLogRow | undefined): SealedLogState {
  if (row === undefined) return { status: "unavailable", faulty_logs: null, oldest_age_seconds: null };
  const { is_refused, faulty, age, unsigned_age } = row;
  const isBehind = Math.max(age, unsigned_age) > LATE_SECONDS;
  const troubles = [is_refused && "refused", faulty > 0 && "faulty", isBehind && "behind"] as const;
  const status = troubles.find((trouble) => trouble !== false) ?? "ok";
  return { status, faulty_logs: faulty, oldest_age_seconds: Math.max(0, Math.round(age)) };
}

interface Readiness {
  status: "ok" | "unavailable" | "stopping";
  checks: {
    database: "ok" | "unavailable";
    audit_database: "ok" | "unavailable";
    /** The outbox, where events wait while the audit database is unavailable: `delayed` if any has waited for more than a minute. */
    outbox: "ok" | "delayed" | "unavailable";
  };
  /** How long each database took to answer, in milliseconds; null if it did not. */
  responseMs: { database: number | null; audit_database: number | null };
  sealedLog: SealedLogState;
}

/**
 * Whether this process can serve requests; takes at most 2 s. It can without the audit database: events wait in the outbox, and only
 * requests that read the audit log are refused. A process that is shutting down is not ready.
 */
export async function readiness(): Promise<Readiness> {
  const [app, log, sealed] = await Promise.all([monitoring().ask(), audit().ask(), sealedLogs().ask()]);
  const database = app === null ? "unavailable" : "ok";
  return {
    status: shutdownRequested().aborted ? "stopping" : database,
    checks: {
      database,
      audit_database: log === null ? "unavailable" : "ok",
      outbox: app === null ? "unavailable" : app.row.is_delayed ? "delayed" : "ok",
    },
    responseMs: { database: app?.ms ?? null, audit_database: log?.ms ?? null },
    sealedLog: sealedLogState(sealed?.row),
  };
}
