import { pool } from "@/lib/db/app";

export interface Column {
  name: string;
  /** In SQL notation: `timestamp(3) with time zone`. */
  type: string;
}

/** A table with rows of organizations. */
export interface OwnTable {
  name: string;
  columns: Column[];
  /** The primary key's columns after `organization_id`; empty if the key does not begin with it or has no other column. */
  keys: Column[];
  /** Tables with foreign keys to this table. */
  children: string[];
}

const COLUMN = "json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))";

/** Reads the catalog, so that tables added later are included. */
const SQL = `
SELECT c.relname AS name,
  (
    SELECT json_agg(${COLUMN} ORDER BY a.attnum) FROM pg_attribute a
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  ) AS columns,
  coalesce((
    SELECT json_agg(${COLUMN} ORDER BY place)
    FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
    WHERE i.indrelid = c.oid AND i.indisprimary AND i.indkey[0] = o.attnum AND place > 1
  ), '[]') AS keys,
  ARRAY(SELECT conrelid::regclass::text FROM pg_constraint WHERE confrelid = c.oid AND contype = 'f' AND conparentid = 0) AS children
FROM pg_class c JOIN pg_attribute o ON o.attrelid = c.oid AND o.attname = 'organization_id' AND NOT o.attisdropped
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
ORDER BY c.relname`;

/** Every table of the monitoring database with an `organization_id`, by name. */
export async function readOwnTables(): Promise<OwnTable[]> {
  return (await pool().query<OwnTable>(SQL)).rows;
}
