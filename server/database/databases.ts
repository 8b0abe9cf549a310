import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { createPartitions } from "@/lib/audit-logs/partitions/partitions";
import { config, configure, requireSetting } from "@/lib/config";
import { connectClient } from "@/lib/db/connections";
import { log } from "@/lib/log";
import { loadSecrets, prepareDataDir } from "@/server/data-dir";
import { auditPrivileges, grantToWeb } from "@/server/database/audit-privileges";
import { MIGRATION_LOCK, migrate } from "@/server/database/migrate";
import { sharesSessions } from "@/server/database/pooler";
import { type EmbeddedPostgres, ensurePostgres } from "@/server/embedded/postgres";
import { INTERRUPTED_EXIT_CODE, onStopRequest } from "@/server/start/stop-requests";
import { Refusal } from "@/server/web/refusal";

const MIN_VERSION = 15;
/** How long to wait for a database that starts at the same time as Sealwatch. */
const LOCK_TIMEOUT_MS = 10_000;
const COMING_UP = ["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "57P03"];

async function assertUsable(name: string, url: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const where = `${name}: the database ${decodeURIComponent(pathname.slice(1))} at ${hostname}:${port || 5432}`;
  const giveUp = Date.now() + LOCK_TIMEOUT_MS;
  for (let attempt = 0; ; attempt++) {
    let client: pg.Client | undefined;
    try {
      client = await connectClient(url, "migration");
      const { rows } = await client.query<{ server_version_num: string }>("SHOW server_version_num");
      const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
      if (version < MIN_VERSION)
        throw new Refusal(`${where} is PostgreSQL ${version}; Sealwatch needs ${MIN_VERSION} or newer.`);
      if (await sharesSessions(url, client))
        throw new Refusal(
          `${where} is reached through a connection pooler that lends sessions by transaction or statement. Sealwatch keeps locks and time limits in its sessions: set the pooler to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL directly.`,
        );
      return;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const { code = "", message } = error as NodeJS.ErrnoException;
      if (!COMING_UP.includes(code) || Date.now() > giveUp)
        throw new Refusal(`${where} cannot be used: ${message || code}.`);
      if (attempt === 0)
        console.error(`${where} does not answer yet (${code}); retrying for ${LOCK_TIMEOUT_MS / 1000} s…`);
    } finally {
      await client?.end().catch(() => {});
    }
    await delay(500);
  }
}

/**
 * Applies pending migrations to both databases, whose URLs must be configured. `isServed`: a running server maintains their
 * partitions and privileges. `isRestored`: this is the end of a restore. Throws Refusal.
 */
export async function migrateDatabases({ isServed = false, isRestored = false } = {}): Promise<void> {
  const { AUDIT_MAINTENANCE_DATABASE_URL: owner } = config();
  const web = requireSetting("AUDIT_DATABASE_URL");
  await migrate(requireSetting("DATABASE_URL"), "prisma/app/migrations", { isRestored });
  await migrate(owner ?? web, "prisma/audit/migrations", {
    isRestored,
    isServed,
    finish: async (client) => {
      // Before the first request: web processes need partitions and cannot create them.
      await createPartitions(client).catch((error: unknown) =>
        log.warn({ err: error }, "audit partitions could not be created; the worker will try again"),
      );
      if (owner !== undefined) await admitWeb(client, web);
    },
  });
}

/** Lets the role of AUDIT_DATABASE_URL read and append. `owner` holds the migration lock. Throws Refusal. */
async function admitWeb(owner: pg.Client, url: string): Promise<void> {
  const { rows } = await owner.query<{ role: string; pid: number }>(
    "SELECT current_user AS role, pg_backend_pid() AS pid",
  );
  const [own] = rows;
  const client = await connectClient(url, "migration");
  try {
    // Different URLs may lead to the same server. Only the owner's server shows the lock of its session.
    const { rows: seen } = await client.query<{ role: string; beside: boolean }>(
      `SELECT current_user AS role, EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
         WHERE datname = current_database() AND locktype = 'advisory' AND objid = $1 AND pid = $2) AS beside`,
      [MIGRATION_LOCK, own?.pid],
    );
    const [other] = seen;
    if (!other?.beside)
      throw new Refusal("AUDIT_DATABASE_URL and AUDIT_MAINTENANCE_DATABASE_URL must lead to the same database.");
    if (other.role !== own?.role) await grantToWeb(owner, other.role);
  } finally {
    await client.end();
  }
}

/** Logs one warning if web processes could change recorded events. */
export async function warnOfAuditPrivileges(): Promise<void> {
  const client = await connectClient(requireSetting("AUDIT_DATABASE_URL"), "migration");
  try {
    const { role, excess } = await auditPrivileges(client);
    if (excess.length === 0) return;
    log.warn(
      { role, may: excess },
      "the role of AUDIT_DATABASE_URL may change or delete audit events: give web processes one that may only INSERT and SELECT, and its owner's URL as AUDIT_MAINTENANCE_DATABASE_URL (docs/operations/production.md, Roles of the audit database)",
    );
  } finally {
    await client.end();
  }
}

/**
 * Waits until both databases answer, and adds their URLs to the configuration. Returns a lease of the embedded PostgreSQL, or
 * undefined if the URLs are settings. Throws Refusal, or the reason of `signal`, which ends the wait for the embedded PostgreSQL.
 */
export async function openDatabases(signal?: AbortSignal): Promise<EmbeddedPostgres | undefined> {
  const settings = config();
  const { DATA_DIR, DATABASE_URL, AUDIT_DATABASE_URL } = settings;
  if (DATABASE_URL && AUDIT_DATABASE_URL) {
    for (const name of ["DATABASE_URL", "AUDIT_DATABASE_URL", "AUDIT_MAINTENANCE_DATABASE_URL"] as const) {
      const url = settings[name];
      if (url !== undefined) await assertUsable(name, url);
    }
    return undefined;
  }
  prepareDataDir(DATA_DIR);
  const postgres = await ensurePostgres(DATA_DIR, loadSecrets(DATA_DIR).database_password, {
    ...(signal && { signal }),
  });
  configure(postgres.urls);
  return postgres;
}

/** Runs `work` with both databases up and migrated, as `withOpenDatabases` does. Throws Refusal. */
export function withDatabases<T>(work: () => Promise<T>): Promise<T> {
  return withOpenDatabases(async (postgres) => {
    await migrateDatabases({ isServed: postgres?.isServed ?? false });
    return work();
  });
}

/**
 * Runs `work` with both databases up as they are, with or without a running server, and with the embedded PostgreSQL if they are there.
 * `work` must close every connection that it opened. Throws Refusal.
 */
export async function withOpenDatabases<T>(work: (postgres: EmbeddedPostgres | undefined) => Promise<T>): Promise<T> {
  const postgres = await openDatabases();
  const exit = () => process.exit(INTERRUPTED_EXIT_CODE);
  const { off } = onStopRequest(() => void Promise.resolve(postgres?.release()).finally(exit), exit);
  try {
    return await work(postgres);
  } finally {
    off();
    await postgres?.release();
  }
}
