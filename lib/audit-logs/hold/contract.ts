import * as z from "zod";
import { endpoint, id, name, pageQuery, time } from "@/lib/http/endpoint";

/** Active holds of an organization at a time. */
export const MAX_ACTIVE_HOLDS = 10;
/** Characters of a hold's filter. */
const MAX_FILTER = 2_000;
const MAX_REASON = 500;

const by = z.strictObject({ type: z.enum(["user", "api_key", "system"]), id: id.nullable(), name: z.string() });

export const auditHold = z
  .strictObject({
    id,
    name: z.string(),
    reason: z.string(),
    filter: z.string().nullable().describe("The filters of the log as a query string; null: the whole log."),
    covers_since: time.describe(
      "Events before this time are not covered: they had expired when the hold was placed, or its filter begins later.",
    ),
    placed_at: time,
    placed_by: by,
    released_at: time.nullable().describe("Null while the hold is active."),
    released_by: by.nullable(),
  })
  .meta({ id: "AuditHold" });

export type AuditHold = z.output<typeof auditHold>;

export const listAuditHolds = endpoint({
  method: "GET",
  path: "/audit-logs/holds",
  action: "audit_log.holds",
  summary: "Legal holds on the audit log, active and released, newest first.",
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(["active", "released"]).optional().describe("Default: both."),
  }),
  data: auditHold,
  list: true,
});

export const placeAuditHold = endpoint({
  method: "POST",
  path: "/audit-logs/holds",
  action: "audit_log.hold_placed",
  errors: ["NOT_FOUND", "CONFLICT"],
  summary: `Places a legal hold: until it is released, matching events, also future ones, do not expire and cannot be redacted, and the organization cannot be deleted. At most ${MAX_ACTIVE_HOLDS} are active at a time; 409 beyond.`,
  body: z.strictObject({
    name,
    reason: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_REASON, `must have at most ${MAX_REASON} characters`)
      .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u, "must not contain control characters")
      .describe("Why; it stays in the audit log."),
    filter: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_FILTER, `must have at most ${MAX_FILTER} characters`)
      .nullish()
      .describe(
        "The filters of GET /audit-logs as a query string, such as `api_key_id=…&since=2026-11-01T00:00:00Z`. Times are absolute. Default: the whole log.",
      ),
  }),
  data: auditHold,
  status: 201,
  location: false,
});

export const releaseAuditHold = endpoint({
  method: "DELETE",
  path: "/audit-logs/holds/{id}",
  action: "audit_log.hold_released",
  summary:
    "Releases a legal hold and returns it; the record stays. What only this hold kept and the plan's retention does not keep is deleted for good, minutes later. A released hold is returned unchanged.",
  data: auditHold,
});
