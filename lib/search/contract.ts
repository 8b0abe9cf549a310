import * as z from "zod";
import { endpoint, id } from "@/lib/http/endpoint";

/** What a search finds, in the order of its results. */
export const resultTypes = [
  "audit_log",
  "api_key",
  "certificate_endpoint",
  "monitor",
  "domain",
  "subdomain",
  "certificate",
  "alert_rule",
  "notification_channel",
  "destination",
  "status_page",
  "certificate_trust_store",
  "certificate_calendar",
  "certificate_agent",
  "maintenance_window",
  "member",
] as const;
export type ResultType = (typeof resultTypes)[number];

/** Results per type. */
export const MAX_OF_TYPE = 5;

const searchResult = z
  .strictObject({
    type: z.enum(resultTypes),
    id: id.describe("For a member, the person's `user_id`."),
    name: z.string(),
    detail: z
      .string()
      .nullable()
      .describe(
        "Hint of a key, server name of an endpoint, target of a monitor, type of a destination, `slug` of a status page, e-mail, …",
      ),
    status: z.string().nullable().describe("The status of a key, endpoint, monitor, destination or response."),
  })
  .meta({ id: "SearchResult" });

export type SearchResult = z.output<typeof searchResult>;

export const searchOrganization = endpoint({
  method: "GET",
  path: "/organizations/{id}/search",
  action: "organization.search",
  summary: `What belongs to the organization and matches a text, at most ${MAX_OF_TYPE} of each type: a part of a name, host, target, e-mail address or key hint; a whole id, trace id, certificate fingerprint (SHA-256) or serial number.`,
  query: z.strictObject({
    q: z
      .string()
      .trim()
      .toLowerCase()
      .min(2, "must have at least 2 characters")
      .max(200, "must have at most 200 characters")
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters")
      .describe("The text, case-insensitive. Never a secret: the audit log records the query."),
  }),
  data: z
    .strictObject({
      results: z.array(searchResult),
      has_more: z.boolean().describe("Whether a type has more matches than are listed."),
    })
    .meta({ id: "SearchResults" }),
  ofOrganization: true,
});
