import type * as contract from "@/lib/billing/contract";
import { usage } from "@/lib/billing/plan-limits";
import { paymentProvider } from "@/lib/billing/provider";
import { db } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { notFound } from "@/lib/http/errors";
import type { Principal } from "@/lib/http/principal";
import { allowances, limited, type Plan } from "@/lib/plans";

/** The organization's plan and its usage. Throws 404. */
export async function getBilling(
  { organizationId }: Principal,
  _input: Input<typeof contract.getBilling>,
): Promise<Output<typeof contract.getBilling>> {
  const [organization, used] = await Promise.all([
    db().organization.findUnique({ where: { id: organizationId }, include: { subscription: true } }),
    usage(organizationId),
  ]);
  if (organization === null) throw notFound();
  const { plan, subscription } = organization;
  const allowed = allowances(plan);
  return {
    plan: plan as Plan,
    audit_retention_days: allowed.auditRetentionDays,
    shortest_interval_seconds: allowed.shortestIntervalSeconds,
    usage: Object.fromEntries(
      limited.map((noun) => [noun, { used: used[noun], limit: allowed[noun] }]),
    ) as contract.Billing["usage"],
    provider: paymentProvider()?.name ?? null,
    subscription: subscription && {
      status: subscription.status,
      current_period_end: subscription.currentPeriodEnd.toISOString(),
      cancel_at_period_end: subscription.cancelAtPeriodEnd,
    },
  };
}
