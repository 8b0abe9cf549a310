import type { AuditHold } from "@/lib/audit-logs/hold/contract";
import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import type { Transaction } from "@/lib/db/app";
import type { AuditHold as Row } from "@/lib/db/generated/app/client";
import type { Principal } from "@/lib/http/principal";

type By = AuditHold["placed_by"];

/** A hold in the form of the contract. */
export function toAuditHold(row: Row): AuditHold {
  return {
    id: row.id,
    name: row.name,
    reason: row.reason,
    filter: row.filter,
    covers_since: row.coversSince.toISOString(),
    placed_at: row.placedAt.toISOString(),
    placed_by: { type: row.placedByType as By["type"], id: row.placedById, name: row.placedByName },
    released_at: row.releasedAt?.toISOString() ?? null,
    released_by:
      row.releasedAt === null
        ? null
        : { type: row.releasedByType as By["type"], id: row.releasedById, name: row.releasedByName ?? "" },
  };
}

/** The fields of a hold whose changes are recorded. */
export function recordedHold({ name, reason, filter, covers_since, released_at }: AuditHold): RecordedFields {
  return { name, reason, filter, covers_since, released_at };
}

/** Who places or releases a hold. */
export function actorOf({ actor }: Principal): By {
  return { type: actor.type, id: actor.type === "system" ? null : actor.id, name: actor.name };
}

/** Records on the organization since when its active holds cover events, which decides what it sees of its log. */
export async function recordHeldSince(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE organizations SET audit_held_since = (
      SELECT min(covers_since) FROM audit_holds WHERE organization_id = ${organizationId}::uuid AND released_at IS NULL
    ) WHERE id = ${organizationId}::uuid`;
}
