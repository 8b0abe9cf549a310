import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { connectClient } from "@/lib/db/connections";
import { log } from "@/lib/log";
import { Refusal } from "@/server/refusal";

/** The lock that Prisma's own migration engine takes, so that it and this runner exclude each other. */
const MIGRATION_LOCK = 72707369;

// As Prisma's engine creates it, so that `prisma migrate deploy` finds its own table.
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
export type AppliedMigration = { migration_name: string; checksum: string; finished_at: Date | null };

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

/** What is left to apply. Throws Refusal when what was applied is not what the folder holds. */
export function pendingMigrations(known: Migration[], applied: AppliedMigration[]): Migration[] {
  for (const { migration_name: name, checksum, finished_at } of applied) {
    if (!finished_at) {
      throw new Refusal(
        `Migration ${name} was begun and never finished. Settle it with \`prisma migrate resolve\`, then start again.`,
      );
    }
    const migration = known.find((candidate) => candidate.name === name);
    if (migration && migration.checksum !== checksum) {
      throw new Refusal(
        `Migration ${name} was changed after it had been applied. Restore the file, and make the change in a new migration.`,
      );
    }
  }
  return known.filter(({ name }) => !applied.some(({ migration_name }) => migration_name === name));
}

async function apply(client: pg.Client, { name, checksum, sql }: Migration): Promise<void> {
  const startedAt = new Date();
  await client.query("BEGIN");
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at, applied_steps_count)
       VALUES ($1, $2, clock_timestamp(), $3, $4, 1)`,
      [randomUUID(), checksum, name, startedAt],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw new Error(`Migration ${name} failed and was rolled back: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** Brings the database at `url` up to the folder's last migration; waits while somebody else does. Throws Refusal. */
export async function migrate(url: string, folder: string): Promise<void> {
  const known = readMigrations(folder);
  const client = await connectClient(url, "migration");
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query("SET client_min_messages = warning");
    await client.query(HISTORY_TABLE);
    const { rows } = await client.query<AppliedMigration>(
      "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
    );
    // A newer release may run beside this one during a roll-out; its migrations keep older releases working.
    const unknown = rows.filter(({ migration_name }) => !known.some(({ name }) => name === migration_name));
    if (unknown.length > 0)
      log.warn(
        { folder, unknown: unknown.map((row) => row.migration_name) },
        "the database is newer than this release",
      );
    for (const migration of pendingMigrations(known, rows)) {
      await apply(client, migration);
      log.info({ folder, migration: migration.name }, "migration applied");
    }
  } finally {
    await client.end();
  }
}
