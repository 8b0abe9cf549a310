import { z } from "zod";
import { ipWhitelist } from "@/lib/api-keys/contract";
import { endpoint, id, time } from "@/lib/http/endpoint";
import { type Group, groupLimits } from "@/lib/http/groups";

/** Days that a whitelist's preview looks back, and a dossier unless told: UTC days, today included. */
export const USAGE_DAYS = 30;
const MAX_DAYS = 90;
/** Addresses, countries and sources that a dossier lists; there is a count of all. */
export const MAX_LISTED = 50;

/** Why a request with a known key is refused, as its event is flagged. */
export const refusalFlags = [
  "ip_not_allowed",
  "expired_key",
  "revoked_key",
  "rotated_secret",
  "rate_limited",
  "method_not_allowed",
] as const;

const count = z.number().int();
const groups = Object.keys(groupLimits) as [Group, ...Group[]];

const seen = {
  requests: count,
  first_seen_at: time.describe("First request from it in the range."),
  last_seen_at: time,
};
const knownSince = time
  .nullable()
  .describe("First success from it, also before the range (for IPv6 from its /64); null if none succeeded.");
const address = z.string().nullable().describe("Null if unknown.");
const country = z.string().nullable();

export const apiKeyUsage = z
  .strictObject({
    api_key_id: id,
    since: time.describe("A UTC midnight. What the organization's plan does not keep is left out."),
    until: time,
    requests: count.describe("The length of the audit log with the filters `api_key_id` and `since`."),
    series: z
      .array(
        z.strictObject({
          start: time,
          requests: count,
          status_2xx: count,
          status_3xx: count,
          status_4xx: count,
          status_5xx: count,
        }),
      )
      .describe("One point for each UTC day, today's included."),
    routes: z.array(
      z.strictObject({
        method: z.string().nullable(),
        route: z.string().nullable().describe("Null for paths that do not exist."),
        requests: count,
        errors: count.describe("Status 400 and above."),
      }),
    ),
    address_count: count,
    addresses: z
      .array(z.strictObject({ ip_address: address, country, ...seen, known_since: knownSince }))
      .describe(`The ${MAX_LISTED} with most requests.`),
    country_count: count,
    countries: z.array(z.strictObject({ country: z.string(), ...seen, known_since: knownSince })),
    refusals: z
      .array(z.strictObject({ flag: z.enum(refusalFlags), requests: count }))
      .describe("By reason; only reasons that occurred."),
    rate_limits: z
      .array(
        z.strictObject({
          group: z.enum(groups),
          limit: count,
          used: count.describe("Most requests in any one window."),
          share: z.number().describe("`used` by `limit`, 0 to 1."),
          day: time.describe("The UTC day on which that was."),
        }),
      )
      .describe("The used share of each group's limit, largest first."),
    rotated_secrets: z
      .array(
        z.strictObject({
          hint: z.string(),
          retired_at: time.nullable().describe("When a rotation replaced it."),
          ...seen,
          sources: z.array(
            z.strictObject({ ip_address: address, country, ...seen, user_agent: z.string().nullable() }),
          ),
        }),
      )
      .describe("Requests with secrets that a rotation had replaced, the latest first: who still uses the old one."),
  })
  .meta({ id: "ApiKeyUsage" });

export const whitelistPreview = z
  .strictObject({
    since: time,
    addresses_seen: count,
    refused_addresses: count,
    refused_requests: count.describe("Requests of these addresses since then."),
    refused: z
      .array(
        z.strictObject({
          ip_address: address,
          country,
          requests: count,
          last_seen_at: time,
          refused_already: z.boolean().describe("The current whitelist refuses it too."),
        }),
      )
      .describe(`At most ${MAX_LISTED}: those that are let in today first, then by requests.`),
  })
  .meta({ id: "WhitelistPreview" });

export type ApiKeyUsage = z.output<typeof apiKeyUsage>;
export type WhitelistPreview = z.output<typeof whitelistPreview>;

export const getApiKeyUsage = endpoint({
  method: "GET",
  path: "/api-keys/{id}/usage",
  action: "api_key.usage",
  summary: "A key's usage by day, route, address, country and refusal. Always equal to a count over the audit log.",
  query: z.strictObject({
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_DAYS)
      .default(USAGE_DAYS)
      .describe(`UTC days to look back, today included, 1 to ${MAX_DAYS}.`),
  }),
  data: apiKeyUsage,
});

export const previewWhitelist = endpoint({
  method: "POST",
  path: "/api-keys/{id}/whitelist-preview",
  action: "api_key.preview_whitelist",
  summary: `Which addresses seen from the key in the last ${USAGE_DAYS} UTC days a whitelist would refuse. Changes nothing.`,
  body: z.strictObject({ ip_whitelist: ipWhitelist }),
  data: whitelistPreview,
});
