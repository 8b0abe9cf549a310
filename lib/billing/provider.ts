import type { PaidPlan } from "@/lib/billing/contract";
import { stripeProvider } from "@/lib/billing/stripe";
import { config } from "@/lib/config";
import { ApiError } from "@/lib/http/errors";

/** A subscription as the provider has it now. */
export interface ProviderSubscription {
  /** The organization that bought it, as the checkout was told; not checked to exist. */
  organizationId: string | null;
  customerId: string;
  subscriptionId: string;
  /** In the provider's words. */
  status: string;
  /** Whether the plan may be used: also while a failed payment is tried again. */
  isPaid: boolean;
  priceId: string;
  /** The plan sold at that price; null where the configuration names none. */
  plan: PaidPlan | null;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
}

/** A notice whose signature held. */
export interface ProviderNotice {
  id: string;
  /** What the notice is about; null where it concerns no subscription. */
  subscriptionId: string | null;
}

/** A page on which a plan is bought, as the provider has it now. */
export type CheckoutPage = { status: "open"; url: string } | { status: "complete"; subscriptionId: string | null };

export interface Purchase {
  organizationId: string;
  plan: string;
  /** A customer that the provider knows already. */
  customerId: string | null;
  email: string | null;
  /** Where the provider sends the buyer back to. */
  returnUrl: string;
  /** After it nobody can pay on the page. */
  expiresAt: Date;
  /** The provider does the same purchase once, and refuses another under the same key. */
  idempotencyKey: string;
}

/** Whoever takes the money. Every call may throw 503 when it does not answer. */
export interface PaymentProvider {
  name: "stripe";
  sells: (plan: PaidPlan) => boolean;
  checkout: (purchase: Purchase) => Promise<{ sessionId: string; url: string }>;
  /** Null for one that expired or that the provider does not know. */
  checkoutPage: (sessionId: string) => Promise<CheckoutPage | null>;
  /** Ends a page; nothing happens to one that ended already. */
  expireCheckout: (sessionId: string) => Promise<void>;
  portal: (customerId: string, returnUrl: string) => Promise<string>;
  /** Null for one that the provider does not know. */
  subscription: (id: string) => Promise<ProviderSubscription | null>;
  /** Throws 400 where the signature does not hold. */
  verify: (body: Buffer, signature: string) => ProviderNotice;
}

/** The configured provider, or null. */
export function paymentProvider(): PaymentProvider | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICES: prices } = config();
  if (!(secretKey && webhookSecret && prices)) return null;
  return stripeProvider({ secretKey, webhookSecret, prices, apiUrl: new URL(config().STRIPE_API_URL) });
}

/** Throws 503 where no provider is configured. */
export function requirePaymentProvider(): PaymentProvider {
  const provider = paymentProvider();
  if (provider !== null) return provider;
  throw new ApiError("UNAVAILABLE", "This installation has no payment provider: its operator sets plans.");
}
