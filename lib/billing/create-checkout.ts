import type { Input, Output } from "@/lib/api/endpoint";
import { ApiError, invalid } from "@/lib/api/errors";
import { recording } from "@/lib/audit-logs/recording";
import { type Principal, requireAdmin } from "@/lib/auth/principal";
import type * as contract from "@/lib/billing/contract";
import { billingUrl } from "@/lib/billing/page";
import { requirePaymentProvider } from "@/lib/billing/provider";
import { isRunning } from "@/lib/billing/subscription";
import { db } from "@/lib/db/app";

/** A page of the provider on which the plan is bought. Throws 400, 403, 409 with a subscription that runs, 503. */
export async function createCheckout(
  principal: Principal,
  { plan }: Input<typeof contract.createCheckout>,
): Promise<Output<typeof contract.createCheckout>> {
  requireAdmin(principal);
  const provider = requirePaymentProvider();
  if (!provider.sells(plan)) throw invalid("plan", "is not sold here");
  const { organizationId, actor } = principal;
  const known = await db().subscription.findUnique({ where: { organizationId } });
  if (known !== null && isRunning(known)) {
    throw new ApiError("CONFLICT", "The organization has a subscription; change it in the billing portal.");
  }
  const url = await provider.checkout({
    organizationId,
    plan,
    customerId: known?.customerId ?? null,
    email: actor.type === "user" ? actor.email : null,
    returnUrl: billingUrl(),
    idempotencyKey: recording().id,
  });
  return { url };
}
