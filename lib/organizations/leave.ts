import { notFound } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import type { Recording } from "@/lib/audit-logs/recording";
import { record } from "@/lib/auth/identify";
import type { Actor } from "@/lib/auth/principal";
import { db } from "@/lib/db/app";
import { removeMemberIn } from "@/lib/organizations/membership";

/** Takes the person out of an organization they are a member of, whatever they may do there. Throws 404, 409 for the last admin. */
export async function leaveOrganization(
  person: Actor & { type: "user" },
  event: Recording,
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
  await change((tx) => removeMemberIn(tx, event, who));
  return { user_id: person.id };
}
