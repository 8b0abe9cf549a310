import type * as contract from "@/lib/billing/contract";
import { billingUrl } from "@/lib/billing/page";
import { type PaymentProvider, requirePaymentProvider } from "@/lib/billing/provider";
import { isRunning } from "@/lib/billing/subscription";
import { syncSubscription } from "@/lib/billing/sync-subscription";
import { db } from "@/lib/db/app";
import type { Checkout } from "@/lib/db/generated/app/client";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError, invalid, notFound } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

/** How long a page can be paid on. The provider allows 30 minutes to 24 hours. */
const PAGE_LIFETIME_MS = 3_600_000;
/** After it an attempt that learned of no session is taken for dead; it handed no page out. */
const CLAIM_LIFETIME_MS = 60_000;
/** Each attempt ends one page that is for another plan, or expired. */
const MAX_ATTEMPTS = 3;

/**
 * A page of the provider on which the plan is bought: one per organization at a time, so that nobody pays twice. Throws 400, 403,
 * 409 with a subscription that runs or a deletion that is due, 503.
 */
export async function createCheckout(
  principal: Principal,
  { plan }: Input<typeof contract.createCheckout>,
): Promise<Output<typeof contract.createCheckout>> {
  requireAdmin(principal);
  const provider = requirePaymentProvider();
  if (!provider.sells(plan)) throw invalid("plan", "is not sold here");
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const checkout = await claim(principal, plan);
    const url = checkout.sessionId === null ? await open(provider, checkout) : await stillOpen(provider, checkout);
    if (url !== null && checkout.plan === plan) return { url };
    await end(provider, checkout);
  }
  throw busy();
}

/** The organization's purchase: the one under way, or a new one. Who asks at the same time gets the same. Throws 404, 409. */
async function claim({ organizationId, actor }: Principal, plan: string): Promise<Checkout> {
  return db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    const organization = await tx.organization.findUnique({
      where: { id: organizationId },
      include: { subscription: true, checkout: true },
    });
    if (organization === null) throw notFound();
    const { subscription, checkout, deletionDueAt } = organization;
    if (deletionDueAt !== null) {
      throw new ApiError("CONFLICT", "The organization is to be deleted; restore it before you buy a plan.");
    }
    if (subscription !== null && isRunning(subscription)) {
      throw new ApiError("CONFLICT", "The organization has a subscription; change it in the billing portal.");
    }
    if (checkout !== null && (checkout.sessionId !== null || isUnderWay(checkout))) return checkout;
    const data = {
      id: newId(),
      plan,
      customerId: subscription?.customerId ?? null,
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

/** Opens the page, or learns of the one that was opened under the same key. A page is handed out only once it is stored. */
async function open(provider: PaymentProvider, checkout: Checkout): Promise<string> {
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
    const { sessionId, url } = await provider.checkout(purchase);
    const { count } = await db().checkout.updateMany({ where: { organizationId, id }, data: { sessionId } });
    if (count === 0) throw busy();
    checkout.sessionId = sessionId;
    return url;
  } catch (error) {
    // The provider repeats a failure under the same key, so the next attempt takes another; unless it is still at it.
    if (!(error instanceof ApiError && error.code === "CONFLICT"))
      await db().checkout.deleteMany({ where: { organizationId, id, sessionId: null } });
    throw error;
  }
}

/** The address of a page that was opened earlier; null if it expired. Throws 409 if it was paid on. */
async function stillOpen(provider: PaymentProvider, { sessionId }: Checkout): Promise<string | null> {
  const page = await provider.checkoutPage(sessionId ?? "");
  if (page?.status !== "complete") return page?.url ?? null;
  if (page.subscriptionId !== null) await syncSubscription(provider, page.subscriptionId);
  throw new ApiError("CONFLICT", "The plan has been bought already; change it in the billing portal.");
}

/** Ends a page, so that nobody can pay on it any more, and only then forgets it. */
async function end(provider: PaymentProvider, { organizationId, id, sessionId }: Checkout): Promise<void> {
  if (sessionId !== null) await provider.expireCheckout(sessionId);
  await db().checkout.deleteMany({ where: { organizationId, id } });
}

function busy(): ApiError {
  return new ApiError("UNAVAILABLE", "Another purchase was begun at the same time. Try again.", { retry_after: 5 });
}
