import * as z from "zod";
import { standings } from "@/lib/audit-logs/standing";
import { endpoint, id, instant, time } from "@/lib/http/endpoint";
import { formatCount } from "@/lib/text/counts";

/** Maximum attempts that are counted, newest first. */
export const MAX_ATTEMPTS = 50_000;
export const MAX_ADDRESSES = 100;
/** Maximum user agents, countries and requests. */
export const MAX_VALUES = 20;
const MAX_USER_AGENTS = 5;

const count = z.int();
const address = z.string().nullable().describe("Null if unknown.");
const split = {
  attempts: count,
  by_strangers: count.describe("Of these, attempts from unrecognized addresses, whose standing is not `known`."),
};

const oldSecretUse = z
  .strictObject({
    api_key_id: id,
    state: z
      .enum(["none", "open", "handled"])
      .describe("`none` without attempts. An unrecognized address that was not there when it was handled reopens it."),
    since: time.describe("Start of the attempts that were counted."),
    until: time,
    has_earlier: z
      .boolean()
      .describe(
        `Whether only the attempts from \`since\` were counted, because there are more than ${formatCount(MAX_ATTEMPTS)} or counting took too long.`,
      ),
    attempts: count,
    first_attempt_at: time.nullable(),
    last_attempt_at: time.nullable(),
    secrets: z
      .array(z.strictObject({ hint: z.string(), retired_at: time.nullable(), attempts: count }))
      .describe(
        "The secrets tried, and when a rotation replaced each; null if the key was revoked with it. Most attempts first.",
      ),
    stranger_count: count.describe("Addresses with another standing than `known`."),
    address_count: count,
    addresses: z
      .array(
        z.strictObject({
          ip_address: address,
          country: z.string().nullable(),
          standing: z
            .enum(standings)
            .describe(
              "`unknown`: never used the key successfully; `recent`: began to in the 7 days before the secret was replaced; `known`: did before, on the key's first day, or with the new secret.",
            ),
          known_since: time
            .nullable()
            .describe("First successful request with the key (for IPv6, from the address's /64)."),
          attempts: count,
          first_attempt_at: time,
          last_attempt_at: time,
          user_agents: z.array(z.string()).max(MAX_USER_AGENTS).describe("The most frequent."),
          is_new: z
            .boolean()
            .describe("Whether this address is unrecognized and was not there when the attempts were handled."),
          is_blocked: z.boolean().describe("Whether the key's current whitelist refuses the address."),
        }),
      )
      .max(MAX_ADDRESSES)
      .describe("Unrecognized addresses first, then by attempts."),
    user_agents: z.array(z.strictObject({ user_agent: z.string().nullable(), ...split })).max(MAX_VALUES),
    countries: z
      .array(z.strictObject({ country: z.string().nullable().describe("Null for private addresses."), ...split }))
      .max(MAX_VALUES),
    requests: z.array(z.strictObject({ method: z.string(), path: z.string(), ...split })).max(MAX_VALUES),
    series: z.array(z.strictObject({ start: time, ...split })).describe("One point per UTC day from `since`."),
    handled: z
      .strictObject({
        at: time,
        by: z.strictObject({ type: z.enum(["api_key", "user", "system"]), id: id.nullable(), name: z.string() }),
        note: z.string().nullable(),
      })
      .nullable()
      .describe("Who handled the attempts last; kept when an unrecognized address reopens them."),
  })
  .meta({ id: "OldSecretUse" });

export type OldSecretUse = z.output<typeof oldSecretUse>;

export const getOldSecretUse = endpoint({
  method: "GET",
  path: "/api-keys/{id}/old-secrets",
  action: "api_key.old_secrets",
  summary:
    "Attempts with secrets of a key that a rotation replaced, or of a revoked key, in the last 90 days: from which of the key's own addresses, and from which unrecognized ones.",
  data: oldSecretUse,
});

export const handleOldSecretUse = endpoint({
  method: "POST",
  path: "/api-keys/{id}/old-secrets/handle",
  action: "api_key.handle_old_secrets",
  summary: "Records that the attempts with a key's old secrets were handled. A new unrecognized address reopens them.",
  body: z.strictObject({
    note: z.string().trim().min(1).max(1000).nullable().default(null).describe("What was done."),
    until: instant
      .optional()
      .describe(
        "`until` of the response that was looked at: unrecognized addresses that came later reopen the case. Defaults to now.",
      ),
  }),
  data: oldSecretUse,
});
