import type { AuditView } from "@/lib/audit-views/contract";
import { Prisma, type AuditView as Row } from "@/lib/db/generated/app/client";
import { ApiError, invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** A saved view's record as the contract shows it. */
export function toAuditView(row: Row): AuditView {
  return {
    id: row.id,
    name: row.name,
    scope: row.ownerId === row.organizationId ? "organization" : "personal",
    query: row.query as AuditView["query"],
    created_at: row.createdAt.toISOString(),
    created_by: {
      type: row.createdByType as AuditView["created_by"]["type"],
      id: row.createdById,
      name: row.createdByName,
    },
    updated_at: row.updatedAt.toISOString(),
  };
}

/** What every query for views begins with: those of the organization that this caller sees. */
export function visibleTo({ organizationId, actor }: Principal) {
  return { organizationId, ownerId: { in: [organizationId, ...(actor.type === "system" ? [] : [actor.id])] } };
}

/** Whose a view of this scope is. Throws 400 for the operator, who is nobody to own one. */
export function ownerOf({ organizationId, actor }: Principal, scope: AuditView["scope"]): string {
  if (scope === "organization") return organizationId;
  if (actor.type === "system") throw invalid("scope", "must be organization for who is neither a person nor a key");
  return actor.id;
}

/** A unique name that is taken, as 409; any other failure as it is. */
export function nameTaken(error: unknown): unknown {
  const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
  return isTaken ? new ApiError("CONFLICT", "There is a view of this name already.") : error;
}
