import * as z from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";
import { flags } from "@/lib/audit-logs/flags";
import { standings } from "@/lib/audit-logs/standing";
import { endpoint, time } from "@/lib/http/endpoint";

const count = z.number().int();

const securityEventGroup = z
  .strictObject({
    flag: z.enum(flags),
    source: z.strictObject({
      type: z
        .enum(["api_key", "user", "address", "system", "redacted"])
        .describe("The key or person if known, else the address; `redacted` for events whose caller was redacted."),
      id: z
        .string()
        .nullable()
        .describe("Id of the key or person, or the address; null for the system and for redacted callers."),
      name: z.string().nullable().describe("Name of the key or person in the latest event."),
    }),
    events: count.describe("Number of events in the list with the same filters, this flag and this source."),
    unique_ips: count,
    by_ip: z
      .array(
        z.strictObject({
          value: z.string(),
          country: z.string().nullable(),
          events: count,
          standing: z
            .enum(standings)
            .nullable()
            .describe(
              "For `rotated_secret` and `revoked_key`: `unknown` never used the key, `recent` began to in the 7 days before, `known` used it before. Null for other flags.",
            ),
        }),
      )
      .max(5)
      .describe("The most frequent addresses."),
    strangers: count
      .nullable()
      .describe(
        "For `rotated_secret` and `revoked_key`: addresses with another standing than `known`. Null for other flags.",
      ),
    first_at: time,
    last_at: time,
    last_event_id: z.uuid(),
    series: z.array(count).describe("Events per interval of `series_starts`."),
  })
  .meta({ id: "SecurityEventGroup" });

const securityEventGroups = z.strictObject({
  since: time.describe("Start of the events that were counted."),
  until: time,
  has_earlier: z
    .boolean()
    .describe(
      "Whether only the part of the range from `since` was counted, because there were more than 50,000 events or counting took too long.",
    ),
  retention_days: count.describe("Days for which the organization's plan retains events."),
  series_starts: z.array(time).describe("Start times of the equal intervals from `since` to `until`."),
  groups: z.array(securityEventGroup).max(200).describe("Those that need attention first, each newest first."),
  has_more: z.boolean().describe("Whether there are more than 200 groups."),
});

export type SecurityEventGroup = z.output<typeof securityEventGroup>;
export type SecurityEventGroups = z.output<typeof securityEventGroups>;

export const groupSecurityEvents = endpoint({
  method: "GET",
  path: "/audit-logs/security-events/groups",
  action: "security_event.group",
  summary: "The matching security events, counted by flag and by source.",
  query: z.strictObject(filterQuery),
  data: securityEventGroups,
});
