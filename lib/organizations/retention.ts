import { db } from "@/lib/db/app";
import { auditRetentionDays } from "@/lib/organizations/plans";

/** Days that the organization's plan keeps audit events. */
export async function retentionDays(organizationId: string): Promise<number> {
  const organization = await db().organization.findUnique({ where: { id: organizationId }, select: { plan: true } });
  return auditRetentionDays(organization?.plan ?? "free");
}
