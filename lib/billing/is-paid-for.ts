import { paymentProvider } from "@/lib/billing/provider";
import { isRunning } from "@/lib/billing/subscription";
import { syncWithOwnEvent } from "@/lib/billing/sync-subscription";
import { db } from "@/lib/db/app";

/**
 * Whether the provider says that an organization pays or may soon pay: its subscription is active or its checkout page was paid.
 * Expires an open page. Without a provider the last known state counts. Throws 503.
 */
export async function isPaidFor(organizationId: string): Promise<boolean> {
  const [subscription, checkout] = await Promise.all([
    db().subscription.findUnique({ where: { organizationId } }),
    db().checkout.findUnique({ where: { organizationId } }),
  ]);
  const held = subscription !== null && isRunning(subscription);
  const provider = paymentProvider();
  if (provider === null) return held;
  const page = checkout?.sessionId ? await provider.checkoutPage(checkout.sessionId) : null;
  if (page?.status === "open" && checkout?.sessionId) await provider.expireCheckout(checkout.sessionId);
  const ids = [held ? subscription.subscriptionId : null, page?.status === "complete" ? page.subscriptionId : null];
  for (const id of ids) {
    if (id === null) continue;
    const now = await provider.subscription(id);
    if (now !== null && isRunning(now)) return true;
    await syncWithOwnEvent(provider, organizationId, id);
  }
  return false;
}
