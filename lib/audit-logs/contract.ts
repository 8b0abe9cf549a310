import * as z from "zod";
import { changeDetails } from "@/lib/audit-logs/change-contract";
import { filterQuery } from "@/lib/audit-logs/filters";
import { flagLabels } from "@/lib/audit-logs/flag-labels";
import { flags } from "@/lib/audit-logs/flags";
import { actions } from "@/lib/http/actions";
import { endpoint, id, pageQuery, queryNumber, time } from "@/lib/http/endpoint";
import { labelList } from "@/lib/text/labels";

const request = z.strictObject({
  method: z.string(),
  path: z.string(),
  route: z.string().nullable().describe("The route pattern; null for unknown paths."),
  query: z.string().nullable().describe("As sent, still encoded."),
  body_size: z.number().int().nullable().describe("In bytes; for a body over the limit, the declared size."),
  content_type: z.string().nullable(),
});

const epoch = z.number().int().describe("Counts the histories of the log: a restored backup begins a new one.");

const redaction = z
  .strictObject({
    id: id.describe("The event that redacted the part, with its reason."),
    index: z.number().int().describe("The position of that event in the sealed log."),
    epoch,
    at: time.describe("When what was stored of the part was deleted."),
  })
  .meta({ id: "AuditPartRedaction" });
export type RedactionEvent = z.output<typeof redaction>;

const seal = z
  .strictObject({
    index: z.number().int().describe("The event's position in the organization's sealed log, from 0."),
    epoch,
    redaction: z
      .strictObject({ body: redaction.nullable(), caller: redaction.nullable() })
      .nullable()
      .describe(
        "The parts of the event that were redacted, and are null since then: the body, or the caller with `authentication` and `client`. Null if none was.",
      ),
  })
  .describe("Where the event is in the organization's sealed log; null until it is sealed, usually within seconds.");

const rest = {
  authentication: z
    .strictObject({
      organization_id: id,
      type: z.enum(["api_key", "session", "anonymous", "system"]),
      api_key: z.strictObject({ id, name: z.string(), hint: z.string() }).nullable(),
      user: z.strictObject({ id, name: z.string(), email: z.string() }).nullable(),
    })
    .nullable()
    .describe("Null if the caller was redacted."),
  response: z.strictObject({
    status_code: z.number().int().nullable(),
    response_time_ms: z.number().nullable(),
    error_code: z.string().nullable(),
    error_message: z.string().nullable(),
  }),
  client: z
    .strictObject({
      ip_address: z.string().nullable(),
      user_agent: z.string().nullable(),
      country: z.string().nullable(),
    })
    .nullable()
    .describe("Null if the caller was redacted."),
  security: z.strictObject({
    rate_limit_remaining: z.number().int().nullable(),
    flags: z.array(z.enum(flags)).describe(labelList(flagLabels)),
    is_security_event: z.boolean(),
  }),
  resource: z.strictObject({
    type: z.string().nullable(),
    id: z.string().nullable(),
    action: z.enum(actions).nullable(),
  }),
  seal: seal.nullable(),
  details: z
    .looseObject(changeDetails)
    .nullable()
    .describe(
      "Further details of the event. For changes: `changes`, with the fields before and after. For audit_log.export_finished: format, rows, sha256, complete. `via`: `dashboard` if a page of the dashboard sent the request for a signed-in person. `trace_id`: the trace of the caller's `traceparent`, or of Sealwatch's own. `change_committed`: true if the change stands although the request was answered with an error, because the database's answer to its commit was lost. `reduced`: the text of the event could not be stored. `body_unread`: the request was refused before its body was read. `body_omitted`: the body of a request to a public route exceeded the storage quota.",
    ),
};

export const auditEvent = z
  .strictObject({ id, occurred_at: time, request: request.nullable(), ...rest })
  .meta({ id: "AuditEvent" });

export const auditEventWithBody = z.strictObject({
  id,
  occurred_at: time,
  request: request
    .extend({
      body: z
        .string()
        .nullable()
        .describe("Exactly as submitted; null for GET and for bodies that were refused without reading them."),
      body_encoding: z.enum(["utf8", "base64"]).nullable(),
    })
    .nullable(),
  ...rest,
});

export type Seal = z.output<typeof seal>;
/** A part of an event that can be redacted. */
export type RedactablePart = keyof NonNullable<Seal["redaction"]>;
export type AuditEvent = z.output<typeof auditEvent>;
export type AuditEventWithBody = z.output<typeof auditEventWithBody>;

export const listQuery = z.strictObject({
  ...pageQuery,
  order: z.enum(["asc", "desc"]).default("desc").describe("By time; newest first unless `asc`."),
  ...filterQuery,
});
export type ListQuery = z.output<typeof listQuery>;

export const listAuditLogs = endpoint({
  method: "GET",
  path: "/audit-logs",
  action: "audit_log.list",
  summary: "The organization's audit events.",
  query: listQuery.extend({
    order: z
      .enum(["asc", "desc", "sealed"])
      .default("desc")
      .describe(
        "By time, newest first unless `asc`. `sealed` lists what signed checkpoints cover by `seal.index`, oldest first, so that a collector can go on after the last index that it has. An index that is missing does not match the filters or has expired.",
      ),
    after_index: queryNumber(
      z
        .number()
        .int()
        .min(-1)
        .max(Number.MAX_SAFE_INTEGER - 1),
    )
      .optional()
      .describe("With `sealed`: only events behind this index. Default: all retained events."),
    epoch: queryNumber(
      z
        .number()
        .int()
        .min(1)
        .max(2 ** 31 - 1),
    )
      .optional()
      .describe("With `sealed`: the epoch of `after_index`. Defaults to the current one. Later epochs follow."),
  }),
  data: auditEvent,
  list: true,
});

export const listSecurityEvents = endpoint({
  method: "GET",
  path: "/audit-logs/security-events",
  action: "security_event.list",
  summary: "The audit events with a security flag.",
  query: listQuery,
  data: auditEvent,
  list: true,
});
