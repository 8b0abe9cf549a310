import type * as contract from "@/lib/billing/contract";
import { billingUrl } from "@/lib/billing/page";
import { requirePaymentProvider } from "@/lib/billing/provider";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/**
 * Creates the provider's page for changing or cancelling the subscription. Throws 403, 409 without a subscription or if the provider
 * has deleted the customer, 503.
 */
export async function createPortal(
  principal: Principal,
  _input: Input<typeof contract.createPortal>,
): Promise<Output<typeof contract.createPortal>> {
  requireAdmin(principal);
  const provider = requirePaymentProvider();
  const { organizationId } = principal;
  const known = await db().subscription.findUnique({ where: { organizationId } });
  const url = known && (await provider.portal(known.customerId, billingUrl()));
  if (url === null) throw new ApiError("CONFLICT", "The organization has no subscription yet; buy a plan first.");
  return { url };
}
