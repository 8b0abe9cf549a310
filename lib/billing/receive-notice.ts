import { arrivals } from "@/lib/api/arrival";
import type { Input, Output } from "@/lib/api/endpoint";
import { invalid } from "@/lib/api/errors";
import { change } from "@/lib/audit-logs/change";
import { type Recording, recording } from "@/lib/audit-logs/recording";
import type { Principal } from "@/lib/auth/principal";
import type * as contract from "@/lib/billing/contract";
import { type PaymentProvider, requirePaymentProvider } from "@/lib/billing/provider";
import type { Transaction } from "@/lib/db/app";
import { log } from "@/lib/log";
import { auditRetentionDays } from "@/lib/organizations/plans";
import { setPlanIn } from "@/lib/organizations/set-plan";

/**
 * Takes a signed notice of the payment provider: the subscription it is about is read anew, so that late, repeated and
 * reordered notices end in what is true now. The event belongs to the organization. Throws 400, 503.
 */
export async function receiveBillingNotice(
  _principal: Principal | null,
  _input: Input<typeof contract.receiveBillingNotice>,
): Promise<Output<typeof contract.receiveBillingNotice>> {
  const provider = requirePaymentProvider();
  const signature = arrivals.getStore()?.message.headers["stripe-signature"];
  if (typeof signature !== "string") throw invalid("Stripe-Signature", "must be given");
  const { id, subscriptionId } = provider.verify(recording().body ?? Buffer.alloc(0), signature);
  const { row } = recording();
  Object.assign(row, { auth_type: "system", user_name: "Stripe" });
  if (subscriptionId !== null) await change((tx, event) => take(tx, event, provider, id, subscriptionId));
  return { received: true };
}

async function take(tx: Transaction, event: Recording, provider: PaymentProvider, id: string, subscriptionId: string) {
  // Notices of one subscription follow each other, so that who reads the provider last also writes last.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`subscriptions:${subscriptionId}`}, 0))`;
  const fresh = await tx.$executeRaw`
    INSERT INTO billing_events (id, received_at) VALUES (${id}, now()) ON CONFLICT DO NOTHING`;
  if (fresh === 0) return;
  const now = await provider.subscription(subscriptionId);
  const organization = now?.organizationId ? await lockOrganization(tx, now.organizationId) : undefined;
  if (now === null || organization === undefined) {
    log.warn({ subscription: subscriptionId, notice: id }, "a subscription belongs to no organization here");
    return;
  }
  event.row.organization_id = organization.id;
  event.row.retention_days = auditRetentionDays(organization.plan);
  const held = await tx.subscription.findUnique({ where: { organizationId: organization.id } });
  // What ended does not end the one bought after it.
  if (held !== null && held.subscriptionId !== subscriptionId && !now.isPaid) return;
  const { organizationId: _, plan, isPaid, ...stored } = now;
  const data = { ...stored, updatedAt: event.occurredAt };
  await tx.subscription.upsert({
    where: { organizationId: organization.id },
    create: { organizationId: organization.id, ...data },
    update: data,
  });
  if (isPaid && plan === null) {
    log.error(
      { price: now.priceId, organization: organization.id },
      "a price is paid that STRIPE_PRICES does not name",
    );
    return;
  }
  await setPlanIn(tx, event, organization.id, isPaid && plan !== null ? plan : "free");
}

async function lockOrganization(tx: Transaction, id: string): Promise<{ id: string; plan: string } | undefined> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return;
  const [found] = await tx.$queryRaw<{ id: string; plan: string }[]>`
    SELECT id, plan FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return found;
}
