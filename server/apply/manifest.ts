import * as z from "zod";
import { step } from "@/lib/alerts/rules/conditions";
import { alertRuleInput } from "@/lib/alerts/rules/contract";
import { createApiKey } from "@/lib/api-keys/contract";
import { createCertificateEndpoint } from "@/lib/certificates/contract";
import { name, offsetTime } from "@/lib/http/endpoint";
import { secretFields, settingsOf } from "@/lib/notification-channels/providers/settings";
import { type ChannelType, channelTypes } from "@/lib/notification-channels/providers/types";
import { monitorInput } from "@/lib/uptime/fields";

// The form of a manifest. Shapes come from the API's contracts, which then judge every item with its secrets filled in.

/** A variable of the environment within a text; a second `$` before it makes it plain text. */
export const VARIABLE = /\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Whether a text has a variable. */
function hasVariable(text: string): boolean {
  return [...text.matchAll(VARIABLE)].some(([, dollar]) => dollar === "");
}

const fromEnvironment = z
  .string()
  .refine(hasVariable, `must have an environment variable, such as \${NAME}: secrets do not belong here`)
  .meta({ pattern: "(^|[^$])\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}" })
  .describe(`With an environment variable: \`\${NAME}\`. A change of its value is only sent with \`--secrets\`.`);

const reference = z.string().trim().min(1, "must not be empty").max(100, "must have at most 100 characters");
const trustStore = reference.nullable().describe("The name or id of a trust store; null for the public roots only.");

/** Accepts what a contract's field accepts, except that its value comes from the environment. */
function secret(field: z.ZodType): z.ZodType {
  return field.safeParse(null).success ? fromEnvironment.nullable().default(null) : fromEnvironment;
}

function channelOf(type: ChannelType) {
  const shape: Record<string, z.ZodType> = { ...settingsOf[type].shape };
  for (const [field, schema] of Object.entries(shape)) {
    if (secretFields[type].includes(field)) shape[field] = secret(schema);
  }
  return z.strictObject({
    type: z.literal(type),
    name,
    settings: z.strictObject(shape),
    enabled: z.boolean().optional().describe("If omitted, it stays as it is."),
  });
}

const [firstType, ...otherTypes] = channelTypes;
const channel = z.discriminatedUnion("type", [channelOf(firstType), ...otherTypes.map(channelOf)]);

const { trust_store_id: _store, agent_id: _agent, ...endpointShape } = createCertificateEndpoint.body.shape;
const endpoint = z.strictObject({
  ...endpointShape,
  trust_store: trustStore.optional().describe("The name or id of a trust store. If omitted, it stays as it is."),
  agent: reference.nullable().default(null).describe("The name or id of the agent that checks it."),
});

const { trust_store_id: _trust, authentication: _how, paused: _paused, ...monitorShape } = monitorInput.shape;
const monitor = z.strictObject({
  ...monitorShape,
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe(`Sent with each check. Values may have environment variables: \`\${NAME}\`.`),
  authentication: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("none") }),
      z.strictObject({ type: z.literal("basic"), username: z.string(), password: fromEnvironment }),
      z.strictObject({ type: z.literal("bearer"), token: fromEnvironment }),
      z.strictObject({ type: z.literal("client_certificate"), certificate: z.string(), private_key: fromEnvironment }),
    ])
    .default({ type: "none" }),
  trust_store: trustStore.default(null),
  paused: z.boolean().optional().describe("If omitted, it stays as it is."),
});

const rule = z.strictObject({
  ...alertRuleInput.shape,
  enabled: z.boolean().optional().describe("If omitted, it stays as it is."),
  steps: z
    .array(
      step.omit({ channel_ids: true }).extend({
        channels: z
          .array(reference)
          .max(20, "must have at most 20 channels")
          .default([])
          .describe("Names or ids of the channels to notify from this step on; empty for all enabled channels."),
      }),
    )
    .min(1, "must have at least one step")
    .max(5, "must have at most 5 steps"),
});

const key = createApiKey.body.extend({
  // A time that has passed describes a key that has expired, which is not an error in the manifest.
  expires_at: offsetTime("2027-01-31T00:00:00Z")
    .nullable()
    .default(null)
    .describe("Time from which the key is refused; null for no expiry."),
});

/** The form of a manifest. */
export const manifest = z
  .strictObject({
    $schema: z.string().optional(),
    version: z.literal(1).describe("The version of this format."),
    organization: z
      .string()
      .optional()
      .describe("The slug or id of the organization. With another organization's API key, nothing is done."),
    notification_channels: z.array(channel).optional(),
    endpoints: z.array(endpoint).optional(),
    monitors: z.array(monitor).optional(),
    alert_rules: z.array(rule).optional(),
    api_keys: z.array(key).optional(),
  })
  .describe("What `sealwatch apply` creates and keeps. Resources of a list that is not in the file are not touched.");
