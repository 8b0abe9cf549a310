import * as z from "zod";
import { condition, step } from "@/lib/alerts/rules/conditions";
import { endpoint, id, time } from "@/lib/http/endpoint";
import { channelStates, notificationDelivery } from "@/lib/notification-channels/contract";
import { channelTypes } from "@/lib/notification-channels/providers/types";

/** The types of resources that rules cover. */
export const coveredTypes = ["endpoint", "monitor", "api_key", "domain"] as const;

/** The fields of a step, except its channels, which are shown by name. */
const { channel_ids, ...termsOfStep } = step.shape;

const channel = z.strictObject({
  id,
  name: z.string(),
  type: z.enum(channelTypes),
  state: z.enum(channelStates),
});

const coveringRule = z.strictObject({
  id,
  name: z.string(),
  condition,
  steps: z
    .array(
      z.strictObject({
        step: z.int().describe("Counted from 1."),
        ...termsOfStep,
        reached_at: time
          .nullable()
          .describe(
            "When the step is reached if the certificate is not replaced; possibly in the past. Null unless the condition is about the time left and the endpoint serves a certificate.",
          ),
        channels: z.array(channel).describe("The enabled channels that are notified in this step, at most 20."),
      }),
    )
    .describe("The steps of the rule."),
});

export const alertCoverage = z
  .strictObject({
    resource: z.strictObject({ type: z.enum(coveredTypes), id, name: z.string() }),
    notified: z.boolean().describe("Whether an enabled rule covers it while a channel is enabled."),
    rule_count: z.int().describe("The number of enabled rules that cover it."),
    rules: z.array(coveringRule).describe("The enabled rules that cover it, by name, at most 50."),
    next_at: time.nullable().describe("The next time at which a step of a rule about the time left is reached."),
    last_message: notificationDelivery
      .nullable()
      .describe("The last message about one of its alerts, within the last 30 days."),
  })
  .meta({ id: "AlertCoverage" });

export type AlertCoverage = z.output<typeof alertCoverage>;
export type CoveringRule = AlertCoverage["rules"][number];

export const getAlertCoverage = endpoint({
  method: "GET",
  path: "/alert-rules/coverage",
  action: "alert_rule.coverage",
  errors: ["NOT_FOUND"],
  summary: "Who is notified of problems of a resource: the rules that cover it, their channels, and the last message.",
  query: z.strictObject({
    resource_type: z.enum(coveredTypes),
    resource_id: id.describe("The id of an endpoint, a monitor, an API key or a domain."),
  }),
  data: alertCoverage,
});

const alertRuleSentTest = z
  .strictObject({
    enabled: z.boolean().describe("Whether the rule is enabled. A disabled rule can be tested, but opens no alerts."),
    held: z
      .boolean()
      .describe("Whether quiet hours would hold the notification back now. They do not hold back a test."),
    channel_count: z.int().describe("The number of channels that the rule notifies; at most 20 of them are tested."),
    results: z.array(
      z.strictObject({
        step: z.int().describe("The first step that notifies this channel, counted from 1."),
        delivery: notificationDelivery,
      }),
    ),
  })
  .meta({ id: "AlertRuleSentTest" });

export type AlertRuleSentTest = z.output<typeof alertRuleSentTest>;

export const sendAlertRuleTest = endpoint({
  method: "POST",
  path: "/alert-rules/{id}/send-test",
  action: "alert_rule.send_test",
  summary:
    "Sends a test message to every enabled channel that the rule's steps notify, immediately and without retries, and returns the results. Opens no alert.",
  body: z.strictObject({
    resource: z
      .strictObject({ type: z.enum(coveredTypes), id })
      .nullable()
      .default(null)
      .describe("A resource to name in the message."),
  }),
  data: alertRuleSentTest,
});
