import type { Metadata } from "next";
import { MoneyButton } from "@/components/billing/money-button";
import { PlansCompared } from "@/components/billing/plans-compared";
import { UsageBars } from "@/components/billing/usage-bars";
import { readOnlyReason } from "@/components/states/read-only";
import { Time } from "@/components/time/time";
import { plural } from "@/components/time/time-format";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import type { Billing } from "@/lib/billing/contract";
import { getBilling } from "@/lib/billing/get";
import { listPlans } from "@/lib/billing/list-plans";
import { isRunning } from "@/lib/billing/subscription";

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
          subscription !== null && <MoneyButton plan={null} label="Open the billing portal" reason={reason} />
        }
      >
        This organization is on the plan <span className="font-medium text-ink">{billing.plan}</span>. It keeps the
        audit log for {plural(billing.audit_retention_days, "day")} and checks at most every{" "}
        {plural(billing.shortest_interval_seconds, "second")}.
      </PageHeader>
      <div className="grid gap-x-10 gap-y-5 px-4 pb-7 sm:px-5 lg:grid-cols-2">
        <section aria-labelledby="usage">
          <h2 id="usage" className="pb-2 font-medium">
            In use
          </h2>
          <UsageBars usage={billing.usage} />
          <p className="mt-3 text-pretty text-second text-sm">
            What exists beyond a limit stays and goes on being watched; only more is refused.
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
        This installation sells no plans: no payment provider is set up. Its operator puts an organization on a plan.
        Ask them if you need another one.
      </Note>
    );
  }
  if (subscription === null) {
    return (
      <Note tone="plain">
        No subscription. A plan that is bought below is paid at Stripe, and is in force when Stripe has told us, which
        takes a few seconds after you are back here.
      </Note>
    );
  }
  const { status, current_period_end, cancel_at_period_end } = subscription;
  if (!isRunning(subscription)) {
    return (
      <Note tone="plain">
        The subscription has ended. Invoices are still in the billing portal, and a plan can be bought anew.
      </Note>
    );
  }
  const isLate = status === "past_due" || status === "unpaid" || status === "incomplete";
  return (
    <Note tone={isLate ? "warn" : "plain"}>
      {isLate
        ? "The last payment failed; Stripe tries again. Look at the payment method in the billing portal. "
        : null}
      The subscription is {status.replaceAll("_", " ")}. {cancel_at_period_end ? "It ends" : "It renews"}{" "}
      <Time value={current_period_end} style="day" />
      {cancel_at_period_end ? ", then the plan is free." : "."}
    </Note>
  );
}
