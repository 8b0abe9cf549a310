import { z } from "zod";
import { auditEvent } from "@/lib/audit-logs/contract";
import { flags } from "@/lib/audit-logs/flags";
import { endpoint, id, time } from "@/lib/http/endpoint";
import { groupLimits } from "@/lib/http/groups";

const count = z.int();

/** What an event alone does not tell: how it compares with what came before, and what has become of its key since. */
const fact = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("repeated"),
      flag: z.enum(flags),
      times: count.describe("Events of the same caller with this flag, this one included."),
      addresses: count.describe("How many addresses these events came from."),
      since: time,
      until: time,
    })
    .describe("The same happened to the same caller more than once within a day before or after."),
  z
    .strictObject({
      kind: z.literal("first_from_address"),
      of: z.enum(["api_key", "user"]),
      kept_since: time.describe("Nothing older is kept, so nothing older was compared."),
    })
    .describe("The key or person had not used this address before, as far as events are kept."),
  z
    .strictObject({ kind: z.literal("secret_rotated"), event_id: id, at: time, by: z.string().nullable() })
    .describe("The rotation that replaced the secret used here."),
  z
    .strictObject({ kind: z.literal("outside_whitelist"), ip_whitelist: z.array(z.string()), allowed_now: z.boolean() })
    .describe("The key's current whitelist, for an address that was refused."),
  z
    .strictObject({
      kind: z.literal("near_limit"),
      remaining: count,
      limit: count,
      group: z.enum(Object.keys(groupLimits) as [keyof typeof groupLimits]),
    })
    .describe("A tenth or less of the allowance of the minute was left."),
  z
    .strictObject({ kind: z.literal("slow"), p95_ms: z.number(), compared: count })
    .describe("More than twice the p95 of its method and route over the day before; of `compared` events, 20 or more."),
  z
    .strictObject({ kind: z.literal("key_since"), status: z.enum(["revoked", "expired"]), at: time })
    .describe("The key no longer works."),
  z.strictObject({ kind: z.literal("from_the_future") }).describe("Its time is ahead of this server's clock."),
]);

export type Fact = z.output<typeof fact>;

const auditContext = z
  .strictObject({
    facts: z.array(fact).describe("What is unusual about the event, most significant first."),
    same_caller: z.array(auditEvent).describe("Events of the same key, else person, within an hour; newest first."),
    same_address: z.array(auditEvent).describe("Events from the same address within an hour; newest first."),
  })
  .meta({ id: "AuditContext" });

export type AuditContext = z.output<typeof auditContext>;

export const getAuditContext = endpoint({
  method: "GET",
  path: "/audit-logs/{id}/context",
  action: "audit_log.context",
  summary: "What is unusual about an event, and what the same caller and address did around that time.",
  data: auditContext,
});
