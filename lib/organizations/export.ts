import { auditEvent } from "@/lib/audit-logs/audit-event-draft";
import { exportFile } from "@/lib/audit-logs/read/export-file";
import { visibleTo } from "@/lib/audit-views/audit-view";
import { PagedRows, type PagedTable } from "@/lib/db/rows/paged-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import type * as contract from "@/lib/organizations/contract";
import { requireOwn } from "@/lib/organizations/organization";
import { type Column, readOwnTables } from "@/lib/organizations/own-tables";

/** Internal tables: hashes of secrets, responses kept for idempotency, events in transit, evaluation state of alert rules. */
const LEFT_OUT = [
  "api_key_secrets",
  "idempotent_requests",
  "idempotency_keys",
  "audit_outbox",
  "alert_evaluations",
  "billing_checkouts",
  "invitation_mails",
  "mailed_recipients",
  "memberships",
  "redaction_requests",
  "organization_purges",
];
/** Columns with these names hold secrets or their hashes. Binary columns are left out too, except those of certificates. */
const SECRET = /secret|token|hash|password|headers|lease/;
const BYTES = ["der", "sha256", "public_key_sha256"];

/** Tables with rows that only their owner sees, with the column that names the owner: the organization, a person or a key. */
const OWNERS: Readonly<Record<string, string>> = { audit_views: "owner_id", audit_view_emails: "user_id" };

const ORGANIZATION: PagedTable = {
  name: "organizations",
  select: "SELECT * FROM organizations WHERE id = $1",
  keys: [],
};
const MEMBERS: PagedTable = {
  name: "members",
  select: `SELECT m.user_id, u.name, u.email, m.permission, m.created_at
    FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1`,
  keys: [{ name: "user_id", type: "uuid" }],
};

/**
 * Exports the organization's rows in the monitoring database, without secrets and the saved views of others, one line per row. Reads in pages as the client
 * consumes them, each in its own snapshot, so that a slow client holds no lock or snapshot. The audit log has its own export.
 * Throws 404, 503.
 */
export async function exportOrganization(
  principal: Principal,
  { id }: Input<typeof contract.exportOrganization>,
): Promise<Output<typeof contract.exportOrganization>> {
  requireOwn(principal, id);
  const tables = (await readOwnTables()).filter(({ name }) => !LEFT_OUT.includes(name));
  const paged = tables.map(({ name, columns, keys }): PagedTable => {
    const listed = columns.filter(isShown).map((column) => `"${column.name}"`);
    const select = `SELECT ${listed.join(", ")} FROM "${name}" WHERE organization_id = $1`;
    const owner = OWNERS[name];
    if (owner === undefined) return { name, select, keys };
    return {
      name,
      select: `${select} AND ${owner} = ANY ($3::uuid[])`,
      values: [visibleTo(principal).ownerId.in],
      keys,
    };
  });
  const source = new PagedRows([ORGANIZATION, MEMBERS, ...paged], id);
  const answer = await exportFile(principal, { source, format: "ndjson", header: "" }, "organization", (finished) => {
    Object.assign(finished, { action: "organization.export_finished", resource_type: "organization" });
  });
  auditEvent().flag("organization_exported");
  return answer;
}

function isShown({ name, type }: Column): boolean {
  return name !== "organization_id" && !SECRET.test(name) && (type !== "bytea" || BYTES.includes(name));
}
