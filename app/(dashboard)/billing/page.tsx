import type { Metadata } from "next";
import { BillingButton } from "@/components/billing/billing-button";
import { PlansCompared } from "@/components/billing/plans-compared";
import { UsageBars } from "@/components/billing/usage-bars";
import { readOnlyReason } from "@/components/states/read-only";
import { Time } from "@/components/time/time";
import { formatSetting } from "@/components/time/time-format";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import type { Billing } from "@/lib/billing/contract";
import { getBilling } from "@/lib/billing/get";
import { listPlans } from "@/lib/billing/list-plans";
import { isRunning } from "@/lib/billing/subscription";
import { plural } from "@/lib/text/counts";

export const metadata: Metadata = { title: "Plan and usage" };

export default async function BillingPage() {
  const principal = await requirePrincipal();
  const [billing, plans] = await Promise.all([getBilling(principal, {}), listPlans(principal, {})]);
  const reason = readOnlyReason(principal.permission);
  const { provider, subscription } = billing;
  const runs = subscription !== null && isRunning(subscription);
  return (
    <>
      <PageHeader
        title="Plan and usage"
        actions={
          provider !== null &&
          subscription !== null && <BillingButton plan={null} label="Open billing portal" reason={reason} />
        }
      >
        This organization is on the <span className="font-medium text-ink">{billing.plan}</span> plan. It keeps the
        audit log for {plural(billing.audit_retention_days, "day")} and checks at most every{" "}
        {formatSetting(billing.shortest_interval_seconds)}.
      </PageHeader>
      <div className="grid gap-x-10 gap-y-5 px-4 pb-7 sm:px-5 lg:grid-cols-2">
        <section aria-labelledby="usage">
          <h2 id="usage" className="pb-2 font-medium">
            Usage
          </h2>
          <UsageBars usage={billing.usage} />
          <p className="mt-3 text-pretty text-second text-sm">
            Resources over a limit stay and are still monitored. Only new ones are rejected.
          </p>
        </section>
        <section aria-labelledby="payment">
          <h2 id="payment" className="pb-2 font-medium">
            Payment
          </h2>
          <Payment billing={billing} />
        </section>
      </div>
      <h2 className="px-4 pb-2 font-medium sm:px-5">Plans</h2>
      <PlansCompared plans={plans} billing={billing} canBuy={provider !== null && !runs} reason={reason} />
    </>
  );
}

function Payment({ billing: { provider, subscription } }: { billing: Billing }) {
  if (provider === null) {
    return (
      <Note tone="plain">
        This installation sells no plans because no payment provider is configured. Ask its operator to change your
        plan.
      </Note>
    );
  }
  if (subscription === null) {
    return (
      <Note tone="plain">
        No subscription. You pay for a plan through Stripe, and it takes effect a few seconds after you return here.
      </Note>
    );
  }
  const { status, current_period_end, cancel_at_period_end } = subscription;
  if (!isRunning(subscription)) {
    return (
      <Note tone="plain">
        The subscription has ended. The billing portal still has your invoices, and you can buy a plan again.
      </Note>
    );
  }
  const isLate = status === "past_due" || status === "unpaid" || status === "incomplete";
  return (
    <Note tone={isLate ? "warn" : "plain"}>
      {isLate
        ? "The last payment failed, and Stripe will retry it. Check the payment method in the billing portal. "
        : null}
      The subscription is {status.replaceAll("_", " ")}. {cancel_at_period_end ? "It ends" : "It renews"}{" "}
      <Time value={current_period_end} style="day" />
      {cancel_at_period_end ? ", and the plan then changes to free." : "."}
    </Note>
  );
}
