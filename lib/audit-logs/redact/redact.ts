import { notSealedYet } from "@/lib/audit-logs/bundle/proof";
import { findHold } from "@/lib/audit-logs/held/find-hold";
import type { redactAuditLog as contract } from "@/lib/audit-logs/redact/contract";
import { isRedactable } from "@/lib/audit-logs/redact/redactable";
import { type Scope, scopeOf } from "@/lib/audit-logs/scope/scope";
import { bodyOf, whereId } from "@/lib/audit-logs/scope/where";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { auditPool } from "@/lib/db/audit";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** The state of a redaction that was requested. */
interface RequestRow {
  request_id: string;
  requested_at: Date;
  redacted_at: Date | null;
}

/** Asks the worker to redact a part of an event, or returns the state of an earlier request. Throws 403, 404, 409. */
export async function redactAuditLog(
  principal: Principal,
  { id, part, reason }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const scope = await scopeOf(organizationId);
  const target = await findTarget(scope, id);
  const seals = await findSeals([{ organization_id: organizationId, id }]);
  const seal = seals.get(id);
  if (seal === undefined) throw notSealedYet();
  if (!isRedactable(target.action, target.flags)) {
    throw new ApiError("CONFLICT", "This event says something of the sealed log itself, so it cannot be redacted.");
  }
  const isShown = (seal.redaction?.[part] ?? null) === null;
  if (part === "body" && isShown && !target.has_body) throw new ApiError("CONFLICT", "The event has no body.");
  if (part === "caller" && target.auth_type === "system") {
    throw new ApiError("CONFLICT", "Sealwatch or its operator caused this event, so it has no caller.");
  }
  const hold = await findHold(organizationId, id);
  if (hold !== null) {
    throw new ApiError(
      "CONFLICT",
      `The event is on hold ("${hold.name}"), so it cannot be redacted before that is released.`,
    );
  }
  return auditedTransaction(async (tx, event) => {
    // What was redacted and is shown again was restored from a backup.
    await tx.$executeRaw`
      INSERT INTO redaction_requests (organization_id, event_id, part, request_id, requested_at, next_at)
      VALUES (${organizationId}::uuid, ${id}::uuid, ${part}, ${event.id}::uuid, now(), now())
      ON CONFLICT (organization_id, event_id, part) DO UPDATE
        SET request_id = excluded.request_id, requested_at = now(), next_at = now(), redacted_at = NULL
        WHERE ${isShown} AND redaction_requests.redacted_at < now() - interval '1 minute'`;
    const [row] = await tx.$queryRaw<RequestRow[]>`
      SELECT request_id, requested_at, redacted_at FROM redaction_requests
      WHERE organization_id = ${organizationId}::uuid AND event_id = ${id}::uuid AND part = ${part}`;
    if (row === undefined) throw notFound();
    event.resource("audit_log", id);
    event.flag("audit_redacted");
    event.row.details = { ...event.row.details, part, reason };
    const { request_id, requested_at, redacted_at } = row;
    return {
      ...{ id, part, request_id, requested_at: requested_at.toISOString() },
      redacted_at: redacted_at?.toISOString() ?? null,
    };
  });
}

interface Target {
  auth_type: string;
  action: string | null;
  flags: string[];
  has_body: boolean;
}

/** Throws 404, also if the event is older than the organization's retention and not on hold. */
async function findTarget(scope: Scope, id: string): Promise<Target> {
  const own = whereId(scope, id);
  const { rows } = await auditPool().query<Target>(
    `SELECT auth_type, action, flags, EXISTS (SELECT ${bodyOf(own, id)}) AS has_body
     FROM audit_events e WHERE ${own}`,
    own.values,
  );
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}
