import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { config, configure } from "@/lib/config";
import { connectClient } from "@/lib/db/connections";
import { loadSecrets, prepareDataDir } from "@/server/data-dir";
import { type EmbeddedPostgres, ensurePostgres } from "@/server/embedded/postgres";
import { migrate } from "@/server/migrate";
import { Refusal } from "@/server/refusal";

const LEAST_VERSION = 15;
/** A database that is started together with us may take this long. */
const PATIENCE_MS = 10_000;
const COMING_UP = ["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "57P03"];

async function assertUsable(name: string, url: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const where = `${name}: the database ${decodeURIComponent(pathname.slice(1))} at ${hostname}:${port || 5432}`;
  const giveUp = Date.now() + PATIENCE_MS;
  for (let attempt = 0; ; attempt++) {
    let client: pg.Client | undefined;
    try {
      client = await connectClient(url, "migration");
      const { rows } = await client.query<{ server_version_num: string }>("SHOW server_version_num");
      const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
      if (version < LEAST_VERSION)
        throw new Refusal(`${where} is PostgreSQL ${version}; Sealwatch needs ${LEAST_VERSION} or newer.`);
      return;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const { code = "", message } = error as NodeJS.ErrnoException;
      if (!COMING_UP.includes(code) || Date.now() > giveUp)
        throw new Refusal(`${where} cannot be used: ${message || code}.`);
      if (attempt === 0) console.error(`${where} does not answer yet (${code}); trying for ${PATIENCE_MS / 1000} s…`);
    } finally {
      await client?.end().catch(() => {});
    }
    await delay(500);
  }
}

/** Applies what is missing to both databases, once their URLs are configured. Throws Refusal. */
export async function migrateDatabases(): Promise<void> {
  const { DATABASE_URL, AUDIT_DATABASE_URL } = config();
  if (!DATABASE_URL || !AUDIT_DATABASE_URL) throw new Error("migrating before the databases are known");
  await migrate(DATABASE_URL, "prisma/app/migrations");
  await migrate(AUDIT_DATABASE_URL, "prisma/audit/migrations");
}

/**
 * Sees to it that the two databases answer, and puts their URLs into the configuration. Returns our stake in the embedded
 * PostgreSQL, or undefined when the URLs were set from outside. Throws Refusal.
 */
export async function openDatabases(): Promise<EmbeddedPostgres | undefined> {
  const { DATA_DIR, DATABASE_URL, AUDIT_DATABASE_URL } = config();
  if (DATABASE_URL && AUDIT_DATABASE_URL) {
    await assertUsable("DATABASE_URL", DATABASE_URL);
    await assertUsable("AUDIT_DATABASE_URL", AUDIT_DATABASE_URL);
    return undefined;
  }
  prepareDataDir(DATA_DIR);
  const postgres = await ensurePostgres(DATA_DIR, loadSecrets(DATA_DIR).database_password);
  configure({ DATABASE_URL: postgres.appUrl, AUDIT_DATABASE_URL: postgres.auditUrl });
  return postgres;
}

/**
 * Does `work` with both databases up and migrated: beside a running server, or alone. Whatever `work` opened must be
 * closed when it settles. Throws Refusal.
 */
export async function withDatabases<T>(work: () => Promise<T>): Promise<T> {
  const postgres = await openDatabases();
  const interrupt = () => void postgres?.release().finally(() => process.exit(130));
  if (postgres) for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupt);
  try {
    await migrateDatabases();
    return await work();
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
    await postgres?.release();
  }
}
