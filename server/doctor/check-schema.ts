import type pg from "pg";
import { assertRestored, pendingMigrations, readMigrations } from "@/server/database/migrate";
import { type Finding, failed, ok, reasonOf, warning } from "@/server/doctor/check";
import { isRefusal } from "@/server/web/refusal";

const EXTENSIONS = ["btree_gin", "pg_trgm"];
/** What PostgreSQL says of a table that does not exist. */
export const NO_TABLE = "42P01";

interface Applied {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** The migrations of a database; null if it never had any. */
async function readApplied(client: pg.Client): Promise<Applied[] | null> {
  try {
    const { rows } = await client.query<Applied>(
      "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
    );
    return rows;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== NO_TABLE) throw error;
    return null;
  }
}

/** Whether the database has any migration of a folder. Without one, what else it lacks follows from that. */
export async function hasMigrations(folder: string, client: pg.Client): Promise<boolean> {
  const names = new Set(readMigrations(folder).map(({ name }) => name));
  return ((await readApplied(client)) ?? []).some(({ migration_name }) => names.has(migration_name));
}

/** Whether the database has the migrations of this release. */
export async function checkMigrations(check: string, folder: string, client: pg.Client): Promise<Finding[]> {
  const known = readMigrations(folder);
  const todo = "Run `npm start -- --migrate-only`, or start Sealwatch.";
  const applied = await readApplied(client);
  if (applied === null) return [failed(check, `none of the ${known.length} migrations was applied`, todo)];
  try {
    await assertRestored(client);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [failed(check, error.message, "See docs/operations/backup-and-restore.md, Restore.")];
  }
  if (applied.length > 0 && !(await hasMigrations(folder, client)))
    return [
      failed(
        check,
        `none of the ${known.length} migrations was applied, but ${applied.length} of another kind of database`,
        "Correct the URL: DATABASE_URL is for the monitoring database, and the AUDIT_ URLs are for the audit database.",
      ),
    ];
  let pending: { name: string }[];
  try {
    pending = pendingMigrations(known, applied);
  } catch (error) {
    return [failed(check, reasonOf(error), "See docs/operations/upgrade.md.")];
  }
  const [first] = pending;
  if (first !== undefined)
    return [failed(check, `${pending.length} of ${known.length} are missing, the first is ${first.name}`, todo)];
  const newer = applied.filter(({ migration_name }) => !known.some(({ name }) => name === migration_name));
  if (newer.length > 0)
    return [
      warning(
        check,
        `the database has ${newer.length} migrations that this release does not know`,
        "Use the newer release on all machines, unless a rollout or rollback is in progress.",
      ),
    ];
  return [ok(check, `all ${known.length} were applied`)];
}

/** Whether the trusted extensions of the audit database are there. */
export async function checkExtensions(check: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) AS name WHERE name NOT IN (SELECT extname FROM pg_extension)",
    [EXTENSIONS],
  );
  if (rows.length === 0) return [ok(check, EXTENSIONS.join(", "))];
  const names = rows.map(({ name }) => name);
  return [
    failed(
      check,
      `${names.join(", ")} missing`,
      `As the owner of the database, run: ${names.map((name) => `CREATE EXTENSION ${name};`).join(" ")}`,
    ),
  ];
}

/** Whether all indexes can be used. `job` completes those that are not. */
export async function checkIndexes(check: string, job: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class c ON c.oid = indexrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE NOT indisvalid AND nspname IN ('public', 'partitions') ORDER BY 1 LIMIT 5`,
  );
  if (rows.length === 0) return [ok(check, "all are valid")];
  return [
    warning(
      check,
      `not complete: ${rows.map(({ name }) => name).join(", ")}`,
      `Let the worker run: its job ${job} completes them. Then run doctor again.`,
    ),
  ];
}

/** Whether today's events have a partition. */
export async function checkTodaysPartition(check: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('partitions') AND relkind IN ('r', 'p')
       AND relname LIKE 'audit_events%' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')) AS found`,
  );
  if (rows[0]?.found) return [ok(check, "today's events have a partition")];
  return [
    failed(
      check,
      "today's events have no partition, so they wait in the outbox",
      "Start the worker, which creates partitions a week ahead.",
    ),
  ];
}
