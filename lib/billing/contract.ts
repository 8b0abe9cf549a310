import * as z from "zod";
import { endpoint, shownOnce, time } from "@/lib/http/endpoint";
import { limited, type Plan, planNames } from "@/lib/plans";

const plan = z.enum(planNames);
const count = z.number().int().nonnegative();

const paidPlans = planNames.filter((name): name is Exclude<Plan, "free"> => name !== "free");
export type PaidPlan = (typeof paidPlans)[number];

const billingPlan = z
  .strictObject({
    name: plan,
    audit_retention_days: count,
    shortest_interval_seconds: count,
    limits: z.record(z.enum(limited), count).describe("Maximum number of each that the plan allows."),
    purchasable: z.boolean().describe("Whether customers can buy it; the operator sets other plans."),
  })
  .meta({ id: "BillingPlan" });

const billing = z
  .strictObject({
    plan,
    audit_retention_days: count,
    shortest_interval_seconds: count,
    usage: z
      .record(z.enum(limited), z.strictObject({ used: count, limit: count }))
      .describe("Existing resources beyond a limit are kept and stay monitored; adding more is rejected with 402."),
    provider: z.enum(["stripe"]).nullable().describe("Null without a payment provider."),
    subscription: z
      .strictObject({
        status: z.string().describe("As the provider names it: active, trialing, past_due, canceled, …"),
        current_period_end: time,
        cancel_at_period_end: z.boolean(),
      })
      .nullable(),
  })
  .meta({ id: "Billing" });

export type Billing = z.output<typeof billing>;
export type BillingPlan = z.output<typeof billingPlan>;

const page = z
  .strictObject({
    url: shownOnce(z.url().describe("The provider's page, to be opened in the buyer's browser. Short-lived.")),
  })
  .meta({ id: "BillingPage" });

export const getBilling = endpoint({
  method: "GET",
  path: "/billing",
  action: "billing.get",
  errors: ["NOT_FOUND"],
  summary: "The organization's plan, its usage and its subscription.",
  data: billing,
});

export const listPlans = endpoint({
  method: "GET",
  path: "/billing/plans",
  action: "billing_plan.list",
  summary: "Every plan with its limits, smallest first.",
  data: z.array(billingPlan),
});

export const createCheckout = endpoint({
  method: "POST",
  path: "/billing/checkout",
  action: "billing.checkout",
  errors: ["NOT_FOUND", "CONFLICT"],
  summary:
    "Creates a checkout page for a plan; one per organization at a time. 503 without a payment provider, 409 with an active subscription, a scheduled deletion, or a larger plan that the operator set.",
  body: z.strictObject({ plan: z.enum(paidPlans) }),
  data: page,
});

export const createPortal = endpoint({
  method: "POST",
  path: "/billing/portal",
  action: "billing.portal",
  summary:
    "Creates a page for changing, paying or cancelling the subscription. 503 without a payment provider, 409 without a subscription.",
  data: page,
  errors: ["CONFLICT"],
});

export const receiveBillingNotice = endpoint({
  method: "POST",
  path: "/billing/webhook",
  action: "billing.notice",
  headers: { "Stripe-Signature": "The payment provider's signature of the body." },
  summary: "Receives the payment provider's signed webhooks. Repeated webhooks change nothing.",
  body: z.looseObject({}),
  data: z.strictObject({ received: z.literal(true) }).meta({ id: "BillingNoticeReceived" }),
  public: true,
});
