import * as z from "zod";
import { auditEventWithBody } from "@/lib/audit-logs/contract";
import { filterQuery } from "@/lib/audit-logs/filters";
import { auditContext } from "@/lib/audit-logs/read/context-contract";
import { endpoint } from "@/lib/http/endpoint";

const entry = auditEventWithBody
  .extend({
    context: auditContext
      .nullable()
      .optional()
      .describe("With `include=context`: as from /audit-logs/{id}/context, or null if it could not be read in time."),
  })
  .meta({ id: "AuditEventWithBody" });

export type Entry = z.output<typeof entry>;

export const getAuditLog = endpoint({
  method: "GET",
  path: "/audit-logs/{id}",
  action: "audit_log.get",
  summary: "One audit event, with the body as submitted. The id is the `X-Request-Id` of the response.",
  query: z.strictObject({
    include: z.enum(["context"]).optional().describe("`context` adds unusual facts and the events around it."),
    via: filterQuery.via.describe("Limits the events around it, as in the list."),
  }),
  data: entry,
});
