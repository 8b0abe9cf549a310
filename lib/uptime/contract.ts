import { z } from "zod";
import { endpoint, id, instant, name, order, pageQuery, shownOnce, time, WRITE_ONLY } from "@/lib/http/endpoint";
import { labelList } from "@/lib/text/labels";
import { assertionFields, headerName, wantedText, whole } from "@/lib/uptime/assertions";
import { failureReasonLabels, monitorStatusLabels } from "@/lib/uptime/labels";
import { methods, monitorTypes } from "@/lib/uptime/methods";
import { parseHttpTarget, parseTcpTarget } from "@/lib/uptime/target";

export const monitorStatuses = ["pending", "up", "down", "paused"] as const;
export type MonitorStatus = (typeof monitorStatuses)[number];

/** Why a check failed. */
export const failureReasons = [
  "dns_failure",
  "forbidden_address",
  "connection_refused",
  "connection_reset",
  "no_route",
  "timeout",
  "tls_failed",
  "protocol_error",
  "unexpected_status",
  "text_missing",
  "text_present",
  "pattern_missing",
  "json_mismatch",
  "header_mismatch",
  "certificate_expires",
  "too_slow",
  "heartbeat_missed",
  "too_many_redirects",
] as const;
export type FailureReason = (typeof failureReasons)[number];

const MAX_INTERVAL_SECONDS = 86_400;
const MAX_PERIOD_SECONDS = 366 * 86_400;

/** Headers that the connection sets itself; a custom value would break it. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "transfer-encoding", "upgrade", "expect", "te"]);

const headers = z
  .record(
    headerName.refine(
      (header) => !OWN_HEADERS.has(header.toLowerCase()),
      "is set by the connection and cannot be customized",
    ),
    z
      .string()
      .max(2000, "must have at most 2000 characters")
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must not contain control characters"),
  )
  .refine((all) => Object.keys(all).length <= 20, "must have at most 20 headers")
  .describe(`Sent with each check. Header values: ${WRITE_ONLY}`);

const expectedStatus = z
  .array(z.string().regex(/^[1-5](xx|\d\d)$/, "must be a status like 204 or a class like 2xx"))
  .min(1, "must have at least one entry")
  .max(20, "must have at most 20 entries")
  .describe("A response with any of these statuses succeeds: `204`, or a class like `2xx`.");

/** One tag of a monitor. */
export const tag = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,49}$/u, "must be 1 to 50 letters, digits and _ . : / -");
export const MAX_TAGS = 20;
const tags = z
  .array(tag)
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .transform((all) => [...new Set(all)].sort());

const fields = {
  name,
  type: z.enum(monitorTypes),
  target: z
    .string()
    .max(2000, "must have at most 2000 characters")
    .describe("http: a URL with http or https. tcp: `host:port`. heartbeat: empty."),
  method: z.enum(methods).describe("http only."),
  headers,
  request_body: z
    .string()
    .max(16_384, "must have at most 16384 characters")
    .nullable()
    .describe(
      "http only, not for GET and HEAD. Sent as it is, with the `content-type` of `headers`. Everybody in the organization can read it.",
    ),
  expected_status: expectedStatus,
  expected_text: wantedText.nullable().describe("Text that the first MiB of the body must contain."),
  ...assertionFields,
  follow_redirects: z
    .boolean()
    .describe("Follows up to five redirects; each address must be permitted like the first."),
  trust_store_id: id
    .nullable()
    .describe("https only. A trust store to trust in addition to the public roots; null to trust only these."),
  verify_tls: z
    .boolean()
    .describe(
      "https only. With `false`, any certificate is accepted: expired, for another name, or from an unknown authority. Also for redirects.",
    ),
  interval_seconds: whole(30, MAX_PERIOD_SECONDS).describe(
    "Time between checks, at most a day. heartbeat: the time between calls, at most 366 days.",
  ),
  grace_seconds: whole(0, MAX_INTERVAL_SECONDS).describe("heartbeat only. How late a call may be."),
  timeout_seconds: whole(1, 30),
  failure_threshold: whole(1, 10).describe(
    "Consecutive failed checks after which the monitor is down. Not for heartbeats, which are down when a call is late.",
  ),
  recovery_threshold: whole(1, 10).describe(
    "Consecutive successful checks after which the monitor is up again. Not for heartbeats.",
  ),
  tags,
  paused: z.boolean(),
};

const defaults = {
  method: "GET",
  headers: {},
  request_body: null,
  expected_status: ["2xx"],
  expected_text: null,
  follow_redirects: true,
  trust_store_id: null,
  verify_tls: true,
  interval_seconds: 60,
  grace_seconds: 300,
  timeout_seconds: 10,
  failure_threshold: 2,
  recovery_threshold: 1,
  tags: [],
  paused: false,
} as const;

type Targeted = { type: string; target: string; interval_seconds: number };

/** Adds issues for a target or an interval that does not fit the type. */
function checkTarget({ type, target, interval_seconds }: Targeted, context: z.RefinementCtx): void {
  const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (type === "heartbeat") {
    if (target !== "") issue("target", "must be empty: a heartbeat is called");
    return;
  }
  if (interval_seconds > MAX_INTERVAL_SECONDS) {
    issue("interval_seconds", `must be a whole number from 30 to ${MAX_INTERVAL_SECONDS}`);
  }
  try {
    (type === "http" ? parseHttpTarget : parseTcpTarget)(target);
  } catch (error) {
    issue("target", (error as Error).message);
  }
}

/** The input for creating a monitor. */
export const monitorInput = z
  .strictObject({
    name: fields.name,
    type: fields.type,
    target: fields.target.default(""),
    method: fields.method.default(defaults.method),
    headers: fields.headers.default({}),
    request_body: fields.request_body.default(null),
    expected_status: fields.expected_status.default([...defaults.expected_status]),
    expected_text: fields.expected_text.default(defaults.expected_text),
    forbidden_text: fields.forbidden_text.default(null),
    expected_pattern: fields.expected_pattern.default(null),
    expected_json: fields.expected_json.default([]),
    expected_headers: fields.expected_headers.default({}),
    max_response_time_ms: fields.max_response_time_ms.default(null),
    min_certificate_days: fields.min_certificate_days.default(null),
    follow_redirects: fields.follow_redirects.default(defaults.follow_redirects),
    trust_store_id: fields.trust_store_id.default(defaults.trust_store_id),
    verify_tls: fields.verify_tls.default(defaults.verify_tls),
    interval_seconds: fields.interval_seconds.default(defaults.interval_seconds),
    grace_seconds: fields.grace_seconds.default(defaults.grace_seconds),
    timeout_seconds: fields.timeout_seconds.default(defaults.timeout_seconds),
    failure_threshold: fields.failure_threshold.default(defaults.failure_threshold),
    recovery_threshold: fields.recovery_threshold.default(defaults.recovery_threshold),
    tags: fields.tags.default([...defaults.tags]),
    paused: fields.paused.default(defaults.paused),
  })
  .superRefine(checkTarget)
  .refine(({ method, request_body }) => request_body === null || (method !== "GET" && method !== "HEAD"), {
    path: ["request_body"],
    message: "must be null for GET and HEAD",
  });
export type MonitorInput = z.output<typeof monitorInput>;

const monitorChange = z.strictObject(fields).partial().omit({ type: true });

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

export const monitor = z
  .strictObject({
    id,
    name: z.string(),
    type: fields.type,
    target: z.string(),
    method: fields.method,
    header_names: z.array(z.string()),
    request_body: z.string().nullable(),
    expected_status: z.array(z.string()),
    expected_text: z.string().nullable(),
    ...assertionFields,
    follow_redirects: z.boolean(),
    trust_store_id: fields.trust_store_id,
    verify_tls: fields.verify_tls,
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
export const monitorWithUrl = monitor
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

const responseTimes = z.strictObject({ p50: milliseconds, p95: milliseconds, p99: milliseconds });

const counted = {
  checks: z.int().describe("Checks outside of maintenance."),
  failures: z.int(),
  maintenance_checks: z.int(),
  uptime_percent: z.number().nullable().describe("Percentage of checks that did not fail; null without checks."),
  response_time_ms: responseTimes.describe("Of successful checks, accurate to 1%."),
};

export const uptimeStats = z
  .strictObject({
    since: time.describe("The requested time, rounded down to a whole hour (with a daily series: a whole day) in UTC."),
    until: time,
    interval: z.enum(["hour", "day"]),
    ...counted,
    incidents: z.int().describe("Incidents that overlap the range."),
    downtime_seconds: z.int().describe("Seconds of incidents within the range."),
    series: z.array(z.strictObject({ start: time, ...counted })),
    windows: z
      .strictObject({
        last_24h: z.strictObject(counted),
        last_7d: z.strictObject(counted),
        last_30d: z.strictObject(counted),
        last_90d: z.strictObject(counted),
      })
      .describe("Up to now. 24 h starts at a whole hour; the others are whole UTC days, including today."),
  })
  .meta({ id: "UptimeStats" });

export type UptimeCheck = z.output<typeof uptimeCheck>;
export type Monitor = z.output<typeof monitor>;
export type UptimeStats = z.output<typeof uptimeStats>;
/** Filters for monitors. */
export const monitorFilters = {
  status: z.enum(monitorStatuses).optional(),
  tag: z.string().max(50).optional(),
};

export const monitorSorts = ["newest", "urgency", "name"] as const;

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
  summary:
    "Adds a monitor for an HTTP or TCP target, and checks it immediately unless paused, or a heartbeat, which waits for calls of its URL.",
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
  summary:
    "Changes the given fields; the others stay. `paused` pauses and resumes. A new target resets the status; a target at another origin requires `headers` again.",
  body: monitorChange,
  data: monitor,
});

export const rotateHeartbeatUrl = endpoint({
  method: "POST",
  path: "/uptime/{id}/rotate-url",
  action: "monitor.rotate_url",
  summary: "Replaces the URL of a heartbeat monitor. The previous URL stops working immediately.",
  data: monitorWithUrl,
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
});

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

export const getUptimeStats = endpoint({
  method: "GET",
  path: "/uptime/{id}/stats",
  action: "monitor.stats",
  summary: "Uptime, response times and downtime over a range and over standard windows, from roll-ups.",
  query: z.strictObject({
    since: instant.optional().describe("Inclusive. Defaults to 24 hours ago."),
    until: instant.optional().describe("Exclusive. Defaults to now."),
    interval: z
      .enum(["hour", "day"])
      .optional()
      .describe("Interval of the series. Defaults to one that suits the range."),
  }),
  data: uptimeStats,
});
