import * as z from "zod";
import { ipWhitelist } from "@/lib/api-keys/contract";
import { endpoint, id, queryNumber, time } from "@/lib/http/endpoint";
import { type Group, groupLimits } from "@/lib/http/groups";

/** UTC days, including today, that the whitelist preview covers; also the default of a usage report. */
export const USAGE_DAYS = 30;
const MAX_DAYS = 90;
/** Maximum addresses, countries and sources in a usage report; a count covers all of them. */
export const MAX_LISTED = 50;

/** Reasons for refusing a known key, as flags of the event. */
export const refusalFlags = [
  "ip_not_allowed",
  "expired_key",
  "revoked_key",
  "rotated_secret",
  "rate_limited",
  "method_not_allowed",
  "out_of_scope",
] as const;

const count = z.number().int();
const groups = Object.keys(groupLimits) as [Group, ...Group[]];

const seen = {
  requests: count,
  first_seen_at: time.describe("First request in the range."),
  last_seen_at: time,
};
const knownSince = time
  .nullable()
  .describe(
    "First successful request, including before the range (for IPv6, from the address's /64); null if none succeeded.",
  );
const address = z.string().nullable().describe("Null if unknown.");
const country = z.string().nullable();

export const apiKeyUsage = z
  .strictObject({
    api_key_id: id,
    since: time.describe("A UTC midnight. Later if the organization's plan does not retain all requested days."),
    until: time,
    requests: count.describe("Number of events in the audit log with the filters `api_key_id` and `since`."),
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
      .describe("One point per UTC day, including today."),
    routes: z.array(
      z.strictObject({
        method: z.string().nullable(),
        route: z.string().nullable().describe("Null for unknown paths."),
        requests: count,
        errors: count.describe("Requests with status 400 or above."),
      }),
    ),
    address_count: count,
    addresses: z
      .array(z.strictObject({ ip_address: address, country, ...seen, known_since: knownSince }))
      .describe(`The ${MAX_LISTED} with the most requests.`),
    country_count: count,
    countries: z.array(z.strictObject({ country: z.string(), ...seen, known_since: knownSince })),
    refusals: z
      .array(z.strictObject({ flag: z.enum(refusalFlags), requests: count }))
      .describe("By reason, only for reasons that occurred."),
    rate_limits: z
      .array(
        z.strictObject({
          group: z.enum(groups),
          limit: count,
          used: count.describe("Highest number of requests in one window."),
          share: z.number().describe("`used` by `limit`, 0 to 1."),
          day: time.describe("The UTC day of that window."),
        }),
      )
      .describe("Usage of each group's rate limit, highest share first."),
    rotated_secrets: z
      .array(
        z.strictObject({
          hint: z.string(),
          retired_at: time.nullable().describe("When a rotation replaced the secret."),
          ...seen,
          sources: z.array(
            z.strictObject({ ip_address: address, country, ...seen, user_agent: z.string().nullable() }),
          ),
        }),
      )
      .describe(
        "Requests with secrets that a rotation had replaced, latest first: clients that still use an old secret.",
      ),
  })
  .meta({ id: "ApiKeyUsage" });

const whitelistPreview = z
  .strictObject({
    since: time,
    addresses_seen: count,
    refused_addresses: count,
    refused_requests: count.describe("Requests from these addresses since then."),
    refused: z
      .array(
        z.strictObject({
          ip_address: address,
          country,
          requests: count,
          last_seen_at: time,
          refused_already: z.boolean().describe("Whether the current whitelist also refuses the address."),
        }),
      )
      .describe(`At most ${MAX_LISTED}: addresses that are currently allowed first, then by requests.`),
  })
  .meta({ id: "WhitelistPreview" });

export type ApiKeyUsage = z.output<typeof apiKeyUsage>;
export type WhitelistPreview = z.output<typeof whitelistPreview>;

export const getApiKeyUsage = endpoint({
  method: "GET",
  path: "/api-keys/{id}/usage",
  action: "api_key.usage",
  summary: "A key's usage by day, route, address, country and refusal. The counts always match the audit log.",
  query: z.strictObject({
    days: queryNumber(z.number().int().min(1).max(MAX_DAYS))
      .prefault(USAGE_DAYS)
      .describe(`UTC days to cover, including today, 1 to ${MAX_DAYS}.`),
  }),
  data: apiKeyUsage,
});

export const previewWhitelist = endpoint({
  method: "POST",
  path: "/api-keys/{id}/whitelist-preview",
  action: "api_key.preview_whitelist",
  summary: `The addresses that used the key in the last ${USAGE_DAYS} UTC days and that a whitelist would refuse. Changes nothing.`,
  body: z.strictObject({ ip_whitelist: ipWhitelist }),
  data: whitelistPreview,
});
