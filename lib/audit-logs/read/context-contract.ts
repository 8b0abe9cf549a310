import * as z from "zod";
import { auditEvent } from "@/lib/audit-logs/contract";
import { filterQuery } from "@/lib/audit-logs/filters";
import { flags } from "@/lib/audit-logs/flags";
import { standings } from "@/lib/audit-logs/standing";
import { endpoint, id, time } from "@/lib/http/endpoint";
import { groupLimits } from "@/lib/http/groups";

const count = z.int();

/** A fact that the event alone does not show: how it compares with earlier events, or what happened to its key since. */
const fact = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("repeated"),
      flag: z.enum(flags),
      times: count.describe("Events of the same caller with this flag, including this event."),
      addresses: count.describe("Number of addresses that sent these events."),
      since: time,
      until: time,
    })
    .describe("The same caller has several events with this flag within one day before or after."),
  z
    .strictObject({
      kind: z.literal("first_from_address"),
      of: z.enum(["api_key", "user"]),
      kept_since: time.describe("Start of the retained log: all events since then were compared."),
    })
    .describe("The key or person had not used this address before, according to the retained events."),
  z
    .strictObject({ kind: z.literal("secret_rotated"), event_id: id, at: time, by: z.string().nullable() })
    .describe("The rotation that replaced the secret used here."),
  z
    .strictObject({
      kind: z.literal("old_secret_from"),
      standing: z.enum(standings),
      known_since: time.nullable().describe("First successful request of the key from the address."),
    })
    .describe(
      "Whether the address, which used an old secret or a revoked key, is one of the key's own: `unknown` never used the key, `recent` began to in the 7 days before, `known` used it before.",
    ),
  z
    .strictObject({ kind: z.literal("outside_whitelist"), ip_whitelist: z.array(z.string()), allowed_now: z.boolean() })
    .describe("The key's current whitelist, if the address was refused."),
  z
    .strictObject({
      kind: z.literal("near_limit"),
      remaining: count,
      limit: count,
      group: z.enum(Object.keys(groupLimits) as [keyof typeof groupLimits]),
    })
    .describe("At most one tenth of the minute's rate limit remained."),
  z
    .strictObject({ kind: z.literal("slow"), p95_ms: z.number(), compared: count })
    .describe(
      "The response took more than twice the p95 of the same method and route in the day before, calculated from `compared` events (at least 20).",
    ),
  z
    .strictObject({ kind: z.literal("key_since"), status: z.enum(["revoked", "expired"]), at: time })
    .describe("The key no longer works."),
  z
    .strictObject({ kind: z.literal("on_hold"), hold_id: id, name: z.string(), since: time })
    .describe("The oldest legal hold that covers the event: it does not expire and cannot be redacted."),
  z
    .strictObject({ kind: z.literal("redaction_waiting"), part: z.enum(["body", "caller"]), requested_at: time })
    .describe("A redaction that was requested before the hold and waits until it is released."),
  z.strictObject({ kind: z.literal("from_the_future") }).describe("The event's time is ahead of this server's clock."),
]);

export type Fact = z.output<typeof fact>;

export const auditContext = z
  .strictObject({
    facts: z.array(fact).describe("What is unusual about the event, most significant first."),
    same_caller: z.array(auditEvent).describe("Events of the same key or person within one hour, newest first."),
    same_address: z.array(auditEvent).describe("Events from the same address within one hour, newest first."),
  })
  .meta({ id: "AuditContext" });

export type AuditContext = z.output<typeof auditContext>;

export const getAuditContext = endpoint({
  method: "GET",
  path: "/audit-logs/{id}/context",
  action: "audit_log.context",
  summary: "Unusual facts about an event, and events of the same caller and address around that time.",
  query: z.strictObject({ via: filterQuery.via.describe("Limits the events around it, as in the list.") }),
  data: auditContext,
});
