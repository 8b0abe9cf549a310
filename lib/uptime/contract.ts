import * as z from "zod";
import { endpoint, id, order, pageQuery, shownOnce, time } from "@/lib/http/endpoint";
import { labelList } from "@/lib/text/labels";
import { assertionFields } from "@/lib/uptime/assertions";
import { shownAuthentication } from "@/lib/uptime/authentication";
import { uptimeCheck } from "@/lib/uptime/checks-contract";
import { fields, monitorChange, monitorInput } from "@/lib/uptime/fields";
import { monitorStatusLabels } from "@/lib/uptime/labels";

const monitorStatuses = ["pending", "up", "down", "paused"] as const;
export type MonitorStatus = (typeof monitorStatuses)[number];

export const monitor = z
  .strictObject({
    id,
    name: z.string(),
    type: fields.type,
    target: z.string(),
    method: fields.method,
    header_names: z.array(z.string()),
    authentication: shownAuthentication,
    request_body: z.string().nullable(),
    expected_status: z.array(z.string()),
    expected_text: z.string().nullable(),
    ...assertionFields,
    follow_redirects: z.boolean(),
    trust_store_id: fields.trust_store_id,
    verify_tls: fields.verify_tls,
    dns: fields.dns,
    tcp: fields.tcp,
    ping: fields.ping,
    ip_version: fields.ip_version,
    interval_seconds: z.int(),
    grace_seconds: fields.grace_seconds,
    timeout_seconds: z.int(),
    failure_threshold: z.int(),
    recovery_threshold: z.int(),
    tags: z.array(z.string()),
    status: z.enum(monitorStatuses).describe(labelList(monitorStatusLabels)),
    status_since: time.nullable(),
    last_check: uptimeCheck.nullable(),
    next_check_at: time.nullable().describe("Null while paused."),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Monitor" });

/** A monitor when its heartbeat's URL is new. */
const monitorWithUrl = monitor
  .extend({
    heartbeat_url: shownOnce(
      z
        .string()
        .optional()
        .describe("heartbeat only. The URL to call with GET, HEAD or POST. Shown only once, in this response."),
    ),
  })
  .meta({ id: "MonitorWithUrl" });
export type MonitorWithUrl = z.output<typeof monitorWithUrl>;
export type Monitor = z.output<typeof monitor>;

/** Filters for monitors. */
const monitorFilters = {
  status: z.enum(monitorStatuses).optional(),
  tag: z.string().max(50).optional(),
};

const monitorSorts = ["newest", "urgency", "name"] as const;

export const listMonitors = endpoint({
  method: "GET",
  path: "/uptime",
  action: "monitor.list",
  summary: "The organization's monitors, newest first or by urgency.",
  query: z.strictObject({
    ...pageQuery,
    ...monitorFilters,
    sort: z
      .enum(monitorSorts)
      .default("newest")
      .describe(
        "`urgency` sorts by status: down, pending, up, paused; then by name. `name` sorts `host2` before `host10`.",
      ),
    order,
  }),
  data: monitor,
  list: true,
});

export const createMonitor = endpoint({
  method: "POST",
  path: "/uptime",
  action: "monitor.create",
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
  summary:
    "Adds a monitor for an HTTP or TCP target, a DNS name or a host to ping, and checks it immediately unless paused, or a heartbeat, which waits for calls of its URL.",
  body: monitorInput,
  data: monitorWithUrl,
  status: 201,
});

export const getMonitor = endpoint({
  method: "GET",
  path: "/uptime/{id}",
  action: "monitor.get",
  summary: "One monitor with its last check.",
  data: monitor,
});

export const updateMonitor = endpoint({
  method: "PUT",
  path: "/uptime/{id}",
  action: "monitor.update",
  errors: ["PLAN_LIMIT_REACHED", "CONFLICT"],
  summary:
    "Changes the given fields; the others stay. `paused` pauses and resumes. Pausing, resuming and changing what the check asks or expects reset the status; a target at another origin requires `headers` and `authentication` again.",
  body: monitorChange,
  data: monitor,
});

export const rotateHeartbeatUrl = endpoint({
  method: "POST",
  path: "/uptime/{id}/rotate-url",
  action: "monitor.rotate_url",
  summary: "Replaces the URL of a heartbeat monitor. The previous URL stops working immediately.",
  data: monitorWithUrl,
  errors: ["CONFLICT"],
});

export const deleteMonitor = endpoint({
  method: "DELETE",
  path: "/uptime/{id}",
  action: "monitor.delete",
  summary: "Deletes a monitor with its measurements.",
  data: monitor,
});

export const checkMonitor = endpoint({
  method: "POST",
  path: "/uptime/{id}/check",
  action: "monitor.check",
  summary: "Checks a monitor now and returns the result. Not for heartbeats, which are called.",
  data: uptimeCheck,
  errors: ["CONFLICT"],
});
