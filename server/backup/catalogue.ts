import pg from "pg";
import type { BackedUpDatabase, BackedUpTable, SealedLogHeads } from "@/server/backup/manifest";

type Database = Pick<pg.ClientBase, "query">;

/** A table without its rows. */
export type Table = Pick<BackedUpTable, "schema" | "name" | "columns" | "partition">;

/** A table as statements name it. */
export const pathOf = ({ schema, name }: { schema: string; name: string }) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** The columns of a table as COPY names them. */
export const columnsOf = ({ columns }: Pick<Table, "columns">) =>
  columns.map((each) => pg.escapeIdentifier(each)).join(", ");

/** Texts of values must not depend on the settings of a role or a database. */
export const SAME_TEXTS =
  "SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET extra_float_digits = 1; SET client_encoding = 'UTF8'";

/** The schemas of Sealwatch's tables, and what belongs to extensions there. */
const OURS = `n.nspname IN ('public', 'partitions')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** The history of migrations, which a restore writes itself. */
const HISTORY = "_prisma_migrations";

/** Tables with rows. Computed columns are computed again. */
export async function listTables(database: Database): Promise<Table[]> {
  const { rows } = await database.query<Table>(
    `SELECT n.nspname AS schema, c.relname AS name,
       (SELECT coalesce(json_agg(attname ORDER BY attnum), '[]') FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
       CASE WHEN c.relispartition THEN json_build_object(
         'schema', pn.nspname, 'of', p.relname, 'bound', pg_get_expr(c.relpartbound, c.oid)) END AS partition
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN pg_inherits i ON i.inhrelid = c.oid AND c.relispartition
       LEFT JOIN pg_class p ON p.oid = i.inhparent LEFT JOIN pg_namespace pn ON pn.oid = p.relnamespace
     WHERE ${OURS} AND c.relkind = 'r' AND c.relname <> '${HISTORY}' ORDER BY 1, 2`,
  );
  return rows;
}

/** Partitions that are partitioned themselves. There is one level of them. */
export async function listBranches(database: Database): Promise<BackedUpDatabase["branches"]> {
  const { rows } = await database.query<BackedUpDatabase["branches"][number]>(
    `SELECT n.nspname AS schema, c.relname AS name, p.relname AS of, pg_get_expr(c.relpartbound, c.oid) AS bound,
       pg_get_partkeydef(c.oid) AS by
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent
     WHERE ${OURS} AND c.relkind = 'p' AND c.relispartition ORDER BY 1, 2`,
  );
  return rows;
}

export async function listSequences(database: Database): Promise<BackedUpDatabase["sequences"]> {
  const { rows: names } = await database.query<{ schema: string; name: string; path: string }>(
    `SELECT n.nspname AS schema, c.relname AS name, c.oid::regclass::text AS path
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OURS} AND c.relkind = 'S' ORDER BY 1, 2`,
  );
  const sequences = [];
  for (const { schema, name, path } of names) {
    const { rows } = await database.query<{ value: string; is_called: boolean }>(
      `SELECT last_value::text AS value, is_called FROM ${path}`,
    );
    for (const row of rows) sequences.push({ schema, name, ...row });
  }
  return sequences;
}

/** The applied migrations, by name. Null if the database has none. */
export async function listMigrations(database: Database): Promise<BackedUpDatabase["migrations"] | null> {
  const { rows: found } = await database.query(`SELECT FROM pg_class WHERE oid = to_regclass('public.${HISTORY}')`);
  if (found.length === 0) return null;
  const { rows } = await database.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM ${HISTORY}
     WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows;
}

/** Something that the database has besides extensions; null if it is empty. */
export async function findContent(database: Database): Promise<string | null> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY 1 LIMIT 1`,
  );
  return rows[0]?.name ?? null;
}

/** How far the sealed log has come. Empty for releases without one. */
export async function readHeads(database: Database): Promise<SealedLogHeads> {
  const { rows: found } = await database.query(
    "SELECT FROM pg_class WHERE oid = to_regclass('public.audit_seal_logs')",
  );
  if (found.length === 0) return { checkpoint: null, heads: {} };
  const { rows: signed } = await database.query<{ checkpoint: string }>(
    "SELECT checkpoint FROM audit_seal_rounds WHERE checkpoint IS NOT NULL ORDER BY epoch DESC, index DESC LIMIT 1",
  );
  const { rows } = await database.query<{ log: string; head: SealedLogHeads["heads"][string] }>(
    `SELECT organization_id AS log, json_build_object('epoch', epoch, 'size', size, 'signed_size', signed_size,
       'root', encode(head_root, 'base64')) AS head
     FROM audit_seal_logs ORDER BY organization_id`,
  );
  return {
    checkpoint: signed[0]?.checkpoint ?? null,
    heads: Object.fromEntries(rows.map(({ log, head }) => [log, head])),
  };
}
