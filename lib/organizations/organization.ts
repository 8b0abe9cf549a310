import type { Organization as Row } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";
import type { Permission, Principal } from "@/lib/http/principal";
import type { Organization } from "@/lib/organizations/contract";
import { auditRetentionDays, type Plan } from "@/lib/plans";

/** An organization as the contract shows it. */
export function toOrganization(row: Row, permission: Permission): Organization {
  const { deletionRequestedAt, deletionRequestedBy, deletionDueAt } = row;
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: row.plan as Plan,
    audit_retention_days: auditRetentionDays(row.plan),
    permission,
    created_at: row.createdAt.toISOString(),
    deletion: deletionDueAt && {
      requested_at: (deletionRequestedAt ?? deletionDueAt).toISOString(),
      requested_by: deletionRequestedBy ?? "",
      due_at: deletionDueAt.toISOString(),
    },
  };
}

/** Hides every organization other than the caller's. Throws 404. */
export function requireOwn({ organizationId }: Principal, id: string): void {
  if (id !== organizationId) throw notFound();
}
