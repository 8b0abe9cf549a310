import { z } from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";
import { endpoint } from "@/lib/http/endpoint";

export const streamAuditLogs = endpoint({
  method: "GET",
  path: "/audit-logs/stream",
  action: "audit_log.stream",
  summary: `New events that fit, as server-sent events named audit_event; the id of each is the event's, so that Last-Event-ID
resumes right behind it. Ends when the key is revoked, rotated or expires, or the session ends.`,
  query: z.strictObject(filterQuery),
  data: z.unknown(),
  raw: true,
  media: ["text/event-stream"],
});
