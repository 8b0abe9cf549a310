import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type pg from "pg";
import { connectClient } from "@/lib/db/connections";
import {
  columnsOf,
  listBranches,
  listMigrations,
  listSequences,
  listTables,
  pathOf,
  readHeads,
  SAME_TEXTS,
  type Table,
} from "@/server/backup/catalogue";
import { rowsOf } from "@/server/backup/copy-rows";
import { databaseUrl, migrationsFolder } from "@/server/backup/databases";
import {
  type BackedUpDatabase,
  type BackedUpTable,
  DATABASES,
  type DatabaseName,
  FORMAT_VERSION,
  MANIFEST,
  type Manifest,
  readManifest,
  type SealedLogHeads,
} from "@/server/backup/manifest";
import { verifyRows, writeRows } from "@/server/backup/row-files";
import { CliError } from "@/server/cli-error";
import { syncFolder } from "@/server/data-dir";
import { readMigrations } from "@/server/database/migrate";
import { buildInfo } from "@/server/metrics/build-info";

/** Another session dropped a table before it was locked. */
const UNDEFINED_TABLE = "42P01";
const ATTEMPTS = 5;
/** What fails if a disk is full or broken. */
const WRITING = ["write", "open", "fsync", "rename"];
/** Tables per statement. */
const LOCK_BATCH_SIZE = 500;
/** Attempts to remove a draft in which files still appear. */
const MAX_REMOVALS = 20;

/**
 * Writes both databases to a new folder while Sealwatch runs: first the monitoring database, so that every change in it has its event.
 * The folder appears when everything in it has been read back. Throws CliError.
 */
export async function createBackup(folder: string): Promise<Manifest> {
  if (existsSync(folder)) throw new CliError(`${folder} exists already. Name a folder that does not exist.`);
  const draft = `${folder}.incomplete`;
  try {
    mkdirSync(draft, { mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") throw new CliError(`The backup cannot be written: ${message}.`);
    throw new CliError(`${draft} was left by an interrupted backup. Delete it, unless another backup is running.`);
  }
  const remove = () => removeDraft(draft);
  process.once("exit", remove);
  try {
    const manifest = await writeBackup(draft);
    renameSync(draft, folder);
    syncFolder(dirname(folder));
    return manifest;
  } catch (error) {
    // As when the disk is full.
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== undefined && WRITING.includes(syscall))
      throw new CliError(`The backup could not be written: ${message}.`);
    throw error;
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Removes a draft, also while threads of this process still open files in it, as after Ctrl-C: these would make one attempt fail. */
function removeDraft(draft: string): void {
  for (let left = MAX_REMOVALS; ; left--) {
    try {
      rmSync(draft, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY" || left === 0) throw error;
    }
  }
}

async function writeBackup(draft: string): Promise<Manifest> {
  const begun = new Date();
  let heads: SealedLogHeads = { checkpoint: null, heads: {} };
  const databases: Partial<Record<DatabaseName, BackedUpDatabase>> = {};
  for (const name of DATABASES) {
    mkdirSync(join(draft, name), { mode: 0o700 });
    databases[name] = await withSnapshot(databaseUrl(name), async (client, tables) => {
      if (name === "audit") heads = await readHeads(client);
      return writeDatabase(client, tables, draft, name);
    });
  }
  const { monitoring, audit } = databases;
  if (monitoring === undefined || audit === undefined) throw new Error("a database was not backed up");
  await assertNotMigrated({ monitoring, audit });
  const manifest: Manifest = {
    format: FORMAT_VERSION,
    id: randomUUID(),
    version: buildInfo().version,
    begun_at: begun.toISOString(),
    ended_at: new Date().toISOString(),
    databases: { monitoring, audit },
    sealed_log: heads,
  };
  writeFileSync(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });
  for (const name of [...DATABASES, "."]) syncFolder(join(draft, name));
  await verifyFiles(draft, readManifest(draft));
  return manifest;
}

/** Reads every file of a backup to its end. Throws CliError if one is not what the manifest says. */
export async function verifyFiles(folder: string, { databases }: Manifest): Promise<void> {
  for (const name of DATABASES) for (const table of databases[name].tables) await verifyRows(folder, table);
}

/**
 * Runs `work` in a transaction that sees one moment, with all tables that have rows. Each is locked against being dropped or changed,
 * which no reader and no writer waits for.
 */
async function withSnapshot<Result>(
  url: string,
  work: (client: pg.Client, tables: readonly Table[]) => Promise<Result>,
): Promise<Result> {
  const client = await connectClient(url, "export");
  try {
    // Between two tables, a large file is made durable, which may take minutes on a slow disk.
    await client.query(`${SAME_TEXTS}; SET idle_in_transaction_session_timeout = 0`);
    for (let attempt = 1; ; attempt++) {
      try {
        const before = await listTables(client);
        await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        // A lock takes no snapshot yet, so that nothing can be dropped between both.
        await lockTables(client, before);
        const tables = await listTables(client);
        await lockTables(client, tables);
        const result = await work(client, tables);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        if ((error as { code?: unknown }).code !== UNDEFINED_TABLE || attempt === ATTEMPTS) throw error;
        await client.query("ROLLBACK");
      }
    }
  } finally {
    await client.end().catch(() => {});
  }
}

async function lockTables(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (let at = 0; at < tables.length; at += LOCK_BATCH_SIZE) {
    const names = tables.slice(at, at + LOCK_BATCH_SIZE).map(pathOf);
    await client.query(`LOCK TABLE ONLY ${names.join(", ONLY ")} IN ACCESS SHARE MODE`);
  }
}

async function writeDatabase(
  client: pg.Client,
  tables: readonly Table[],
  draft: string,
  database: DatabaseName,
): Promise<BackedUpDatabase> {
  const { rows } = await client.query<{ server_version: string; snapshot_at: Date }>(
    "SELECT current_setting('server_version') AS server_version, now() AS snapshot_at",
  );
  const [about] = rows;
  const migrations = await listMigrations(client);
  if (about === undefined || migrations === null)
    throw new CliError(`The ${database} database is empty: there is nothing to back up.`);
  assertKnown(database, migrations);
  const written: BackedUpTable[] = [];
  for (const table of tables) written.push(await writeTable(client, table, draft, database));
  return {
    server_version: about.server_version,
    snapshot_at: about.snapshot_at.toISOString(),
    migrations,
    branches: await listBranches(client),
    tables: written,
    sequences: await listSequences(client),
  };
}

async function writeTable(
  client: pg.Client,
  table: Table,
  draft: string,
  database: DatabaseName,
): Promise<BackedUpTable> {
  const copied = rowsOf(client, `COPY ${pathOf(table)} (${columnsOf(table)}) TO STDOUT`);
  const first = await copied.next();
  if (first.done) return { ...table, file: null, rows: 0, bytes: 0, sha256: null };
  let rows = 0;
  async function* all(): AsyncGenerator<Buffer> {
    if (first.value instanceof Buffer) yield first.value;
    rows = yield* copied;
  }
  const file = `${database}/${table.schema}.${table.name}.copy.gz`;
  const { bytes, sha256 } = await writeRows(join(draft, file), all());
  return { ...table, file, rows, bytes, sha256 };
}

/** A database that is newer than this release may have what this release does not see. Throws CliError. */
function assertKnown(database: DatabaseName, migrations: BackedUpDatabase["migrations"]): void {
  const known = readMigrations(migrationsFolder(database)).map(({ name }) => name);
  const unknown = migrations.find(({ name }) => !known.includes(name));
  if (unknown)
    throw new CliError(
      `The ${database} database is newer than this release: it has the migration ${unknown.name}. Back it up with that release.`,
    );
}

/** The definitions of tables follow no snapshot. Throws CliError if a release was installed meanwhile. */
async function assertNotMigrated(databases: Manifest["databases"]): Promise<void> {
  for (const name of DATABASES) {
    const client = await connectClient(databaseUrl(name), "job");
    try {
      const now = await listMigrations(client);
      if (JSON.stringify(now) !== JSON.stringify(databases[name].migrations))
        throw new CliError(`The ${name} database was migrated during the backup. Run it again.`);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
