import * as z from "zod";
import { endpoint, id, name, pageQuery, shownOnce, time } from "@/lib/http/endpoint";
import { withVariants } from "@/lib/http/schemas/documented";
import { channelStateLabels, channelTypeLabels } from "@/lib/notification-channels/labels";
import { secretFields, settingsOf } from "@/lib/notification-channels/providers/settings";
import { channelTypes, messageKinds } from "@/lib/notification-channels/providers/types";
import { labelList } from "@/lib/text/labels";

export const channelStates = ["unused", "working", "failing", "disabled"] as const;
export type ChannelState = (typeof channelStates)[number];

const variants = (name: string) => ({ name, fields: { settings: settingsOf } });

const channelFields = z.strictObject({
  id,
  name: z.string(),
  type: z.enum(channelTypes).describe(labelList(channelTypeLabels)),
  settings: z.record(z.string(), z.unknown()).describe("Settings that are not secret."),
  secrets: z.array(z.string()).describe("Names of the secret settings that are set. Their values are not returned."),
  state: z.enum(channelStates).describe(`\`failing\` if the last attempt failed. ${labelList(channelStateLabels)}`),
  disabled_reason: z.string().nullable().describe("Why Sealwatch disabled it; null if a person disabled it."),
  last_sent_at: time.nullable(),
  last_failed_at: time.nullable(),
  last_error: z.string().nullable().describe("The error of the last failed attempt."),
  created_at: time,
  updated_at: time,
});

export const notificationChannel = withVariants(channelFields.meta({ id: "NotificationChannel" }), {
  ...variants("NotificationChannel"),
  omitted: secretFields,
});

const notificationChannelWithSecret = withVariants(
  channelFields
    .extend({
      signing_secret: shownOnce(
        z
          .string()
          .nullable()
          .describe("The secret that signs a webhook's messages, shown only once; null for other types."),
      ),
    })
    .meta({ id: "NotificationChannelWithSecret" }),
  { ...variants("NotificationChannelWithSecret"), omitted: secretFields },
);

/** Ids that a delivery shows of its alerts. A problem of many resources is one message about as many. */
export const SHOWN_ALERTS = 100;

export const deliveryStatuses = ["pending", "sent", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const notificationDelivery = z
  .strictObject({
    id: id.describe("The `webhook-id` of a webhook and the Message-ID of an e-mail."),
    channel: z.strictObject({ id, name: z.string(), type: z.enum(channelTypes) }),
    kind: z.enum(messageKinds),
    title: z.string(),
    alert_ids: z
      .array(id)
      .describe(`The ids of the first ${SHOWN_ALERTS} alerts that it is about; \`alert_id\` finds messages by any.`),
    alert_count: z.int().describe("The number of alerts that it is about."),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    next_attempt_at: time.nullable().describe("Null once it was sent or has failed."),
    error: z
      .string()
      .nullable()
      .describe("The error of the last failed attempt, or why an e-mail did not reach one of its recipients."),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: "NotificationDelivery" });

export type NotificationChannel = z.output<typeof notificationChannel>;
export type NotificationChannelWithSecret = z.output<typeof notificationChannelWithSecret>;
export type NotificationDelivery = z.output<typeof notificationDelivery>;

const channelInput = withVariants(
  z.strictObject({
    type: z.enum(channelTypes),
    name,
    settings: z.record(z.string(), z.unknown()).describe("Depends on the type."),
  }),
  variants("NewNotificationChannel"),
).transform(({ type, name, settings }, context) => {
  const parsed = settingsOf[type].safeParse(settings);
  if (parsed.success) return { type, name, settings: parsed.data as Record<string, unknown> };
  for (const issue of parsed.error.issues) {
    context.issues.push({ ...issue, path: ["settings", ...issue.path], input: settings } as z.core.$ZodRawIssue);
  }
  return z.NEVER;
});

export const listNotificationChannels = endpoint({
  method: "GET",
  path: "/notification-channels",
  action: "notification_channel.list",
  summary: "The notification channels, newest first.",
  query: z.strictObject(pageQuery),
  data: notificationChannel,
  list: true,
});

export const createNotificationChannel = endpoint({
  method: "POST",
  path: "/notification-channels",
  action: "notification_channel.create",
  summary:
    "Creates a channel. For a webhook, returns the signing secret, which is shown only once. Plans limit the number of channels.",
  body: channelInput,
  data: notificationChannelWithSecret,
  status: 201,
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
});

export const getNotificationChannel = endpoint({
  method: "GET",
  path: "/notification-channels/{id}",
  action: "notification_channel.get",
  summary: "One channel.",
  data: notificationChannel,
});

export const updateNotificationChannel = endpoint({
  method: "PUT",
  path: "/notification-channels/{id}",
  action: "notification_channel.update",
  summary:
    "Changes the given fields and settings; the others stay. `enabled` enables and disables the channel. Another origin requires the secrets again.",
  body: withVariants(
    z.strictObject({
      name: name.optional(),
      enabled: z.boolean().optional(),
      settings: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("The settings to change, as for creating a channel of this type. The others stay."),
    }),
    variants("NotificationChannelChanges"),
  ),
  data: notificationChannel,
  errors: ["CONFLICT"],
});

export const deleteNotificationChannel = endpoint({
  method: "DELETE",
  path: "/notification-channels/{id}",
  action: "notification_channel.delete",
  errors: ["CONFLICT"],
  summary: "Deletes a channel that no rule uses, with its deliveries.",
  data: notificationChannel,
});

export const testNotificationChannel = endpoint({
  method: "POST",
  path: "/notification-channels/{id}/test",
  action: "notification_channel.test",
  summary: "Sends a test message immediately, without retries, and returns the result.",
  data: notificationDelivery,
});

export const rotateSigningSecret = endpoint({
  method: "POST",
  path: "/notification-channels/{id}/rotate-secret",
  action: "notification_channel.rotate_secret",
  summary: "Creates a new signing secret for a webhook. For 24 hours, messages are signed with both secrets.",
  data: notificationChannelWithSecret,
  errors: ["CONFLICT"],
});

export const listNotificationDeliveries = endpoint({
  method: "GET",
  path: "/notification-channels/deliveries",
  action: "notification_delivery.list",
  summary: "Messages of the last 30 days with their status, newest first.",
  query: z.strictObject({
    ...pageQuery,
    channel_id: id.optional(),
    status: z.enum(deliveryStatuses).optional(),
    alert_id: id.optional().describe("Only messages about this alert."),
  }),
  data: notificationDelivery,
  list: true,
});

export const retryNotificationDelivery = endpoint({
  method: "POST",
  path: "/notification-channels/deliveries/{id}/retry",
  action: "notification_delivery.retry",
  summary: "Retries a failed message.",
  data: notificationDelivery,
  errors: ["CONFLICT"],
});
