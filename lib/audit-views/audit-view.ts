import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import type { AuditView } from "@/lib/audit-views/contract";
import { requireFewerThan } from "@/lib/billing/fixed-limit";
import type { Transaction } from "@/lib/db/app";
import type { AuditView as Row } from "@/lib/db/generated/app/client";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/** Views that the organization may share, and that each person and key may have. */
export const MAX_VIEWS = 200;

/** A saved view in the form of the contract. */
export function toAuditView(row: Row & { weeklyEmails: readonly unknown[] }): AuditView {
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
    weekly_email: row.weeklyEmails.length > 0,
  };
}

/** Includes the caller's own weekly e-mail in queries for views. */
export function withOwnEmail({ organizationId, actor }: Principal) {
  const userId = actor.type === "user" ? actor.id : organizationId;
  return { weeklyEmails: { where: { organizationId, userId }, select: { userId: true } } };
}

/** The fields of a view whose changes are recorded. */
export function recordedView({ name, scope, query, weekly_email }: AuditView): RecordedFields {
  return { name, scope, query, weekly_email };
}

/** The condition of all queries for views: views of the organization that are visible to the caller. */
export function visibleTo({ organizationId, actor }: Principal) {
  return { organizationId, ownerId: { in: [organizationId, ...(actor.type === "system" ? [] : [actor.id])] } };
}

/** The owner of a view with this scope. Throws 400 for the operator, who cannot own a personal view. */
export function ownerOf({ organizationId, actor }: Principal, scope: AuditView["scope"]): string {
  if (scope === "organization") return organizationId;
  if (actor.type === "system")
    throw invalid("scope", "must be organization, because the caller is neither a person nor a key");
  return actor.id;
}

/** Throws 409 if the owner has as many views as allowed, besides the one with the id `except`. */
export async function requireRoomForView(tx: Transaction, organizationId: string, ownerId: string): Promise<void> {
  const nouns = ownerId === organizationId ? "shared views" : "personal views of one person or key";
  await requireFewerThan(tx, organizationId, MAX_VIEWS, nouns, () =>
    tx.auditView.count({ where: { organizationId, ownerId } }),
  );
}

/** The error for a second one with the same name. */
export const SAME_NAME = "A view with this name already exists.";
