import * as z from "zod";
import { severities } from "@/lib/certificates/findings";
import type { Message, MessageItem } from "@/lib/notification-channels/providers/message";
import { messageKinds } from "@/lib/notification-channels/providers/types";

/** Rises only if a field changes its meaning or goes; new fields do not change it. */
export const PAYLOAD_VERSION = 1;

const time = z.iso.datetime();
const uri = z.string().meta({ format: "uri" });
const types = ["alert.firing", "alert.resolved", ...messageKinds.filter((kind) => kind !== "alert")] as const;

const item = z.looseObject({
  subject: z.string().describe("The name of what it is about: `shop.example.com:443`."),
  detail: z.string().describe("The problem, for people."),
  severity: z.enum(severities),
  url: uri.describe("The alert in the dashboard."),
  alert_id: z.uuid().nullable(),
  resource: z
    .looseObject({ type: z.string(), id: z.uuid(), name: z.string(), url: uri })
    .describe("What it is about, as the `subject` of the API's alerts, with its page in the dashboard.")
    .optional(),
  causes: z
    .array(z.string())
    .describe("Codes of findings, flags of events or other causes, as the `causes` of the API's alerts.")
    .optional(),
  advice: z.string().describe("What to do, for people; may be empty.").optional(),
  tags: z.array(z.string()).optional(),
  certificate_id: z.uuid().nullable().optional(),
  not_after: time.nullable().describe("When the certificate expires; null if it is not about one.").optional(),
  opened_at: time.optional(),
  resolved_at: time.nullable().optional(),
  resolved_by: z
    .enum(["cause", "person", "rule"])
    .nullable()
    .describe(
      "What resolved the alert, as the `resolved_by` of the API's alerts. `cause`: it ended, or the rule no longer covers it.",
    )
    .optional(),
});

/** What webhooks receive. Fields may be added; those that are optional are absent in messages of earlier releases and of other kinds. */
const webhookPayload = z.looseObject({
  type: z.enum(types),
  version: z.literal(PAYLOAD_VERSION),
  timestamp: time,
  data: z.looseObject({
    severity: z.enum(severities).describe("The highest of its items."),
    title: z.string(),
    text: z.string(),
    organization: z.looseObject({ id: z.uuid(), name: z.string(), slug: z.string() }).optional(),
    rule: z.looseObject({ id: z.uuid(), name: z.string() }).describe("The alert rule that sends it.").optional(),
    items: z.array(item).describe("At most 20, most severe first."),
    more: z.int().min(0).describe("The number of further alerts."),
    url: uri.describe("The alert or the alerts in the dashboard."),
    key: z.string().describe("Equal for the start and the end of a problem."),
    checkpoint: z
      .looseObject({ epoch: z.int(), size: z.int(), signed_at: time, vkey: z.string(), note: z.string() })
      .optional(),
  }),
});

/** The body that a webhook receives. */
export function payloadOf({ kind, state, at, items, ...data }: Message): z.input<typeof webhookPayload> {
  const type = kind === "alert" ? (`alert.${state}` as const) : kind;
  return { type, version: PAYLOAD_VERSION, timestamp: at, data: { ...data, items: items.map(itemOf) } };
}

function itemOf({ about, ...item }: MessageItem) {
  return { ...item, ...about };
}

/** The JSON Schema (2020-12) of the body. */
export function webhookPayloadSchema(): object {
  return {
    ...z.toJSONSchema(webhookPayload),
    title: `Body of a Sealwatch webhook, version ${PAYLOAD_VERSION}`,
  };
}
