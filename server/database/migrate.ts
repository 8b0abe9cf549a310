import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { connectClient } from "@/lib/db/connections";
import { isLocked } from "@/lib/db/short-lock";
import { isUnavailable } from "@/lib/db/unavailable";
import { log } from "@/lib/log";
import { lockTables } from "@/server/database/lock-tables";
import { isRefusal, Refusal } from "@/server/web/refusal";

/** The advisory lock of Prisma's own migration engine, so that the engine and this runner exclude each other. */
export const MIGRATION_LOCK = 72707369;

/** How long to wait for the lock. Another process that starts holds it while it migrates. */
const LOCK_TIMEOUT_MS = 60_000;
/** A schema change that waits for a table's lock blocks everybody behind it, so it waits briefly and tries again. */
const TABLE_LOCK_TIMEOUT_MS = 2_000;
const TABLE_LOCK_ATTEMPTS = 20;
const RETRY_MS = 1_000;
/** Over a table that the migration's text does not name, such as one behind a foreign key (see lockTables). */
const DEADLOCK_DETECTED = "40P01";
const INSUFFICIENT_PRIVILEGE = "42501";

// The table that Prisma's engine creates, so that `prisma migrate deploy` finds it.
const HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

export type Migration = { name: string; checksum: string; sql: string };
type AppliedMigration = { migration_name: string; checksum: string; finished_at: Date | null };

/** The migrations of a folder in Prisma's layout (`<name>/migration.sql`), in the order of their names. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const bytes = readFileSync(join(folder, name, "migration.sql"));
      return { name, checksum: createHash("sha256").update(bytes).digest("hex"), sql: bytes.toString("utf8") };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The migrations to apply. Throws Refusal if an applied migration differs from its file or was not finished. */
export function pendingMigrations(known: Migration[], applied: AppliedMigration[]): Migration[] {
  for (const { migration_name: name, checksum, finished_at } of applied) {
    if (!finished_at) {
      throw new Refusal(
        `Migration ${name} was started but never finished. Settle it with \`prisma migrate resolve\`, then start again.`,
      );
    }
    const migration = known.find((candidate) => candidate.name === name);
    if (migration && migration.checksum !== checksum) {
      throw new Refusal(
        `Migration ${name} was changed after it was applied. Restore the file, and make the change in a new migration.`,
      );
    }
  }
  return known.filter(({ name }) => !applied.some(({ migration_name }) => migration_name === name));
}

/** Applies a migration in the client's transaction. */
export async function applyWithin(client: pg.Client, { name, checksum, sql }: Migration): Promise<void> {
  const startedAt = new Date();
  await client.query(HISTORY_TABLE);
  await client.query(sql);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
     VALUES ($1, $2, clock_timestamp(), $3, $4, 1)`,
    [randomUUID(), checksum, name, startedAt],
  );
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query("BEGIN");
    await lockTables(client, migration.sql);
    await applyWithin(client, migration);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Applies one migration; retries while other transactions use its tables, also after a deadlock with one. Throws Refusal. */
async function applyPatiently(client: pg.Client, migration: Migration): Promise<void> {
  const { name } = migration;
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (!isLocked(error) && code !== DEADLOCK_DETECTED)
        throw new Error(`Migration ${name} failed and was rolled back: ${message}`, { cause: error });
      if (attempt === TABLE_LOCK_ATTEMPTS)
        throw new Refusal(
          `Migration ${name} was abandoned after ${attempt} attempts, because a long transaction uses one of its tables (see pg_stat_activity). Nothing was changed. Start again after that transaction has ended.`,
        );
      log.warn({ migration: name, attempt }, "a migration waits for a table that other transactions use");
      await delay(RETRY_MS);
    }
  }
}

/** The session that holds the migration lock, by name: few roles may see its statement. */
const HOLDER = `SELECT pid, usename AS role, application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND datname = current_database()`;

async function takeLock(client: pg.Client, timeoutMs: number): Promise<void> {
  await client.query(`SET lock_timeout = ${timeoutMs}`);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  } catch (error) {
    if (!isLocked(error)) throw error;
    const { rows } = await client.query<{ pid: number; role: string; name: string }>(HOLDER, [MIGRATION_LOCK]);
    const [holder] = rows;
    const who = holder && `the session ${holder.pid} of ${holder.role} ("${holder.name}")`;
    throw new Refusal(
      `The database ${client.database} could not be migrated: ${who ?? "another session"} has held the migration lock for ${timeoutMs / 1000} s. If it belongs to a start in progress, wait for that start; otherwise end it with pg_terminate_backend.`,
    );
  }
  await client.query(`SET lock_timeout = ${TABLE_LOCK_TIMEOUT_MS}`);
}

/** Says in a database that a restore into it has begun, in the client's transaction. Until it is finished, nothing starts on it. */
export async function markRestore(client: pg.Client, backup: string): Promise<void> {
  await client.query(`COMMENT ON TABLE _prisma_migrations IS ${client.escapeLiteral(RESTORING + backup)}`);
}

export async function unmarkRestore(client: pg.Client): Promise<void> {
  await client.query("COMMENT ON TABLE _prisma_migrations IS NULL");
}

const RESTORING = "An unfinished restore of the backup ";

/** Throws Refusal for a database that a restore has left before it was finished. */
export async function assertRestored(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ comment: string | null }>(
    "SELECT obj_description('_prisma_migrations'::regclass, 'pg_class') AS comment",
  );
  if (rows[0]?.comment?.startsWith(RESTORING))
    throw new Refusal(
      `A restore into the database ${client.database} was not finished. Create both databases anew, and restore again.`,
    );
}

interface MigrateOptions {
  lockTimeoutMs?: number;
  /** Whether this is the end of a restore, before which nothing else starts. */
  isRestored?: boolean;
  /** Whether a running server has already done the work of `finish`; it then runs only after a migration was applied. */
  isServed?: boolean;
  /** Runs after the last migration, while the lock is still held. */
  finish?: (client: pg.Client) => Promise<void>;
}

/** Applies the folder's pending migrations to the database at `url`; waits while another process does so. Throws Refusal. */
export async function migrate(url: string, folder: string, options: MigrateOptions = {}): Promise<void> {
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, isRestored = false, isServed = false, finish } = options;
  const client = await connectClient(url, "migration");
  try {
    await takeLock(client, lockTimeoutMs);
    await client.query("SET client_min_messages = warning");
    await client.query(HISTORY_TABLE);
    if (!isRestored) await assertRestored(client);
    const applied = await applyMissing(client, folder);
    if (applied > 0 || !isServed) await finish?.(client);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === INSUFFICIENT_PRIVILEGE)
      throw new Refusal(
        `The role ${client.user} may not migrate the database ${client.database}: ${message}. Set DATABASE_URL, or AUDIT_MAINTENANCE_DATABASE_URL for the audit database, to its owner's URL.`,
      );
    if (isRefusal(error) || !isUnavailable(error)) throw error;
    throw new Refusal(
      `The database ${client.database} could not be migrated: ${message}. Start again when it is available.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the number of migrations that it applied. */
async function applyMissing(client: pg.Client, folder: string): Promise<number> {
  const known = readMigrations(folder);
  const { rows } = await client.query<AppliedMigration>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  // A newer release may run at the same time during a rollout; its migrations keep older releases working.
  const unknown = rows.filter(({ migration_name }) => !known.some(({ name }) => name === migration_name));
  if (unknown.length > 0)
    log.warn({ folder, unknown: unknown.map((row) => row.migration_name) }, "the database is newer than this release");
  const pending = pendingMigrations(known, rows);
  for (const migration of pending) {
    await applyPatiently(client, migration);
    log.info({ folder, migration: migration.name }, "migration applied");
  }
  return pending.length;
}
