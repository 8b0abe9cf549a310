import * as z from "zod";
import type { RedactablePart } from "@/lib/audit-logs/contract";
import { endpoint, id, time } from "@/lib/http/endpoint";

const redactableParts = ["body", "caller"] as const satisfies readonly RedactablePart[];

export const redactAuditLog = endpoint({
  method: "POST",
  path: "/audit-logs/{id}/redact",
  action: "audit_log.redact",
  errors: ["NOT_SEALED_YET", "CONFLICT"],
  summary:
    "Redacts a part of an event for good: what is stored of it is deleted, and the sealed log still proves the rest. It is done seconds later, once this request's own event is sealed. Repeated for the same part, it changes nothing. 409 until the event is sealed, while a legal hold covers it, and for events that say something of the sealed log itself.",
  body: z.strictObject({
    part: z
      .enum(redactableParts)
      .describe("`body`: the request's body. `caller`: who it was and from where, `authentication` and `client`."),
    reason: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(500, "must have at most 500 characters")
      .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u, "must not contain control characters")
      .describe("Why; it stays in the audit log."),
  }),
  data: z
    .strictObject({
      id: id.describe("The event."),
      part: z.enum(redactableParts),
      request_id: id.describe("The event of the first request to redact this part."),
      requested_at: time,
      redacted_at: time.nullable().describe("Null until the part is redacted."),
    })
    .meta({ id: "AuditRedaction" }),
  status: 202,
});
