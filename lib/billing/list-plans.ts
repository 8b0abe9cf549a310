import type * as contract from "@/lib/billing/contract";
import { paymentProvider } from "@/lib/billing/provider";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { limited, planNames, plans } from "@/lib/plans";

/** Every plan, smallest first. */
export async function listPlans(
  _principal: Principal,
  _input: Input<typeof contract.listPlans>,
): Promise<Output<typeof contract.listPlans>> {
  const provider = paymentProvider();
  return planNames.map((name) => ({
    name,
    audit_retention_days: plans[name].auditRetentionDays,
    shortest_interval_seconds: plans[name].shortestIntervalSeconds,
    limits: Object.fromEntries(limited.map((noun) => [noun, plans[name][noun]])) as contract.BillingPlan["limits"],
    purchasable: name !== "free" && (provider?.sells(name) ?? false),
  }));
}
