import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Cluster } from "@/e2e/support/servers/cluster";
import { createPartitions } from "@/lib/audit-logs/partitions/partitions";

const DATABASES = ["app", "audit"] as const;
type Database = (typeof DATABASES)[number];

/** The rows of both databases of a cluster at one moment each, as files. */
export interface Dump {
  folder: string;
  tables: Record<Database, readonly string[]>;
}

const TABLES = `SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, to_regnamespace('partitions'))
    AND relname <> '_prisma_migrations' ORDER BY 1`;

/** Columns that are stored, not computed. */
const COLUMNS = `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`;

async function as<Result>(url: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const columnsOf = async (client: pg.Client, table: string) =>
  (await client.query<{ columns: string }>(COLUMNS, [table])).rows[0]?.columns ?? "";

/** Copies all rows: of the monitoring database first, as the documentation says. */
export async function dump(cluster: Cluster): Promise<Dump> {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-dump-"));
  // PostgreSQL's account writes the files.
  chmodSync(folder, 0o777);
  const tables: Record<Database, string[]> = { app: [], audit: [] };
  for (const database of DATABASES) {
    tables[database] = await as(cluster.superuserUrl(database), async (client) => {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
      const names = (await client.query<{ name: string }>(TABLES)).rows.map(({ name }) => name);
      for (const name of names) {
        const columns = await columnsOf(client, name);
        await client.query(`COPY ${name} (${columns}) TO '${folder}/${database}.${name}' (FORMAT binary)`);
      }
      await client.query("COMMIT");
      return names;
    });
  }
  return { folder, tables };
}

/** Replaces all rows of another, migrated cluster by those of a dump, which is deleted. It has the partitions that every start creates. */
export async function restore(cluster: Cluster, { folder, tables }: Dump): Promise<void> {
  // A day may have begun since the cluster was prepared.
  await as(cluster.url("audit"), createPartitions);
  for (const database of DATABASES) {
    await as(cluster.superuserUrl(database), async (client) => {
      // As pg_restore does: neither triggers nor foreign keys see the order of tables.
      await client.query("SET session_replication_role = replica");
      await client.query(`TRUNCATE ${tables[database].join(", ")}`);
      for (const name of tables[database]) {
        const columns = await columnsOf(client, name);
        await client.query(`COPY ${name} (${columns}) FROM '${folder}/${database}.${name}' (FORMAT binary)`);
      }
      await client.query(`SELECT setval(pg_get_serial_sequence(quote_ident(table_name), column_name), 1000000)
        FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'`);
    });
  }
  rmSync(folder, { recursive: true });
}
