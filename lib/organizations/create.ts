import { randomInt } from "node:crypto";
import { createDefaultRules } from "@/lib/alerts/rules/default-rules";
import { type AuditEventDraft, auditEvent } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Transaction } from "@/lib/db/app";
import type { Organization } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { type Principal, personsOnly } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import type * as contract from "@/lib/organizations/contract";
import { requireFewMemberships } from "@/lib/organizations/membership";
import { toOrganization } from "@/lib/organizations/organization";
import { auditRetentionDays } from "@/lib/plans";
import { slugOf } from "@/lib/text/shapes/slug";

/** Organizations that a person may have created, besides those that were deleted. It includes those that they left. */
const MAX_CREATED = 20;
/** The largest number that distinguishes organizations with the same name; after it come random characters. */
const MAX_SLUG_NUMBER = 5;
const RANDOM_SLUGS = 5;

/**
 * Creates an organization with the default alert rules within a larger change. A slug that is taken gets a number or random
 * characters. `createdBy` is the id of a person, or null for the operator.
 */
export async function createOrganizationIn(
  tx: Transaction,
  name: string,
  now: Date,
  createdBy: string | null,
): Promise<Organization> {
  for (const slug of slugsFor(name)) {
    const data = { id: newId(), name, slug, createdAt: now, createdBy };
    // Waits for a concurrent creation with the same slug.
    const [made] = await tx.organization.createManyAndReturn({ data: [data], skipDuplicates: true });
    if (made === undefined) continue;
    await createDefaultRules(tx, made.id, now);
    return made;
  }
  throw new Error(`found no free slug for the organization ${name}`);
}

function* slugsFor(name: string): Generator<string> {
  const base = slugOf(name, "organization");
  yield base;
  for (let number = 2; number <= MAX_SLUG_NUMBER; number++) yield `${base}-${number}`;
  for (let n = 0; n < RANDOM_SLUGS; n++)
    yield `${base}-${randomInt(36 ** 6)
      .toString(36)
      .padStart(6, "0")}`;
}

/**
 * Creates an organization with the person as its admin. The event belongs to the new organization. Throws 403, and 409 if the
 * person has created too many, or is a member of too many.
 */
export async function createOrganization(
  { actor }: Principal,
  { name }: Input<typeof contract.createOrganization>,
): Promise<Output<typeof contract.createOrganization>> {
  if (actor.type !== "user") throw personsOnly();
  return auditedTransaction(async (tx, event) => {
    if (!(await mayCreateOrganization(tx, actor.id)))
      throw new ApiError("CONFLICT", `A person can create at most ${MAX_CREATED} organizations.`);
    await requireFewMemberships(tx, actor.id);
    const made = await createOrganizationIn(tx, name, event.occurredAt, actor.id);
    await tx.membership.create({
      data: { organizationId: made.id, userId: actor.id, permission: "admin", createdAt: event.occurredAt },
    });
    belongsTo(event, made);
    event.flag("member_added");
    return toOrganization(made, "admin");
  });
}

/**
 * Whether a person may create another organization: those that they left count too. Concurrent creations of the person wait until the
 * transaction ends, so that the count stays true.
 */
export async function mayCreateOrganization(tx: Transaction, userId: string): Promise<boolean> {
  await tx.$queryRaw`SELECT id FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  return (await tx.organization.count({ where: { createdBy: userId } })) < MAX_CREATED;
}

/** The operator's command for creating an organization. The event belongs to the new organization. */
export async function createOrganizationAsOperator(name: string): Promise<Organization> {
  return auditedTransaction(async (tx, event) => {
    const made = await createOrganizationIn(tx, name, auditEvent().occurredAt, null);
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
