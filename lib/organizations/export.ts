import pg from "pg";
import type { Input, Output } from "@/lib/api/endpoint";
import { exportFile } from "@/lib/audit-logs/export-file";
import { recording } from "@/lib/audit-logs/recording";
import type { Principal } from "@/lib/auth/principal";
import { pool } from "@/lib/db/app";
import type * as contract from "@/lib/organizations/contract";
import { requireOwn } from "@/lib/organizations/organization";

/** What is no more than machinery: hashes of secrets, answers kept for repetitions, events on their way, the rules' memory. */
const LEFT_OUT = [
  "api_key_secrets",
  "idempotent_requests",
  "idempotency_keys",
  "audit_outbox",
  "alert_evaluations",
  "memberships",
  "organization_purges",
];
/** Columns of these names hold secrets, or what stands for one. Bytes are left out as well, but for certificates'. */
const SECRET = "secret|token|hash|password|headers|lease";
const BYTES = ["der", "sha256", "public_key_sha256"];

/** Every table with something of an organization's, and the columns that may be seen: also of tables that come to be later. */
const TABLES = `
SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  AND EXISTS (SELECT FROM pg_attribute o WHERE o.attrelid = c.oid AND o.attname = 'organization_id' AND NOT o.attisdropped)
  AND c.relname <> ALL ($1) AND a.attname <> 'organization_id' AND a.attname !~ $2
  AND (a.atttypid <> 'bytea'::regtype OR a.attname = ANY ($3))
GROUP BY c.relname ORDER BY c.relname`;

const MEMBERS =
  "SELECT m.user_id, u.name, u.email, m.permission, m.created_at FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = ";

/**
 * All that the monitoring database has of the organization, without secrets, as of now: one COPY, so one snapshot, a line for
 * each row. The audit log has an export of its own. Throws 404, 503.
 */
export async function exportOrganization(
  principal: Principal,
  { id }: Input<typeof contract.exportOrganization>,
): Promise<Output<typeof contract.exportOrganization>> {
  requireOwn(principal, id);
  const { rows } = await pool().query<{ name: string; columns: string[] }>(TABLES, [LEFT_OUT, SECRET, BYTES]);
  const own = `${pg.escapeLiteral(id)}::uuid`;
  const parts = [
    part("organizations", `SELECT * FROM organizations WHERE id = ${own}`),
    part("members", MEMBERS + own),
    ...rows.map(({ name, columns }) => {
      const listed = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
      return part(name, `SELECT ${listed} FROM ${pg.escapeIdentifier(name)} WHERE organization_id = ${own}`);
    }),
  ];
  // As lib/audit-logs/export-sql.ts: JSON never holds these control characters, so it arrives as it is.
  const sql = `COPY (${parts.join(" UNION ALL ")}) TO STDOUT WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`;
  const answer = exportFile(
    { sql, format: "ndjson", header: "", database: "DATABASE_URL" },
    "organization",
    (finished) => {
      Object.assign(finished, { action: "organization.export_finished", resource_type: "organization" });
    },
  );
  recording().flag("organization_exported");
  return answer;
}

function part(table: string, select: string): string {
  return `SELECT json_build_object('table', ${pg.escapeLiteral(table)}, 'row', row_to_json(r)) FROM (${select}) AS r`;
}
