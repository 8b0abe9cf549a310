import { SHOWN, type ShownRow, toAuditEventWithBody } from "@/lib/audit-logs/audit-event";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { bodyOf, whereId } from "@/lib/audit-logs/scope/where";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { auditPool } from "@/lib/db/audit";
import { notFound } from "@/lib/http/errors";

/** An event with its body. Throws 404, also if the event is older than the organization's retention and not on hold. */
export async function findEvent(scope: Scope, id: string): Promise<AuditEventWithBody> {
  const own = whereId(scope, id);
  const { rows } = await auditPool().query<ShownRow & { body: Buffer | null }>(
    `SELECT ${SHOWN}, (SELECT body ${bodyOf(own, id)}) AS body
     FROM audit_events e WHERE ${own}`,
    own.values,
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  const seals = await findSeals([row]);
  return toAuditEventWithBody(row, row.body, seals.get(id) ?? null);
}
