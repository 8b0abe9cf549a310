import { setTimeout as delay } from "node:timers/promises";
import Stripe from "stripe";
import type { PaidPlan } from "@/lib/billing/contract";
import type { PaymentProvider, ProviderNotice, ProviderSubscription } from "@/lib/billing/provider";
import { ApiError, invalid } from "@/lib/http/errors";
import { log } from "@/lib/log";

interface Options {
  secretKey: string;
  webhookSecret: string;
  /** The price id of each plan that is sold. */
  prices: ReadonlyMap<PaidPlan, string>;
  apiUrl: URL;
}

/** A caller waits for the response. */
const TIMEOUT_MS = 6_000;
/** How long to wait for another request with the same idempotency key. */
const IN_USE_MS = 1_000;
/** Stripe retries a failed payment for a while before it ends the subscription (docs: subscription statuses). */
const PAID = ["active", "trialing", "past_due"];

/** Stripe, with its own library. */
export function stripeProvider({ secretKey, webhookSecret, prices, apiUrl }: Options): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    host: apiUrl.hostname,
    port: apiUrl.port || (apiUrl.protocol === "https:" ? 443 : 80),
    protocol: apiUrl.protocol === "https:" ? "https" : "http",
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const priceOf = new Map<string, string>(prices);
  const planAt = new Map([...prices].map(([plan, price]) => [price, plan]));

  return {
    name: "stripe",
    sells: (plan) => prices.has(plan),

    async checkout({ organizationId, plan, customerId, email, returnUrl, expiresAt, idempotencyKey }) {
      const price = priceOf.get(plan);
      if (price === undefined) throw invalid("plan", "is not sold here");
      const session = {
        mode: "subscription" as const,
        client_reference_id: organizationId,
        line_items: [{ price, quantity: 1 }],
        subscription_data: { metadata: { organization_id: organizationId } },
        ...(customerId !== null && { customer: customerId }),
        ...(customerId === null && email !== null && { customer_email: email }),
        success_url: returnUrl,
        cancel_url: returnUrl,
        expires_at: Math.floor(expiresAt.getTime() / 1000),
      };
      const create = () => stripe.checkout.sessions.create(session, { idempotencyKey });
      const created = await nullIfMissing(() => retryOnConflict(create), "customer");
      if (created === null) return null;
      if (created.url === null) throw unavailable();
      return { sessionId: created.id, url: created.url };
    },

    async checkoutPage(id) {
      const found = await nullIfMissing(() => stripe.checkout.sessions.retrieve(id));
      if (found?.status === "open" && found.url !== null) return { status: "open", url: found.url };
      if (found?.status !== "complete") return null;
      const { subscription } = found;
      const subscriptionId = typeof subscription === "string" ? subscription : (subscription?.id ?? null);
      return { status: "complete", subscriptionId };
    },

    async expireCheckout(id) {
      try {
        const { status } = await request(() => stripe.checkout.sessions.expire(id));
        if (status !== "expired") throw unavailable();
      } catch (error) {
        // Only an open page can expire; a page that was paid meanwhile must not count as expired.
        const found = await nullIfMissing(() => stripe.checkout.sessions.retrieve(id));
        if (found === null || found.status === "expired") return;
        log.error({ err: error }, "could not expire a checkout page");
        throw unavailable();
      }
    },

    async portal(customer, returnUrl) {
      const session = { customer, return_url: returnUrl };
      return (await nullIfMissing(() => stripe.billingPortal.sessions.create(session), "customer"))?.url ?? null;
    },

    paidPlan: ({ status, priceId }) => (PAID.includes(status) ? planAt.get(priceId) : null),

    async subscription(id) {
      const found = await nullIfMissing(() => stripe.subscriptions.retrieve(id));
      return found && toSubscription(found, planAt);
    },

    verify(body, signature): ProviderNotice {
      let event: Stripe.Event;
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret);
      } catch {
        throw invalid("Stripe-Signature", "does not match the body, or is older than 5 minutes");
      }
      return { id: event.id, subscriptionId: subscriptionOf(event) };
    },
  };
}

function subscriptionOf(event: Stripe.Event): string | null {
  switch (event.type) {
    case "checkout.session.completed": {
      const { subscription } = event.data.object;
      return typeof subscription === "string" ? subscription : (subscription?.id ?? null);
    }
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
    case "customer.subscription.paused":
    case "customer.subscription.resumed":
      return event.data.object.id;
    default:
      return null;
  }
}

function toSubscription(found: Stripe.Subscription, planAt: Map<string, PaidPlan>): ProviderSubscription {
  const [item] = found.items.data;
  if (item === undefined) throw new Error(`the subscription ${found.id} has no item`);
  return {
    organizationId: found.metadata.organization_id ?? null,
    customerId: typeof found.customer === "string" ? found.customer : found.customer.id,
    subscriptionId: found.id,
    status: found.status,
    isPaid: PAID.includes(found.status),
    priceId: item.price.id,
    plan: planAt.get(item.price.id) ?? null,
    currentPeriodEnd: new Date(item.current_period_end * 1000),
    // With flexible billing, the portal sets the time instead.
    cancelAtPeriodEnd: found.cancel_at_period_end || endsBy(found.cancel_at, item.current_period_end),
  };
}

/** Whether a subscription ends at a time, if any, that is within the current period. */
function endsBy(cancelAt: number | null, periodEnd: number): boolean {
  return cancelAt !== null && cancelAt <= periodEnd;
}

interface Answered {
  lastResponse: { statusCode: number };
}

/** Waits once while another request with the same idempotency key is in progress (409). */
async function retryOnConflict<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
  await delay(IN_USE_MS);
  return call();
}

function isConflict(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 409;
}

/** Null if the provider does not know the object of the request, or the one that the parameter names. Throws 409, 503. */
async function nullIfMissing<T extends Answered>(call: () => Promise<T>, parameter?: "customer"): Promise<T | null> {
  try {
    return await accepted(call);
  } catch (error) {
    const { code, param } = error instanceof Stripe.errors.StripeInvalidRequestError ? error : {};
    if (code === "resource_missing" && (parameter === undefined || param === parameter)) return null;
    throw toApiError(error);
  }
}

/** Throws 409, 503. */
async function request<T extends Answered>(call: () => Promise<T>): Promise<T> {
  try {
    return await accepted(call);
  } catch (error) {
    throw toApiError(error);
  }
}

/** Stripe's library accepts an error status with an unreadable body, for example from a proxy, as a response. */
async function accepted<T extends Answered>(call: () => Promise<T>): Promise<T> {
  const answer = await call();
  if (answer.lastResponse.statusCode >= 400) throw new Error(`status ${answer.lastResponse.statusCode}`);
  return answer;
}

/** Turns failures that are not the caller's fault into 503 and logs the reason. */
function toApiError(error: unknown): ApiError {
  if (isConflict(error)) return new ApiError("CONFLICT", "Another purchase is being opened. Try again shortly.");
  log.error({ err: error }, "the payment provider rejected the request or did not respond");
  return unavailable();
}

function unavailable(): ApiError {
  return new ApiError("UNAVAILABLE", "The payment provider is temporarily unavailable.", {
    retry_after: 30,
  });
}
