import { z } from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";
import { endpoint } from "@/lib/http/endpoint";

export const formats = ["csv", "json", "ndjson"] as const;
export type Format = (typeof formats)[number];

export const exportAuditLogs = endpoint({
  method: "GET",
  path: "/audit-logs/export",
  action: "audit_log.export",
  summary: `A file of all matching events up to the request, oldest first. NDJSON ends with a line {"export": {"rows", "sha256"}} over what
precedes it; a JSON array that is cut off does not close. When the export ends, an event audit_log.export_finished, whose resource.id
is this request's id, says how many rows were delivered, whether the file is complete, and its sha256 (of NDJSON without that line).`,
  query: z.strictObject({
    format: z.enum(formats),
    include: z.enum(["body"]).optional().describe("`body` adds the bodies as submitted."),
    ...filterQuery,
  }),
  data: z.unknown(),
  raw: true,
  media: ["text/csv", "application/json", "application/x-ndjson"],
});
