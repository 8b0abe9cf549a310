import pg from "pg";
import { beginEpoch } from "@/lib/audit-logs/sign/new-epoch";
import { send } from "@/lib/db/app";
import { connectClient } from "@/lib/db/connections";
import { columnsOf, findContent, listTables, pathOf, readHeads, SAME_TEXTS } from "@/server/backup/catalogue";
import { copyIn } from "@/server/backup/copy-in";
import { databaseUrl, migrationsFolder } from "@/server/backup/databases";
import {
  type BackedUpDatabase,
  type BackedUpTable,
  DATABASES,
  type DatabaseName,
  type Manifest,
} from "@/server/backup/manifest";
import { assertRoomForLocks } from "@/server/backup/room-for-locks";
import { readRows } from "@/server/backup/row-files";
import { CliError } from "@/server/cli-error";
import { closeDatabases } from "@/server/database/close-databases";
import { migrateDatabases } from "@/server/database/databases";
import {
  applyWithin,
  MIGRATION_LOCK,
  type Migration,
  markRestore,
  readMigrations,
  unmarkRestore,
} from "@/server/database/migrate";

/** The migrations that made the databases of the backup. Throws CliError if this release does not have one. */
export function migrationsOf(manifest: Manifest): Record<DatabaseName, Migration[]> {
  const of = (database: DatabaseName) => {
    const known = new Map(readMigrations(migrationsFolder(database)).map((each) => [each.name, each]));
    return manifest.databases[database].migrations.map(({ name, checksum }) => {
      const migration = known.get(name);
      if (migration === undefined || migration.checksum !== checksum)
        throw new CliError(
          `The backup is of release ${manifest.version}, whose migration ${name} of the ${database} database is not in this release. Restore it with release ${manifest.version} or a newer one.`,
        );
      return migration;
    });
  };
  return { monitoring: of("monitoring"), audit: of("audit") };
}

/**
 * Loads a verified backup into the empty databases of the configuration, each in one transaction, then applies this release's other
 * migrations and begins a new epoch of the sealed log. Returns the epoch. Throws CliError; `howToEmpty` is part of its message.
 */
export async function restoreBackup(folder: string, manifest: Manifest, howToEmpty: string): Promise<number> {
  const migrations = migrationsOf(manifest);
  const clients = new Map<DatabaseName, pg.Client>();
  try {
    for (const name of DATABASES) clients.set(name, await openEmpty(name, howToEmpty));
    for (const [name, client] of clients) await begin(client, name, manifest.databases[name], migrations[name]);
    // Before the first row, because rows may take hours.
    for (const [name, client] of clients) await assertRoomForLocks(client, name, manifest.databases[name].tables);
    for (const [name, client] of clients) await load(client, folder, manifest.databases[name]);
    const audit = clients.get("audit");
    if (audit) await assertSameHeads(audit, manifest);
    // A start refuses databases of which only one was committed.
    for (const client of clients.values()) await markRestore(client, manifest.id);
    for (const client of clients.values()) await client.query("COMMIT");
  } finally {
    // What is not committed is gone with the connections.
    for (const client of clients.values()) await client.end().catch(() => {});
  }
  return finish(manifest);
}

/** What makes an installation of the loaded rows. Ends all sessions. */
async function finish({ databases }: Manifest): Promise<number> {
  await migrateDatabases({ isRestored: true });
  const epoch = await beginEpoch(`Restored the backup of ${databases.audit.snapshot_at}`);
  // People may have signed out, or been removed, since the backup.
  await send({ text: "DELETE FROM sessions", values: [] });
  await closeDatabases();
  for (const name of DATABASES) {
    const client = await connectClient(databaseUrl(name), "migration");
    await unmarkRestore(client).finally(() => client.end().catch(() => {}));
  }
  return epoch;
}

/** Connects to a database that must be empty, and keeps others from migrating it. */
async function openEmpty(name: DatabaseName, howToEmpty: string): Promise<pg.Client> {
  const client = await connectClient(databaseUrl(name), "export");
  try {
    // The other database may take long meanwhile.
    await client.query(`${SAME_TEXTS}; SET idle_in_transaction_session_timeout = 0; SET client_min_messages = warning`);
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [
      MIGRATION_LOCK,
    ]);
    const content = await findContent(client);
    if (content !== null)
      throw new CliError(
        `The ${name} database ${client.database} is not empty: it has ${content}. ${howToEmpty} Nothing was changed.`,
      );
    if (!rows[0]?.taken)
      throw new CliError(`The ${name} database ${client.database} is being set up by another process.`);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Begins a transaction that makes the tables as they were, without partitions. */
async function begin(
  client: pg.Client,
  name: DatabaseName,
  database: BackedUpDatabase,
  migrations: readonly Migration[],
): Promise<void> {
  await client.query("BEGIN");
  for (const migration of migrations) await applyWithin(client, migration);
  for (const { schema, name: branch, of, bound, by } of database.branches)
    await client.query(
      `CREATE TABLE ${pathOf({ schema, name: branch })} PARTITION OF public.${pg.escapeIdentifier(of)} ${bound} PARTITION BY ${by}`,
    );
  await assertSameTables(client, name, database);
}

/** Fills the tables, and makes partitions. */
async function load(client: pg.Client, folder: string, database: BackedUpDatabase): Promise<void> {
  const { drop, create } = await constraintStatements(client);
  const made = database.tables.filter(({ partition }) => partition === null);
  const paths = made.map(pathOf);
  await client.query(
    [
      ...drop,
      ...paths.map((path) => `ALTER TABLE ${path} DISABLE TRIGGER USER`),
      // Some migrations insert rows.
      `TRUNCATE ${paths.join(", ")}`,
    ].join("; "),
  );
  for (const table of database.tables) await fill(client, folder, table);
  await client.query([...paths.map((path) => `ALTER TABLE ${path} ENABLE TRIGGER USER`), ...create].join("; "));
  for (const { schema, name: sequence, value, is_called } of database.sequences)
    await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [
      pathOf({ schema, name: sequence }),
      value,
      is_called,
    ]);
}

/** Partitions are filled before they are attached, because their indexes are then built at once. */
async function fill(client: pg.Client, folder: string, table: BackedUpTable): Promise<void> {
  const { partition } = table;
  const path = pathOf(table);
  const parent = partition && pathOf({ schema: partition.schema, name: partition.of });
  if (parent !== null) await client.query(`CREATE TABLE ${path} (LIKE ${parent} INCLUDING DEFAULTS)`);
  if (table.file !== null) {
    const rows = await copyIn(client, `COPY ${path} (${columnsOf(table)}) FROM STDIN`, readRows(folder, table));
    if (rows !== table.rows) throw new CliError(`${table.file} has ${rows} rows; the manifest says ${table.rows}.`);
  }
  if (parent !== null) await client.query(`ALTER TABLE ${parent} ATTACH PARTITION ${path} ${partition?.bound}`);
}

/** Tables refer to each other, and are filled in any order. */
async function constraintStatements(client: pg.Client): Promise<{ drop: string[]; create: string[] }> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`,
  );
  return {
    drop: rows.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
    create: rows.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
  };
}

/** The migrations must make every table of the backup with its columns; partitions have those of their tables. */
async function assertSameTables(client: pg.Client, name: DatabaseName, { tables }: BackedUpDatabase): Promise<void> {
  const shapeOf = (all: readonly Pick<BackedUpTable, "schema" | "name" | "columns" | "partition">[]) =>
    all
      .filter(({ partition }) => partition === null)
      .map((table) => `${pathOf(table)} (${[...table.columns].sort().join(", ")})`)
      .sort();
  const [made, wanted] = [shapeOf(await listTables(client)), shapeOf(tables)];
  const other = wanted.find((each) => !made.includes(each)) ?? made.find((each) => !wanted.includes(each));
  if (other !== undefined)
    throw new CliError(`The tables of the ${name} database are not those that its migrations make: ${other}.`);
}

async function assertSameHeads(client: pg.Client, { sealed_log }: Manifest): Promise<void> {
  if (JSON.stringify(await readHeads(client)) !== JSON.stringify(sealed_log))
    throw new CliError("The restored sealed log is not that of the manifest. Nothing was changed.");
}
