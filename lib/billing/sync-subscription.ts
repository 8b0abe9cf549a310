import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { AuditChange } from "@/lib/audit-logs/change-contract";
import { isDeletionBegun } from "@/lib/audit-logs/hold/is-deletion-begun";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import type { PaidPlan } from "@/lib/billing/contract";
import type { PaymentProvider, ProviderSubscription } from "@/lib/billing/provider";
import { setPlanIn } from "@/lib/billing/set-plan";
import { isRunning } from "@/lib/billing/subscription";
import { db, type Transaction } from "@/lib/db/app";
import { systemPrincipal } from "@/lib/http/principal";
import { log } from "@/lib/log";
import { auditRetentionDays, isAtLeast } from "@/lib/plans";

/** A response of the provider, with the sequence number drawn before the request. */
interface Reading {
  subscriptionId: string;
  number: bigint;
  now: ProviderSubscription | null;
}

/**
 * Reads a subscription from the provider, outside of any transaction, and stores its current state. The plan follows, except that
 * one which the operator set is never made smaller, as long as no subscription pays for it: that would delete audit events. Assigns the
 * current audit event to the organization. A webhook event with the id `eventId` is handled once. Throws 503.
 */
export async function syncSubscription(
  provider: PaymentProvider,
  subscriptionId: string,
  eventId: string | null = null,
): Promise<void> {
  if (eventId !== null && (await db().billingEvent.findUnique({ where: { id: eventId } })) !== null) return;
  const [drawn] = await db().$queryRaw<{ number: bigint }[]>`SELECT nextval('billing_read_numbers') AS number`;
  const number = drawn?.number ?? 0n;
  const now = await provider.subscription(subscriptionId);
  await auditedTransaction(async (tx, event) => {
    if (eventId !== null && !(await isFirst(tx, eventId))) return;
    await store(tx, event, provider, { subscriptionId, number, now });
  });
}

/**
 * The same with an event of its own, for requests about something else: theirs can be refused, and a changed plan must be found among
 * events that were not. Throws 503.
 */
export async function syncWithOwnEvent(
  provider: PaymentProvider,
  organizationId: string,
  subscriptionId: string,
): Promise<void> {
  await withAuditEvent({ action: "billing.notice", principal: systemPrincipal(organizationId) }, () =>
    syncSubscription(provider, subscriptionId),
  );
}

async function isFirst(tx: Transaction, eventId: string): Promise<boolean> {
  return (
    (await tx.$executeRaw`INSERT INTO billing_events (id, received_at) VALUES (${eventId}, now()) ON CONFLICT DO NOTHING`) >
    0
  );
}

/**
 * Whether no later reading has been stored. The reading after the last change has the highest number, so the stored state ends
 * up current.
 */
async function isLatest(tx: Transaction, { subscriptionId, number }: Reading): Promise<boolean> {
  return (
    (await tx.$executeRaw`
      INSERT INTO billing_reads AS held (subscription_id, number, read_at) VALUES (${subscriptionId}, ${number}, now())
      ON CONFLICT (subscription_id) DO UPDATE SET number = excluded.number, read_at = now() WHERE held.number < excluded.number`) >
    0
  );
}

async function store(
  tx: Transaction,
  event: AuditEventDraft,
  provider: PaymentProvider,
  reading: Reading,
): Promise<void> {
  const { subscriptionId, now } = reading;
  const organization = now?.organizationId ? await lockOrganization(tx, now.organizationId) : undefined;
  if (now === null || organization === undefined) {
    // Nobody can cancel it in Sealwatch any more: the operator must cancel it at the provider.
    if (now !== null && isRunning(now))
      log.error({ subscription: subscriptionId }, "a subscription without an organization is active");
    else log.warn({ subscription: subscriptionId }, "a subscription belongs to no organization here");
    return;
  }
  event.row.organization_id = organization.id;
  event.row.retention_days = auditRetentionDays(organization.plan);
  if (!(await isLatest(tx, reading))) return;
  const held = await tx.subscription.findUnique({ where: { organizationId: organization.id } });
  if (held !== null && held.subscriptionId !== subscriptionId) {
    // An ended subscription does not end its successor.
    if (!now.isPaid) return;
    if (isRunning(held))
      log.error(
        { organization: organization.id, subscriptions: [held.subscriptionId, subscriptionId] },
        "two subscriptions are active",
      );
  }
  const { organizationId: _, plan, isPaid, ...stored } = now;
  const data = { ...stored, updatedAt: event.occurredAt };
  await tx.subscription.upsert({
    where: { organizationId: organization.id },
    create: { organizationId: organization.id, ...data },
    update: data,
  });
  if (isRunning(now)) await tx.checkout.deleteMany({ where: { organizationId: organization.id } });
  if (isPaid && plan === null) {
    const { id } = organization;
    log.error({ price: now.priceId, organization: id }, "STRIPE_PRICES does not name the price of a paid subscription");
  } else {
    const next = plan !== null && isPaid ? plan : "free";
    if (isFromPayment(organization.plan, held, provider) || (isPaid && isAtLeast(next, organization.plan))) {
      await setPlanIn(tx, event, organization.id, next);
      await tx.subscription.update({ where: { organizationId: organization.id }, data: { grantedPlan: next } });
    } else {
      event.resource("organization", organization.id);
      const about = { organization: organization.id, plan: organization.plan, paid: next };
      log.warn(about, "a subscription changed, but the plan that the operator set stays");
    }
  }
  if (isPaid) await liftDeletion(tx, event, organization);
}

/** Whether the plan follows from the subscription as stored before, so that the operator did not set it since. */
function isFromPayment(
  plan: string,
  held: { status: string; priceId: string; grantedPlan: string | null } | null,
  provider: PaymentProvider,
): boolean {
  // An ended one pays for no other plan, whichever it set before.
  if (held !== null && !isRunning(held)) return plan === "free";
  // By the settings only if an earlier release stored it.
  if (held?.grantedPlan) return plan === held.grantedPlan;
  const paid = held === null ? null : provider.paidPlan(held);
  // A price that the settings no longer name can have paid for any plan that is sold.
  return paid === undefined ? provider.sells(plan as PaidPlan) : plan === (paid ?? "free");
}

/** Payment cancels a scheduled deletion. A deletion that has begun goes on once the subscription has ended. */
async function liftDeletion(
  tx: Transaction,
  event: AuditEventDraft,
  { id, name, deletionDueAt }: Locked,
): Promise<void> {
  if (deletionDueAt === null) return;
  if (await isDeletionBegun(tx, id)) {
    log.error({ organization: id }, "a subscription was bought for an organization that is being deleted");
    return;
  }
  await tx.organization.update({
    where: { id },
    data: { deletionRequestedAt: null, deletionRequestedBy: null, deletionDueAt: null },
  });
  event.resource("organization", id);
  // The change of the plan, if there is one.
  const earlier = (event.row.details?.changes as AuditChange[] | undefined) ?? [];
  const deletion = { due_at: deletionDueAt.toISOString() };
  event.row.details = { ...event.row.details, deletion: null };
  recordChanges(event, name, { deletion }, { deletion: null }, earlier);
  event.flag("organization_updated");
}

interface Locked {
  id: string;
  name: string;
  plan: string;
  /** Null if no deletion is scheduled. */
  deletionDueAt: Date | null;
}

async function lockOrganization(tx: Transaction, id: string): Promise<Locked | undefined> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return;
  const [found] = await tx.$queryRaw<Locked[]>`
    SELECT id, name, plan, deletion_due_at AS "deletionDueAt" FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return found;
}
