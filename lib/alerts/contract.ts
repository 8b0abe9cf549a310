import * as z from "zod";
import { entryKinds, subjectTypes } from "@/lib/alerts/alert-state";
import { otherCauseLabels, subjectTypeLabels } from "@/lib/alerts/labels";
import { severities } from "@/lib/certificates/findings";
import { endpoint, id, instant, order, pageQuery, time } from "@/lib/http/endpoint";
import { bulkIds, bulkOutcomes } from "@/lib/http/schemas/bulk";
import { labelList } from "@/lib/text/labels";

const alertStatuses = ["open", "acknowledged", "snoozed", "resolved"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

export const alert = z
  .strictObject({
    id,
    rule: z
      .strictObject({ id, name: z.string() })
      .describe("The rule, with its name at that time. It may have been deleted."),
    subject: z.strictObject({
      type: z.enum(subjectTypes).describe(labelList(subjectTypeLabels)),
      id,
      name: z.string(),
    }),
    certificate_id: id.nullable(),
    status: z.enum(alertStatuses),
    severity: z.enum(severities),
    step: z.int().describe("The reached step of its rule, counted from 1."),
    causes: z
      .array(z.string())
      .describe(
        `Codes of findings (\`CertificateFinding\`), flags (\`AuditEvent\`), or ${labelList(otherCauseLabels)}`,
      ),
    detail: z.string(),
    flapping: z
      .boolean()
      .describe(
        "Whether its cause keeps appearing and disappearing. It then stays open until the cause has been stable for half an hour.",
      ),
    opened_at: time,
    cause_gone_at: time.nullable(),
    acknowledged_at: time.nullable(),
    acknowledged_by: z.string().nullable(),
    snoozed_until: time.nullable(),
    resolved_at: time.nullable(),
    resolved_by: z.enum(["cause", "person", "rule"]).nullable(),
    last_told_at: time
      .nullable()
      .describe(
        "When a channel was last notified. Null if nothing was sent, no channel was enabled, or the resolution was sent.",
      ),
  })
  .meta({ id: "Alert" });

const alertDetail = alert
  .extend({
    timeline: z
      .array(
        z.strictObject({
          id,
          at: time,
          kind: z.enum(entryKinds),
          actor: z.string().nullable().describe("Null if Sealwatch acted."),
          details: z.record(z.string(), z.unknown()),
        }),
      )
      .describe("The last 500 entries, oldest first."),
  })
  .meta({ id: "AlertDetail" });

export type Alert = z.output<typeof alert>;
export type AlertDetail = z.output<typeof alertDetail>;

const note = z.string().trim().max(2000, "must have at most 2000 characters").nullable().default(null);

export const alertSorts = ["newest", "subject"] as const;

export const listAlerts = endpoint({
  method: "GET",
  path: "/alerts",
  action: "alert.list",
  summary: "Alerts, newest first by default.",
  query: z.strictObject({
    ...pageQuery,
    status: z.enum([...alertStatuses, "unresolved"]).optional(),
    severity: z.enum(severities).optional(),
    rule_id: id.optional(),
    subject_id: id.optional().describe("The id of an endpoint, a monitor, an API key, …"),
    certificate_id: id.optional(),
    since: instant.optional().describe("Only alerts opened at this time or later."),
    until: instant.optional().describe("Only alerts opened before this time."),
    sort: z
      .enum(alertSorts)
      .optional()
      .describe("Defaults to `newest`. `subject` sorts by the subject's name, with `host2` before `host10`."),
    order,
  }),
  data: alert,
  list: true,
});

export const getAlert = endpoint({
  method: "GET",
  path: "/alerts/{id}",
  action: "alert.get",
  summary: "One alert with its timeline.",
  data: alertDetail,
});

export const acknowledgeAlert = endpoint({
  method: "POST",
  path: "/alerts/{id}/acknowledge",
  action: "alert.acknowledge",
  summary: "Acknowledges an alert, which stops repeats. If the alert gets worse, it is sent again.",
  body: z.strictObject({ note }),
  data: alertDetail,
  errors: ["CONFLICT"],
});

export const snoozeAlert = endpoint({
  method: "POST",
  path: "/alerts/{id}/snooze",
  action: "alert.snooze",
  summary:
    "Snoozes an alert: nothing is sent until the given time. If its cause still persists then, the alert is sent once more.",
  body: z.strictObject({ until: instant.describe("At most 90 days ahead."), note }),
  data: alertDetail,
  errors: ["CONFLICT"],
});

export const resolveAlert = endpoint({
  method: "POST",
  path: "/alerts/{id}/resolve",
  action: "alert.resolve",
  summary: "Resolves an alert manually. While its cause persists, the alert reopens only if the cause gets worse.",
  body: z.strictObject({ note }),
  data: alertDetail,
  errors: ["CONFLICT"],
});

const alertActs = ["acknowledge", "snooze", "resolve"] as const;
export type AlertAct = (typeof alertActs)[number];

export const bulkActOnAlerts = endpoint({
  method: "POST",
  path: "/alerts/bulk",
  action: "alert.bulk",
  summary: "Acknowledges, snoozes or resolves up to 100 alerts. Returns one result per id.",
  body: z
    .strictObject({
      action: z.enum(alertActs),
      ids: bulkIds,
      until: instant.optional().describe("Required by `snooze`: at most 90 days ahead."),
      note,
    })
    .refine(({ action, until }) => (action === "snooze") === (until !== undefined), {
      path: ["until"],
      message: "must be given for snooze, and only for it",
    }),
  data: bulkOutcomes,
});
