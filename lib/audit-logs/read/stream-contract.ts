import { z } from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";
import { endpoint } from "@/lib/http/endpoint";

export const streamAuditLogs = endpoint({
  method: "GET",
  path: "/audit-logs/stream",
  action: "audit_log.stream",
  summary: `New matching events, as server-sent events named audit_event. Their ids are those of the events, so Last-Event-ID
resumes right after one; an id of its own comes before the first event. Ends when the key is revoked, rotated or expires, or the session ends.`,
  query: z.strictObject(filterQuery),
  data: z.unknown(),
  raw: true,
  media: ["text/event-stream"],
});
