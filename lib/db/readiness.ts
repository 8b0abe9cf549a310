import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { requireSetting } from "@/lib/config";
import { connectClient, destroy } from "@/lib/db/connections";
import { logAway } from "@/lib/db/outage-log";
import { processSingleton } from "@/lib/process-singleton";
import { shutdownRequested } from "@/lib/shutdown";

const ANSWER_MS = 2_000;

/** Asks a database the same question again and again, over a connection of its own: nobody else's queries are in front of it. */
class Probe<Row extends pg.QueryResultRow> {
  #client: pg.Client | undefined;
  #asking: Promise<Row | null> | undefined;

  constructor(
    private readonly setting: "DATABASE_URL" | "AUDIT_DATABASE_URL",
    private readonly question: string,
  ) {}

  /** The answer, or null where none comes within `ANSWER_MS`. Those who ask at once share one. */
  ask(): Promise<Row | null> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<Row | null> {
    const over = new AbortController();
    const late = delay(ANSWER_MS, undefined, { signal: over.signal, ref: false }).then(() => {
      throw new Error(`no answer within ${ANSWER_MS} ms`);
    });
    try {
      return await Promise.race([this.#query(over.signal), late]);
    } catch (error) {
      logAway(this.setting === "DATABASE_URL" ? "the monitoring database" : "the audit database", { err: error });
      this.#drop();
      return null;
    } finally {
      over.abort();
    }
  }

  /** A kept connection may have broken while the database was restarted, so that a new one is tried as well. */
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
    return new Probe<{ is_delayed: boolean }>("DATABASE_URL", `SELECT EXISTS (${delayed}) AS is_delayed`);
  });
const audit = () => processSingleton("db.readiness.audit", () => new Probe("AUDIT_DATABASE_URL", "SELECT 1"));

interface Readiness {
  status: "ok" | "unavailable" | "stopping";
  checks: {
    database: "ok" | "unavailable";
    audit_database: "ok" | "unavailable";
    /** Where events wait while the audit database is away: `delayed` when some have waited for more than a minute. */
    outbox: "ok" | "delayed" | "unavailable";
  };
}

/**
 * Whether this process can do its work, within 2 s. Without the audit database it can: events wait in the outbox, and only what reads
 * the audit log is refused. A process that was asked to stop is not ready.
 */
export async function readiness(): Promise<Readiness> {
  const [app, log] = await Promise.all([monitoring().ask(), audit().ask()]);
  const database = app === null ? "unavailable" : "ok";
  return {
    status: shutdownRequested().aborted ? "stopping" : database,
    checks: {
      database,
      audit_database: log === null ? "unavailable" : "ok",
      outbox: app === null ? "unavailable" : app.is_delayed ? "delayed" : "ok",
    },
  };
}
