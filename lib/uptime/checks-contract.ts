import * as z from "zod";
import { endpoint, id, pageQuery, time } from "@/lib/http/endpoint";
import { labelList } from "@/lib/text/labels";
import { failureReasons } from "@/lib/uptime/failure-reasons";
import { failureReasonLabels } from "@/lib/uptime/labels";

const milliseconds = z.number().nullable();
export const failureReason = z.enum(failureReasons).describe(labelList(failureReasonLabels));

export const uptimeCheck = z
  .strictObject({
    id,
    checked_at: time,
    ok: z.boolean(),
    maintenance: z.boolean().describe("Whether it was within a maintenance window and counts as neither up nor down."),
    reason: failureReason.nullable().describe(`Null for a successful check. ${labelList(failureReasonLabels)}`),
    detail: z.string().nullable(),
    status_code: z.int().nullable(),
    address: z.string().nullable().describe("Of the target, or of the caller of a heartbeat."),
    dns_ms: milliseconds,
    connect_ms: milliseconds,
    tls_ms: milliseconds,
    ttfb_ms: milliseconds.describe("From sending the request to the first byte of the response."),
    total_ms: z.number().describe("0 for calls of a heartbeat."),
  })
  .meta({ id: "UptimeCheck" });
export type UptimeCheck = z.output<typeof uptimeCheck>;

export const listUptimeChecks = endpoint({
  method: "GET",
  path: "/uptime/{id}/checks",
  action: "uptime_check.list",
  summary: "Single checks of the last 7 days, newest first.",
  query: z.strictObject({
    ...pageQuery,
    ok: z.enum(["true", "false"]).optional().describe("Only successful, or only failed checks."),
  }),
  data: uptimeCheck,
  list: true,
});
