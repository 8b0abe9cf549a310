import { toAuditEvent } from "@/lib/audit-logs/audit-event";
import type * as contract from "@/lib/audit-logs/contract";
import type { AuditEvent, ListQuery } from "@/lib/audit-logs/contract";
import { assertRange } from "@/lib/audit-logs/filters";
import { listSealed } from "@/lib/audit-logs/read/list-sealed";
import { readPage } from "@/lib/audit-logs/read/pages";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { decodeIdCursor, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output, Page } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** The organization's events that match the filters, by time; the cost of a page does not depend on its position. Throws 400. */
export async function listAuditLogs(
  principal: Principal,
  query: Input<typeof contract.listAuditLogs>,
): Promise<Output<typeof contract.listAuditLogs>> {
  const scope = await scopeOf(principal.organizationId);
  const { order, after_index, epoch, limit, cursor, ...filters } = query;
  if (order === "sealed") return listSealed(scope, { limit, cursor, after_index, epoch, filters });
  if (after_index !== undefined) throw invalid("after_index", "requires order=sealed");
  if (epoch !== undefined) throw invalid("epoch", "requires order=sealed");
  return listEvents(scope, { limit, cursor, order, ...filters });
}

/** Like `listAuditLogs`, for security events only. Throws 400. */
export async function listSecurityEvents(
  principal: Principal,
  query: Input<typeof contract.listSecurityEvents>,
): Promise<Output<typeof contract.listSecurityEvents>> {
  if (query.security_event === false) throw invalid("security_event", "is always true here");
  return listEvents(await scopeOf(principal.organizationId), { ...query, security_event: true });
}

/** Like `listAuditLogs`, for a known scope. Throws 400. */
export async function listEvents(
  scope: Scope,
  { limit, cursor, order, ...filters }: ListQuery,
): Promise<Page<AuditEvent>> {
  const bound = [order, filters];
  const after = decodeIdCursor(cursor, bound);
  assertRange(filters);
  const { rows, resume } = await readPage(scope, filters, order, limit + 1, after);
  const items = rows.slice(0, limit);
  const seals = await findSeals(items);
  const position = rows.length > limit ? (items.at(-1)?.id ?? null) : resume;
  return {
    items: items.map((row) => toAuditEvent(row, seals.get(row.id) ?? null)),
    nextCursor: position === null ? null : encodeCursor([position], bound),
  };
}
