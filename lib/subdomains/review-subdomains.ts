import { auditedUpsert } from "@/lib/audit-logs/write/audited-upsert";
import { upsertEndpoints } from "@/lib/certificates/endpoints/bulk-upsert-endpoints";
import type { Transaction } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type * as contract from "@/lib/subdomains/contract";
import type { ReviewResult } from "@/lib/subdomains/contract";

interface Row {
  id: string;
  name: string;
  wildcard: boolean;
  ignored_at: Date | null;
  expected_issuers: string[];
  endpoint_id: string | null;
}

/** Reviews names; one result per id, in order. Rejects the whole request if the plan has no room for it. Throws 402, 403. */
export async function reviewSubdomains(
  principal: Principal,
  { action, ids }: Input<typeof contract.reviewSubdomains>,
): Promise<Output<typeof contract.reviewSubdomains>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedUpsert(async (tx, event) => {
    event.resource("subdomain", ids.length === 1 ? (ids[0] ?? null) : null);
    const rows = await lockNames(tx, organizationId, ids);
    const results =
      action === "monitor" ? await monitor(tx, organizationId, rows) : await mark(tx, organizationId, rows, action);
    const byId = new Map(results.map((result) => [result.id, result]));
    return { results: ids.map((id) => byId.get(id) ?? failed(id, "This name does not exist.")) };
  });
}

function failed(id: string, error: string): ReviewResult {
  return { id, status: "failed", endpoint_id: null, error };
}

async function lockNames(tx: Transaction, organizationId: string, ids: readonly string[]): Promise<Row[]> {
  // Sources, which write names in an order of their own, lock the domain first.
  await tx.$queryRaw`SELECT d.id FROM domains d WHERE d.organization_id = ${organizationId}::uuid AND d.id IN (
      SELECT domain_id FROM subdomains WHERE organization_id = ${organizationId}::uuid AND id = ANY (${[...ids]}::uuid[])
    ) ORDER BY d.id FOR NO KEY UPDATE`;
  return tx.$queryRaw<Row[]>`
    SELECT s.id, s.name, s.wildcard, s.ignored_at, d.expected_issuers, (SELECT e.id FROM certificate_endpoints e
      WHERE e.organization_id = s.organization_id AND e.host = s.name ORDER BY e.id LIMIT 1) AS endpoint_id
    FROM subdomains s JOIN domains d ON d.organization_id = s.organization_id AND d.id = s.domain_id
    WHERE s.organization_id = ${organizationId}::uuid AND s.id = ANY (${[...ids]}::uuid[])
    ORDER BY s.id FOR UPDATE OF s`;
}

/** New endpoints expect the same issuers as the domain. */
async function monitor(tx: Transaction, organizationId: string, rows: readonly Row[]): Promise<ReviewResult[]> {
  const fresh = rows.filter(({ wildcard, endpoint_id }) => !wildcard && endpoint_id === null);
  const items = fresh.map(({ name, expected_issuers }) => ({ host: name, protocol: "https", expected_issuers }));
  const made = await upsertEndpoints(tx, organizationId, items);
  const results = rows.map((row): ReviewResult => {
    const { id, wildcard, endpoint_id } = row;
    if (endpoint_id !== null) return { id, status: "unchanged", endpoint_id, error: null };
    if (wildcard) return failed(id, "A wildcard stands for many hosts, so there is no single host to connect to.");
    const one = made[fresh.indexOf(row)];
    if (one === undefined || one.status === "failed")
      return failed(id, one?.error ?? "The endpoint could not be added.");
    return { id, status: "done", endpoint_id: one.id, error: null };
  });
  const done = results.flatMap(({ id, status }) => (status === "done" ? [id] : []));
  // Once it is no longer monitored, it must be reviewed again.
  await tx.subdomain.updateMany({ where: { organizationId, id: { in: done } }, data: { ignoredAt: null } });
  return results;
}

async function mark(
  tx: Transaction,
  organizationId: string,
  rows: readonly Row[],
  action: "ignore" | "restore",
): Promise<ReviewResult[]> {
  const isIgnored = action === "ignore";
  const changed = rows.filter(
    (row) => !(isIgnored && row.endpoint_id !== null) && (row.ignored_at !== null) !== isIgnored,
  );
  await tx.subdomain.updateMany({
    where: { organizationId, id: { in: changed.map(({ id }) => id) } },
    data: { ignoredAt: isIgnored ? new Date() : null },
  });
  return rows.map((row) => {
    if (isIgnored && row.endpoint_id !== null)
      return failed(row.id, "This name is monitored: delete its endpoint first.");
    return { id: row.id, status: changed.includes(row) ? "done" : "unchanged", endpoint_id: null, error: null };
  });
}
