import * as z from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";
import { endpoint } from "@/lib/http/endpoint";

export const streamAuditLogs = endpoint({
  method: "GET",
  path: "/audit-logs/stream",
  action: "audit_log.stream",
  headers: { "Last-Event-ID": "The id of the last event that was received. The stream goes on after it." },
  summary: `New matching events, as server-sent events named audit_event. The ids are those of the events, so Last-Event-ID
resumes after an event; a separate id precedes the first event. The stream ends when the key is revoked, rotated or expires, or the session ends.`,
  query: z.strictObject({
    include: z
      .enum(["stats"])
      .optional()
      .describe(
        "`stats` adds the statistics of /audit-logs/stats with the same filters, as events named audit_stats: when the stream opens, and after new events at most every two seconds.",
      ),
    order: z
      .enum(["sealed"])
      .optional()
      .describe(
        "`sealed` sends events in the order of the sealed log, once a signed checkpoint covers them. Their ids are `<epoch>-<index>`, after which Last-Event-ID resumes without a gap, however long ago that was; `0` begins with the oldest retained event. `since` and `until` cannot be combined with it.",
      ),
    ...filterQuery,
  }),
  data: z.unknown(),
  raw: true,
  media: ["text/event-stream"],
});
