import type { PaidPlan } from "@/lib/billing/contract";
import { stripeProvider } from "@/lib/billing/stripe";
import { config } from "@/lib/config";
import { ApiError } from "@/lib/http/errors";

/** A subscription as the provider currently has it. */
export interface ProviderSubscription {
  /** The organization that bought it, from the checkout's metadata; it may not exist. */
  organizationId: string | null;
  customerId: string;
  subscriptionId: string;
  /** The provider's own word. */
  status: string;
  /** Whether the plan may be used, including while a failed payment is retried. */
  isPaid: boolean;
  priceId: string;
  /** The plan sold at that price; null if the configuration has none. */
  plan: PaidPlan | null;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
}

/** A webhook event whose signature was verified. */
export interface ProviderNotice {
  id: string;
  /** The subscription that the event concerns, or null. */
  subscriptionId: string | null;
}

/** A checkout page as the provider currently has it. */
export type CheckoutPage = { status: "open"; url: string } | { status: "complete"; subscriptionId: string | null };

interface Purchase {
  organizationId: string;
  plan: string;
  /** An existing customer of the provider. */
  customerId: string | null;
  email: string | null;
  /** Where the provider sends the buyer afterwards. */
  returnUrl: string;
  /** Nobody can pay on the page after this time. */
  expiresAt: Date;
  /** The provider carries out the same purchase once and rejects another purchase with the same key. */
  idempotencyKey: string;
}

/** A payment provider. Every call may throw 503 if it does not respond. */
export interface PaymentProvider {
  name: "stripe";
  sells: (plan: PaidPlan) => boolean;
  /** Null if the provider does not know the customer. */
  checkout: (purchase: Purchase) => Promise<{ sessionId: string; url: string } | null>;
  /** Null if it expired or the provider does not know it. */
  checkoutPage: (sessionId: string) => Promise<CheckoutPage | null>;
  /** Expires a page; does nothing if it has already ended. */
  expireCheckout: (sessionId: string) => Promise<void>;
  /** Null if the provider does not know the customer. */
  portal: (customerId: string, returnUrl: string) => Promise<string | null>;
  /** The plan for which a subscription with this status and price pays: null if none, undefined if the price is not known. */
  paidPlan: (held: { status: string; priceId: string }) => PaidPlan | null | undefined;
  /** Null if the provider does not know it. */
  subscription: (id: string) => Promise<ProviderSubscription | null>;
  /** Throws 400 if the signature is not valid. */
  verify: (body: Buffer, signature: string) => ProviderNotice;
}

/** The configured provider, or null. */
export function paymentProvider(): PaymentProvider | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICES: prices } = config();
  if (!(secretKey && webhookSecret && prices)) return null;
  return stripeProvider({ secretKey, webhookSecret, prices, apiUrl: new URL(config().STRIPE_API_URL) });
}

/** Throws 503 if no provider is configured. */
export function requirePaymentProvider(): PaymentProvider {
  const provider = paymentProvider();
  if (provider !== null) return provider;
  throw new ApiError("UNAVAILABLE", "This installation has no payment provider; its operator sets plans.");
}
