import pg from "pg";

/** What a database has: the definitions of everything in it, and a digest of the rows of each table. */
export interface Contents {
  definitions: string[];
  rows: Record<string, string>;
}

const OURS = "IN ('public'::regnamespace, to_regnamespace('partitions'))";

/** Tables, columns, indexes, constraints, triggers, functions and sequences, each in a sentence of PostgreSQL. */
const DEFINITIONS = `
SELECT format('%s %s %s %s', c.oid::regclass, c.relkind, pg_get_expr(c.relpartbound, c.oid), pg_get_partkeydef(c.oid)) AS text
  FROM pg_class c WHERE relnamespace ${OURS} AND relkind IN ('r', 'p', 'v', 'S')
UNION ALL SELECT format('%s.%s %s %s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
    pg_get_expr(adbin, adrelid), attstorage, attgenerated)
  FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace ${OURS} AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT format('%s %s', pg_get_indexdef(indexrelid), indisvalid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace ${OURS}
UNION ALL SELECT format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) FROM pg_constraint
  WHERE connamespace ${OURS} AND contype <> 'n'
UNION ALL SELECT format('%s %s', pg_get_triggerdef(oid), tgenabled) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE pronamespace ${OURS} AND prokind = 'f'
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
ORDER BY 1`;

const TABLES = `SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace ${OURS} AND relname <> '_prisma_migrations' ORDER BY 1`;

export async function contentsOf(url: string): Promise<Contents> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: definitions } = await client.query<{ text: string }>(DEFINITIONS);
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const rows: Record<string, string> = {};
    for (const { name } of tables) {
      const { rows: digests } = await client.query<{ digest: string | null }>(
        `SELECT md5(string_agg(row::text, E'\\n' ORDER BY row::text COLLATE "C")) AS digest FROM ${name} AS row`,
      );
      rows[name] = digests[0]?.digest ?? "empty";
    }
    return { definitions: definitions.map(({ text }) => text), rows };
  } finally {
    await client.end();
  }
}
