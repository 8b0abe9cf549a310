import pg from "pg";

/** The privileges of web processes in the audit database, by table. A new table needs an entry here. */
export const webPrivileges: Readonly<Record<string, readonly ("SELECT" | "INSERT")[]>> = {
  audit_events: ["SELECT", "INSERT"],
  audit_bodies: ["SELECT", "INSERT"],
  audit_deltas: ["SELECT", "INSERT"],
  audit_sightings: ["SELECT", "INSERT"],
  audit_rollups: ["SELECT"],
  audit_seal_queue: ["SELECT", "INSERT"],
  audit_seal_logs: ["SELECT"],
  audit_seals: ["SELECT"],
  audit_seal_nodes: ["SELECT"],
  audit_seal_installation: ["SELECT"],
  audit_seal_rounds: ["SELECT"],
  audit_seal_checkpoints: ["SELECT"],
  audit_seal_checks: ["SELECT"],
  audit_seal_keys: ["SELECT"],
  audit_redactions: ["SELECT"],
  audit_seal_stamps: ["SELECT"],
  // A web process that does not migrate waits for the migrations of its release.
  _prisma_migrations: ["SELECT"],
  audit_seal_witnesses: ["SELECT"],
  audit_seal_cosignatures: ["SELECT"],
  audit_seal_round_blocks: ["SELECT"],
};

/** Functions that only the owner may call. PostgreSQL lets every role call a new function. */
const OWNER_ONLY = ["audit_make_day(smallint, date)"];

/** Grants `role` the privileges of web processes. `owner` is connected as the tables' owner. Idempotent. */
export async function grantToWeb(owner: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const tables = Object.entries(webPrivileges).map(
    ([table, privileges]) => `GRANT ${privileges.join(", ")} ON public.${table} TO ${name}`,
  );
  const functions = OWNER_ONLY.map((signature) => `REVOKE ALL ON FUNCTION public.${signature} FROM PUBLIC`);
  await owner.query([`GRANT USAGE ON SCHEMA public TO ${name}`, ...tables, ...functions].join("; "));
}

/** The privileges beyond SELECT and INSERT of the current role and of every role that it can assume. */
const EXCESS = `
WITH own AS (SELECT oid FROM pg_roles WHERE pg_has_role(current_user, oid, 'MEMBER')),
tables AS (
  SELECT c.oid, relowner FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE nspname IN ('public', 'partitions') AND relkind IN ('r', 'p')
)
SELECT current_user AS role, ARRAY(
  SELECT 'be superuser' FROM pg_roles WHERE oid IN (TABLE own) AND rolsuper
  UNION SELECT 'drop tables' FROM tables WHERE relowner IN (TABLE own)
  UNION SELECT privilege FROM tables, own, unnest('{DELETE,TRUNCATE}'::text[]) AS privilege
    WHERE has_table_privilege(own.oid, tables.oid, privilege)
  UNION SELECT 'UPDATE' FROM tables, own WHERE has_any_column_privilege(own.oid, tables.oid, 'UPDATE')
  UNION SELECT 'CREATE' FROM own, unnest('{public,partitions}'::text[]) AS schema
    WHERE has_schema_privilege(own.oid, schema, 'CREATE')
  ORDER BY 1
) AS excess`;

/** The connected role and its privileges in the audit database beyond SELECT and INSERT. */
export async function auditPrivileges(web: pg.Client): Promise<{ role: string; excess: string[] }> {
  const { rows } = await web.query<{ role: string; excess: string[] }>(EXCESS);
  return rows[0] ?? { role: "", excess: [] };
}
