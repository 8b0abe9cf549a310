import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { record } from "@/lib/auth/identify";
import { db } from "@/lib/db/app";
import { notFound } from "@/lib/http/errors";
import type { Actor } from "@/lib/http/principal";
import { removeMemberIn } from "@/lib/organizations/membership";

/** Removes the caller from an organization, whatever their permission there. Throws 404, 409 for the last admin. */
export async function leaveOrganization(
  person: Actor & { type: "user" },
  event: AuditEventDraft,
  { organization_id: organizationId }: { organization_id: string },
): Promise<{ user_id: string }> {
  const who = { organizationId, userId: person.id };
  const found = await db().membership.findUnique({
    where: { organizationId_userId: who },
    include: { organization: true },
  });
  if (found === null) throw notFound();
  record(event, { organizationId, actor: person }, found.organization.plan);
  event.resource("member", person.id);
  await auditedTransaction((tx) => removeMemberIn(tx, event, who));
  return { user_id: person.id };
}
