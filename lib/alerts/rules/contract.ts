import * as z from "zod";
import { subjectTypes } from "@/lib/alerts/alert-state";
import { condition, faultsOf, quietHours, type RuleTerms, selector, step } from "@/lib/alerts/rules/conditions";
import { severities } from "@/lib/certificates/findings";
import { endpoint, id, name, pageQuery, time } from "@/lib/http/endpoint";
import { whole } from "@/lib/http/schemas/whole-number";

const fields = {
  name,
  enabled: z.boolean(),
  selector,
  condition,
  steps: z.array(step).min(1, "must have at least one step").max(5, "must have at most 5 steps"),
  repeat_minutes: whole(5, 43_200)
    .nullable()
    .describe("Minutes between two notifications while the alert is open; null for no repeats."),
  resolve_after_minutes: whole(0, 10_080).describe("Minutes that the cause must be absent before the alert resolves."),
  send_resolved: z.boolean().describe("Whether a notification is sent when it resolves."),
  quiet_hours: quietHours.nullable(),
};

function checkTerms(terms: RuleTerms, context: z.RefinementCtx): void {
  for (const { path, message } of faultsOf(terms)) {
    context.addIssue({ code: "custom", path: path.split("."), message });
  }
}

/** The input for creating a rule. */
export const alertRuleInput = z
  .strictObject({
    ...fields,
    enabled: fields.enabled.default(true),
    selector: fields.selector.default({ tags: [], ids: [] }),
    repeat_minutes: fields.repeat_minutes.default(null),
    resolve_after_minutes: fields.resolve_after_minutes.default(5),
    send_resolved: fields.send_resolved.default(true),
    quiet_hours: fields.quiet_hours.default(null),
  })
  .superRefine(checkTerms);
export type AlertRuleInput = z.output<typeof alertRuleInput>;

export const alertRule = z
  .strictObject({
    id,
    ...fields,
    name: z.string(),
    open_alerts: z.int(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "AlertRule" });

const subject = z.strictObject({ type: z.enum(subjectTypes), id, name: z.string() });
const severity = z.enum(severities);

const ruleMatch = z
  .strictObject({
    subject,
    certificate_id: id.nullable(),
    detail: z.string(),
    causes: z.array(z.string()),
    step: z.int().nullable().describe("The reached step, counted from 1; null before the first step."),
    severity: severity.nullable(),
  })
  .meta({ id: "AlertRuleMatch" });

const ruleTest = z
  .strictObject({
    held: z.boolean().describe("Whether quiet hours or a mass failure hold the notification back."),
    outcomes: z.array(
      z.strictObject({
        alert_id: id.nullable().describe("Null for an alert that would be opened."),
        subject,
        certificate_id: id.nullable(),
        entries: z.array(z.string()).describe("Entries that its timeline would get: `opened`, `raised`, …"),
        tell: z
          .enum(["opened", "raised", "repeated", "resolved"])
          .nullable()
          .describe("Why channels would be notified."),
        channels: z.array(z.strictObject({ id, name: z.string() })),
      }),
    ),
  })
  .meta({ id: "AlertRuleTest" });

export type AlertRule = z.output<typeof alertRule>;
export type RuleMatch = z.output<typeof ruleMatch>;
export type RuleTest = z.output<typeof ruleTest>;

export const listAlertRules = endpoint({
  method: "GET",
  path: "/alert-rules",
  action: "alert_rule.list",
  summary: "The organization's alert rules, newest first.",
  query: z.strictObject(pageQuery),
  data: alertRule,
  list: true,
});

export const createAlertRule = endpoint({
  method: "POST",
  path: "/alert-rules",
  action: "alert_rule.create",
  summary:
    "Creates a rule. It is evaluated immediately, after changes that may match it, and at least every 10 minutes. Plans limit the number of rules.",
  body: alertRuleInput,
  data: alertRule,
  status: 201,
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
});

export const getAlertRule = endpoint({
  method: "GET",
  path: "/alert-rules/{id}",
  action: "alert_rule.get",
  summary: "One alert rule.",
  data: alertRule,
});

export const updateAlertRule = endpoint({
  method: "PUT",
  path: "/alert-rules/{id}",
  action: "alert_rule.update",
  summary: "Changes the given fields; the others stay. Disabling a rule resolves its alerts.",
  body: z.strictObject(fields).partial(),
  data: alertRule,
  errors: ["CONFLICT"],
});

export const deleteAlertRule = endpoint({
  method: "DELETE",
  path: "/alert-rules/{id}",
  action: "alert_rule.delete",
  summary: "Deletes a rule. Its alerts are resolved and kept in the list.",
  data: alertRule,
});

export const previewAlertRule = endpoint({
  method: "POST",
  path: "/alert-rules/preview",
  action: "alert_rule.preview",
  summary:
    "Returns up to 200 current matches of a rule's condition, including events of the last 24 hours. Changes nothing.",
  body: alertRuleInput,
  data: z.strictObject({ count: z.int(), matches: z.array(ruleMatch) }).meta({ id: "AlertRulePreview" }),
});

export const testAlertRule = endpoint({
  method: "POST",
  path: "/alert-rules/{id}/test",
  action: "alert_rule.test",
  summary: "Returns what an evaluation would do now with the existing alerts. Changes and sends nothing.",
  data: ruleTest,
});
