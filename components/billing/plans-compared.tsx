import { BillingButton } from "@/components/billing/billing-button";
import { nouns } from "@/components/billing/usage-bars";
import { formatSetting } from "@/components/time/time-format";
import { Badge } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import type { Billing, BillingPlan, PaidPlan } from "@/lib/billing/contract";
import { isAtLeast } from "@/lib/plans";
import { formatCount } from "@/lib/text/counts";

/** The limits of the plans side by side, with the current plan marked. */
export function PlansCompared({
  plans,
  billing,
  canBuy,
  reason,
}: {
  plans: readonly BillingPlan[];
  billing: Billing;
  /** Whether plans are for sale and no active subscription has to be changed instead. A smaller plan than the operator set has no effect. */
  canBuy: boolean;
  reason: string | null;
}) {
  const rows: [string, (plan: BillingPlan) => string][] = [
    ...Object.entries(nouns).map(
      ([noun, label]) => [label, ({ limits }: BillingPlan) => formatCount(limits[noun as keyof typeof nouns])] as const,
    ),
    ["Shortest interval", (plan) => formatSetting(plan.shortest_interval_seconds)],
    ["Audit log retention", (plan) => `${formatCount(plan.audit_retention_days)} days`],
  ] as [string, (plan: BillingPlan) => string][];
  return (
    <section aria-label="Plans" className="grid grid-cols-1 gap-3 px-4 sm:grid-cols-2 sm:px-5 xl:grid-cols-4">
      {plans.map((plan) => {
        const isHere = plan.name === billing.plan;
        return (
          <article
            key={plan.name}
            className={cx("flex flex-col rounded-md border bg-panel p-4", isHere && "border-seal")}
            aria-current={isHere || undefined}
          >
            <h3 className="flex items-center justify-between font-semibold text-lg">
              <span className="capitalize">{plan.name}</span>
              {isHere && <Badge tone="seal">current plan</Badge>}
            </h3>
            <dl className="mt-3 grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1">
              {rows.map(([label, value]) => (
                <div key={label} className="col-span-2 grid grid-cols-subgrid">
                  <dt className="text-second">{label}</dt>
                  <dd className="text-right tabular-nums">{value(plan)}</dd>
                </div>
              ))}
            </dl>
            {canBuy && plan.purchasable && isAtLeast(plan.name, billing.plan) && (
              <div className="mt-4">
                <BillingButton plan={plan.name as PaidPlan} label={`Buy ${plan.name}`} reason={reason} />
              </div>
            )}
          </article>
        );
      })}
    </section>
  );
}
