import * as z from "zod";
import { epochQuery } from "@/lib/audit-logs/bundle/proof-contract";
import { filterQuery } from "@/lib/audit-logs/filters";
import { endpoint } from "@/lib/http/endpoint";
import { csvBom } from "@/lib/http/schemas/csv-bom";

export const formats = ["csv", "json", "ndjson"] as const;
export type Format = (typeof formats)[number];

export const exportAuditLogs = endpoint({
  method: "GET",
  path: "/audit-logs/export",
  action: "audit_log.export",
  errors: ["NOT_SEALED_YET"],
  summary: `A file of all matching events up to the request, oldest first. NDJSON ends with a line {"export": {"rows", "sha256"}} over the
lines before it; an incomplete JSON array is not closed. When the export ends, an event audit_log.export_finished, whose resource.id
is this request's id, records the number of delivered rows, whether the file is complete, and its sha256 (for NDJSON, without that line).
With \`include=seal\` the file is a bundle that public/sealwatch-verify.mjs verifies.`,
  query: z.strictObject({
    format: z.enum(formats),
    bom: csvBom,
    include: z
      .enum(["body", "seal"])
      .optional()
      .describe(
        "`body` includes the request bodies as submitted. `seal`, only with `ndjson`, also everything that proves the events: all events under the newest signed checkpoint, `since` and `until` being times of sealing; other filters are refused.",
      ),
    epoch: epochQuery,
    ...filterQuery,
  }),
  data: z.unknown(),
  raw: true,
  media: ["text/csv", "application/json", "application/x-ndjson"],
});
