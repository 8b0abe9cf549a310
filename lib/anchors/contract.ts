import * as z from "zod";
import { endpoint, id, time } from "@/lib/http/endpoint";
import { channelStates, deliveryStatuses } from "@/lib/notification-channels/contract";

/** The channel types that do not alter text, so that a verifier can read the checkpoint in the message. */
export const anchorChannelTypes = ["email", "webhook"] as const;

/** Maximum number of channels that receive checkpoints. */
const MAX_ANCHOR_CHANNELS = 20;

const anchorChannel = z.strictObject({
  id,
  name: z.string(),
  type: z.enum(anchorChannelTypes),
  state: z.enum(channelStates),
  last_sent: z
    .strictObject({
      epoch: z.int(),
      size: z.int().describe("Number of entries that the checkpoint covers."),
      at: time,
      status: z.enum(deliveryStatuses).nullable().describe("Null if the message is older than 30 days."),
    })
    .nullable()
    .describe("The last checkpoint for this channel; null before the first."),
  next_at: time.describe("When the next checkpoint is due. It is sent if the log has grown since the last checkpoint."),
});

export const anchors = z
  .strictObject({ channels: z.array(anchorChannel).describe("By name.") })
  .meta({ id: "AuditLogAnchors" });
export type Anchors = z.output<typeof anchors>;

export const getAnchors = endpoint({
  method: "GET",
  path: "/audit-logs/anchors",
  action: "audit_log.anchors",
  summary: "The channels that get the newest checkpoint of the sealed log each day.",
  data: anchors,
});

export const setAnchors = endpoint({
  method: "POST",
  path: "/audit-logs/anchors",
  action: "audit_log.set_anchors",
  summary:
    "Names the channels, in place of the current ones. A new one gets the newest checkpoint within minutes, and then all get one each day.",
  body: z.strictObject({
    channel_ids: z
      .array(id)
      .max(MAX_ANCHOR_CHANNELS, `must have at most ${MAX_ANCHOR_CHANNELS} channels`)
      .describe("Channels for e-mail and webhooks. A channel that is deleted later is left out."),
  }),
  data: anchors,
});
