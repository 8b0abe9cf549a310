import { pool } from "@/lib/db/app";

export interface Column {
  name: string;
  /** As SQL writes it: `timestamp(3) with time zone`. */
  type: string;
}

/** A table with something of organizations'. */
export interface OwnTable {
  name: string;
  columns: Column[];
  /** The primary key's columns after the organization; empty if the key does not begin with it, or has no more. */
  keys: Column[];
  /** Tables whose foreign keys point here. */
  children: string[];
}

const COLUMN = "json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))";

/** From the catalog, so that tables that come to be later are not forgotten. */
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
