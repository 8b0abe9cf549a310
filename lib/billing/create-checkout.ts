import type * as contract from "@/lib/billing/contract";
import type { PaidPlan } from "@/lib/billing/contract";
import { billingUrl } from "@/lib/billing/page";
import { type CheckoutPage, type PaymentProvider, requirePaymentProvider } from "@/lib/billing/provider";
import { isRunning } from "@/lib/billing/subscription";
import { syncWithOwnEvent } from "@/lib/billing/sync-subscription";
import { db, inTransaction } from "@/lib/db/app";
import type { Checkout } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, invalid, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { isAtLeast } from "@/lib/plans";

/** How long a checkout page stays open. The provider allows 30 minutes to 24 hours. */
const PAGE_LIFETIME_MS = 3_600_000;
/** An attempt that has no session after this time counts as failed; it returned no page. */
const CLAIM_LIFETIME_MS = 60_000;
/** Each attempt ends one page that is for another plan, has expired or sold what has ended, or finds the customer to be deleted. */
const MAX_ATTEMPTS = 3;

/**
 * Creates the provider's checkout page for the plan: one per organization at a time, so that nobody pays twice. Throws 400, 403,
 * 409 with an active subscription, a scheduled deletion or a larger plan, 503.
 */
export async function createCheckout(
  principal: Principal,
  { plan }: Input<typeof contract.createCheckout>,
): Promise<Output<typeof contract.createCheckout>> {
  requireAdmin(principal);
  const provider = requirePaymentProvider();
  if (!provider.sells(plan)) throw invalid("plan", "is not sold here");
  let deletedCustomer: string | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const checkout = await claim(principal, plan, deletedCustomer);
    const { sessionId } = checkout;
    const page = sessionId === null ? await open(provider, checkout) : await provider.checkoutPage(sessionId);
    if (page?.status === "open" && checkout.plan === plan) return { url: page.url };
    if (page === null && sessionId === null) deletedCustomer = checkout.customerId;
    await end(provider, checkout, page);
  }
  throw busy();
}

/**
 * The organization's purchase: the pending purchase or a new one, without a customer that the provider has deleted. Concurrent
 * requests share it. Throws 404, 409.
 */
async function claim(
  { organizationId, actor }: Principal,
  plan: PaidPlan,
  deletedCustomer: string | null,
): Promise<Checkout> {
  return inTransaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    const organization = await tx.organization.findUnique({
      where: { id: organizationId },
      include: { subscription: true, checkout: true },
    });
    if (organization === null) throw notFound();
    const { subscription, checkout, deletionDueAt } = organization;
    if (deletionDueAt !== null) {
      throw new ApiError("CONFLICT", "The organization is scheduled for deletion; restore it before you buy a plan.");
    }
    if (subscription !== null && isRunning(subscription)) {
      throw new ApiError("CONFLICT", "The organization already has a subscription; change it in the billing portal.");
    }
    if (!isAtLeast(plan, organization.plan)) {
      const why = `The operator set the larger plan "${organization.plan}" for this organization`;
      throw new ApiError("CONFLICT", `${why}, so buying "${plan}" would change nothing.`);
    }
    if (checkout !== null && (checkout.sessionId !== null || isUnderWay(checkout))) return checkout;
    const customerId = subscription?.customerId ?? null;
    const data = {
      id: newId(),
      plan,
      customerId: customerId === deletedCustomer ? null : customerId,
      email: actor.type === "user" ? actor.email : null,
      sessionId: null,
      expiresAt: new Date(Date.now() + PAGE_LIFETIME_MS),
    };
    return tx.checkout.upsert({ where: { organizationId }, create: { organizationId, ...data }, update: data });
  });
}

function isUnderWay({ expiresAt }: Checkout): boolean {
  return expiresAt.getTime() > Date.now() + PAGE_LIFETIME_MS - CLAIM_LIFETIME_MS;
}

/**
 * Opens the page, or finds the page that was opened with the same key. Returns a page only once it is stored, and null if the provider
 * does not know the customer.
 */
async function open(provider: PaymentProvider, checkout: Checkout): Promise<CheckoutPage | null> {
  const { organizationId, id, plan, customerId, email, expiresAt } = checkout;
  try {
    const purchase = {
      organizationId,
      plan,
      customerId,
      email,
      expiresAt,
      returnUrl: billingUrl(),
      idempotencyKey: id,
    };
    const page = await provider.checkout(purchase);
    if (page === null) return null;
    const { sessionId, url } = page;
    const { count } = await db().checkout.updateMany({ where: { organizationId, id }, data: { sessionId } });
    if (count === 0) throw busy();
    checkout.sessionId = sessionId;
    return { status: "open", url };
  } catch (error) {
    // The provider repeats a failure for the same key, so the next attempt needs a new key, unless the first is still running.
    if (!(error instanceof ApiError && error.code === "CONFLICT"))
      await db().checkout.deleteMany({ where: { organizationId, id, sessionId: null } });
    throw error;
  }
}

/** Expires a page, so that nobody can pay on it any more, and only then deletes its row. Throws 409 if it was paid. */
async function end(
  provider: PaymentProvider,
  { organizationId, id, sessionId }: Checkout,
  page: CheckoutPage | null,
): Promise<void> {
  if (page?.status === "complete") await requireEnded(provider, organizationId, page.subscriptionId);
  else if (sessionId !== null) await provider.expireCheckout(sessionId);
  await db().checkout.deleteMany({ where: { organizationId, id } });
}

/** Throws 409 unless the provider says that the subscription that was bought has ended, perhaps before its first payment. */
async function requireEnded(
  provider: PaymentProvider,
  organizationId: string,
  subscriptionId: string | null,
): Promise<void> {
  if (subscriptionId !== null) {
    await syncWithOwnEvent(provider, organizationId, subscriptionId);
    const now = await provider.subscription(subscriptionId);
    if (now === null || !isRunning(now)) return;
  }
  throw new ApiError("CONFLICT", "The plan has already been bought; change it in the billing portal.");
}

function busy(): ApiError {
  return new ApiError("UNAVAILABLE", "Another purchase was started at the same time. Try again.", { retry_after: 5 });
}
