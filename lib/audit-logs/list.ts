import { decodeCursor, encodeCursor } from "@/lib/api/cursor";
import type { Input, Output, Page } from "@/lib/api/endpoint";
import { invalid } from "@/lib/api/errors";
import { SHOWN, toAuditEvent } from "@/lib/audit-logs/audit-event";
import type * as contract from "@/lib/audit-logs/contract";
import type { AuditEvent, ListQuery } from "@/lib/audit-logs/contract";
import type { AuditRow } from "@/lib/audit-logs/recording";
import { where } from "@/lib/audit-logs/where";
import type { Principal } from "@/lib/auth/principal";
import { auditPool } from "@/lib/db/audit";
import { retentionDays } from "@/lib/organizations/retention";

/** Events of the organization that fit the filters, by time; a page costs the same wherever it is. Throws 400. */
export async function listAuditLogs(
  principal: Principal,
  query: Input<typeof contract.listAuditLogs>,
): Promise<Output<typeof contract.listAuditLogs>> {
  return listEvents(principal, query);
}

/** The same, security events only. Throws 400. */
export async function listSecurityEvents(
  principal: Principal,
  query: Input<typeof contract.listSecurityEvents>,
): Promise<Output<typeof contract.listSecurityEvents>> {
  if (query.security_event === false) throw invalid("security_event", "is always true here");
  return listEvents(principal, { ...query, security_event: true });
}

async function listEvents(
  { organizationId }: Principal,
  { limit, cursor, order, ...filters }: ListQuery,
): Promise<Page<AuditEvent>> {
  const bound = [order, filters];
  const after = cursor === undefined ? null : String(decodeCursor(cursor, bound, 1)[0]);
  if (filters.since !== undefined && filters.until !== undefined && filters.since >= filters.until) {
    throw invalid("until", "must be after since");
  }
  const conditions = where(organizationId, await retentionDays(organizationId), filters, Date.now());
  if (after !== null) conditions.add(`id ${order === "asc" ? ">" : "<"} ${conditions.value(after)}`);
  const { rows } = await auditPool().query<AuditRow>(
    `SELECT ${SHOWN} FROM audit_events WHERE ${conditions} ORDER BY id ${order} LIMIT ${limit + 1}`,
    conditions.values,
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(toAuditEvent),
    nextCursor: rows.length > limit && last ? encodeCursor([last.id], bound) : null,
  };
}
