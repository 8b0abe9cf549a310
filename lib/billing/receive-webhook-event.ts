import { auditEvent } from "@/lib/audit-logs/audit-event-draft";
import type * as contract from "@/lib/billing/contract";
import { requirePaymentProvider } from "@/lib/billing/provider";
import { syncSubscription } from "@/lib/billing/sync-subscription";
import { arrivals } from "@/lib/http/arrival";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";

/**
 * Handles a signed webhook event of the payment provider. Reads its subscription again, so that late, repeated and reordered
 * events all end in the current state. The audit event belongs to the organization. Throws 400, 503.
 */
export async function receiveBillingWebhookEvent(
  _principal: Principal | null,
  _input: Input<typeof contract.receiveBillingNotice>,
): Promise<Output<typeof contract.receiveBillingNotice>> {
  const provider = requirePaymentProvider();
  const signature = arrivals.getStore()?.message.headers["stripe-signature"];
  if (typeof signature !== "string") throw invalid("Stripe-Signature", "must be given");
  const { id, subscriptionId } = provider.verify(auditEvent().body ?? Buffer.alloc(0), signature);
  Object.assign(auditEvent().row, { auth_type: "system", user_name: "Stripe" });
  if (subscriptionId !== null) await syncSubscription(provider, subscriptionId, id);
  return { received: true };
}
