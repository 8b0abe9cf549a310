import { createDefaultRules } from "@/lib/alerts/rules/default-rules";
import { type AuditEventDraft, auditEvent } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Transaction } from "@/lib/db/app";
import type { Organization } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, personsOnly } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import type * as contract from "@/lib/organizations/contract";
import { toOrganization } from "@/lib/organizations/organization";
import { auditRetentionDays } from "@/lib/plans";
import { slugOf } from "@/lib/text/slug";

/** Creates an organization with the default alert rules within a larger change. A slug that is taken gets a number. */
export async function createOrganizationIn(tx: Transaction, name: string, now: Date): Promise<Organization> {
  const base = slugOf(name, "organization");
  // Serializes creations with the same slug, so that the lookup and the insert are atomic.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`organizations.slug:${base}`}, 0))`;
  const taken = await tx.organization.findMany({ where: { slug: { startsWith: base } }, select: { slug: true } });
  const slugs = new Set(taken.map(({ slug }) => slug));
  let slug = base;
  for (let number = 2; slugs.has(slug); number++) slug = `${base}-${number}`;
  const made = await tx.organization.create({ data: { id: newId(), name, slug, createdAt: now } });
  await createDefaultRules(tx, made.id, now);
  return made;
}

/** Creates an organization with the person as its admin. The event belongs to the new organization. Throws 403. */
export async function createOrganization(
  { actor }: Principal,
  { name }: Input<typeof contract.createOrganization>,
): Promise<Output<typeof contract.createOrganization>> {
  if (actor.type !== "user") throw personsOnly();
  return auditedTransaction(async (tx, event) => {
    const made = await createOrganizationIn(tx, name, event.occurredAt);
    await tx.membership.create({
      data: { organizationId: made.id, userId: actor.id, permission: "admin", createdAt: event.occurredAt },
    });
    belongsTo(event, made);
    event.flag("member_added");
    return toOrganization(made, "admin");
  });
}

/** The operator's command for creating an organization. The event belongs to the new organization. */
export async function createOrganizationAsOperator(name: string): Promise<Organization> {
  return auditedTransaction(async (tx, event) => {
    const made = await createOrganizationIn(tx, name, auditEvent().occurredAt);
    belongsTo(event, made);
    return made;
  });
}

function belongsTo(event: AuditEventDraft, made: Organization): void {
  event.row.organization_id = made.id;
  event.row.retention_days = auditRetentionDays(made.plan);
  event.resource("organization", made.id);
  recordChanges(event, made.name, null, { name: made.name, slug: made.slug, plan: made.plan });
}
