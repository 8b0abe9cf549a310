import { z } from "zod";
import { endpoint, id, instant, name, pageQuery, time, WRITE_ONLY } from "@/lib/http/endpoint";
import { labelList } from "@/lib/labels";
import { failureReasonLabels, monitorStatusLabels } from "@/lib/uptime/labels";
import { parseHttpTarget, parseTcpTarget } from "@/lib/uptime/target";

export const monitorTypes = ["http", "tcp"] as const;
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
  "too_many_redirects",
] as const;
export type FailureReason = (typeof failureReasons)[number];

function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message);
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Decided by the connection itself; set by hand they would break it. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "transfer-encoding", "upgrade", "expect", "te"]);

const headers = z
  .record(
    z
      .string()
      .regex(token, "is no header name (RFC 9110)")
      .refine((header) => !OWN_HEADERS.has(header.toLowerCase()), "is set by the connection itself"),
    z
      .string()
      .max(2000, "must have at most 2000 characters")
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must not contain control characters"),
  )
  .refine((all) => Object.keys(all).length <= 20, "must have at most 20 headers")
  .describe(`Sent with each check. Their values: ${WRITE_ONLY}`);

const expectedStatus = z
  .array(z.string().regex(/^[1-5](xx|\d\d)$/, "must be a status like 204 or a class like 2xx"))
  .min(1, "must name at least one")
  .max(20, "must name at most 20")
  .describe("Any of these means success: `204`, or a class like `2xx`.");

const tags = z
  .array(z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,49}$/u, "must be 1 to 50 letters, digits and _ . : / -"))
  .max(20, "must have at most 20 tags")
  .transform((all) => [...new Set(all)].sort());

const fields = {
  name,
  type: z.enum(monitorTypes),
  target: z
    .string()
    .max(2000, "must have at most 2000 characters")
    .describe("http: a URL with http or https. tcp: `host:port`."),
  method: z.enum(["GET", "HEAD", "POST"]).describe("http only."),
  headers,
  expected_status: expectedStatus,
  expected_text: z
    .string()
    .min(1, "must not be empty")
    .max(500, "must have at most 500 characters")
    .nullable()
    .describe("Must occur in the first MiB of the body."),
  follow_redirects: z.boolean().describe("Up to five; each address is checked like the first."),
  interval_seconds: whole(30, 86_400),
  timeout_seconds: whole(1, 30),
  failure_threshold: whole(1, 10).describe("Checks in a row that must fail before it is down."),
  recovery_threshold: whole(1, 10).describe("Checks in a row that must succeed before it is up again."),
  tags,
  paused: z.boolean(),
};

const defaults = {
  method: "GET",
  headers: {},
  expected_status: ["2xx"],
  expected_text: null,
  follow_redirects: true,
  interval_seconds: 60,
  timeout_seconds: 10,
  failure_threshold: 2,
  recovery_threshold: 1,
  tags: [],
  paused: false,
} as const;

type Targeted = { type?: string | undefined; target?: string | undefined };

/** Reports what is wrong with a target of that type, at the field. */
function checkTarget({ type, target }: Targeted, context: z.RefinementCtx): void {
  if (type === undefined || target === undefined) return;
  try {
    (type === "http" ? parseHttpTarget : parseTcpTarget)(target);
  } catch (error) {
    context.addIssue({ code: "custom", path: ["target"], message: (error as Error).message });
  }
}

/** What a monitor is made from. */
export const monitorInput = z
  .strictObject({
    name: fields.name,
    type: fields.type,
    target: fields.target,
    method: fields.method.default(defaults.method),
    headers: fields.headers.default({}),
    expected_status: fields.expected_status.default([...defaults.expected_status]),
    expected_text: fields.expected_text.default(defaults.expected_text),
    follow_redirects: fields.follow_redirects.default(defaults.follow_redirects),
    interval_seconds: fields.interval_seconds.default(defaults.interval_seconds),
    timeout_seconds: fields.timeout_seconds.default(defaults.timeout_seconds),
    failure_threshold: fields.failure_threshold.default(defaults.failure_threshold),
    recovery_threshold: fields.recovery_threshold.default(defaults.recovery_threshold),
    tags: fields.tags.default([...defaults.tags]),
    paused: fields.paused.default(defaults.paused),
  })
  .superRefine(checkTarget);
export type MonitorInput = z.output<typeof monitorInput>;

const monitorChange = z.strictObject(fields).partial().omit({ type: true });

const milliseconds = z.number().nullable();
const reason = z.enum(failureReasons).describe(labelList(failureReasonLabels));

export const uptimeCheck = z
  .strictObject({
    id,
    checked_at: time,
    ok: z.boolean(),
    maintenance: z.boolean().describe("Within a maintenance window: it counts as neither up nor down."),
    reason: reason.nullable().describe(`Null for a successful check. ${labelList(failureReasonLabels)}`),
    detail: z.string().nullable(),
    status_code: z.int().nullable(),
    address: z.string().nullable(),
    dns_ms: milliseconds,
    connect_ms: milliseconds,
    tls_ms: milliseconds,
    ttfb_ms: milliseconds.describe("From the request sent to the first byte of the answer."),
    total_ms: z.number(),
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
    expected_status: z.array(z.string()),
    expected_text: z.string().nullable(),
    follow_redirects: z.boolean(),
    interval_seconds: z.int(),
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

export const incident = z
  .strictObject({
    id,
    monitor: z.strictObject({ id, name: z.string() }),
    started_at: time.describe("When the first of the failed checks began."),
    ended_at: time.nullable(),
    duration_seconds: z.int().describe("Until now while it lasts."),
    reason,
    detail: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: "Incident" });

const responseTimes = z.strictObject({ p50: milliseconds, p95: milliseconds, p99: milliseconds });

const counted = {
  checks: z.int().describe("Outside of maintenance."),
  failures: z.int(),
  maintenance_checks: z.int(),
  uptime_percent: z.number().nullable().describe("Share of the checks that did not fail; null where there is none."),
  response_time_ms: responseTimes.describe("Of successful checks, within 1 %."),
};

export const uptimeStats = z
  .strictObject({
    since: time.describe("The requested time, rounded down to a whole hour (series by day: day) in UTC."),
    until: time,
    interval: z.enum(["hour", "day"]),
    ...counted,
    incidents: z.int().describe("That began or lasted in the range."),
    downtime_seconds: z.int().describe("Seconds of the range within incidents."),
    series: z.array(z.strictObject({ start: time, ...counted })),
    windows: z
      .strictObject({
        last_24h: z.strictObject(counted),
        last_7d: z.strictObject(counted),
        last_30d: z.strictObject(counted),
        last_90d: z.strictObject(counted),
      })
      .describe("Up to now, from whole hours (24 h, 7 d) or whole days in UTC."),
  })
  .meta({ id: "UptimeStats" });

const repeat = z.enum(["none", "daily", "weekly"]);

export const maintenanceWindow = z
  .strictObject({
    id,
    name: z.string(),
    monitor_ids: z.array(id).describe("Empty: all of the organization's monitors."),
    starts_at: time,
    ends_at: time,
    repeat,
    active: z.boolean(),
    created_at: time,
  })
  .meta({ id: "MaintenanceWindow" });

export type UptimeCheck = z.output<typeof uptimeCheck>;
export type Monitor = z.output<typeof monitor>;
export type Incident = z.output<typeof incident>;
export type UptimeStats = z.output<typeof uptimeStats>;
export type MaintenanceWindow = z.output<typeof maintenanceWindow>;

/** What monitors can be chosen by. */
export const monitorFilters = {
  status: z.enum(monitorStatuses).optional(),
  tag: z.string().max(50).optional(),
};

export const listMonitors = endpoint({
  method: "GET",
  path: "/uptime",
  action: "monitor.list",
  summary: "The organization's monitors, newest first or by urgency.",
  query: z.strictObject({
    ...pageQuery,
    ...monitorFilters,
    sort: z
      .enum(["newest", "urgency"])
      .default("newest")
      .describe("`urgency` begins with what is down and ends with what is paused, each by name."),
  }),
  data: monitor,
  list: true,
});

export const createMonitor = endpoint({
  method: "POST",
  path: "/uptime",
  action: "monitor.create",
  summary: "Adds a monitor for an HTTP or TCP target, and checks it at once unless paused.",
  body: monitorInput,
  data: monitor,
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
    "Changes the given fields; the others stay. `paused` pauses and resumes. A new target starts over; at another origin `headers` must be given again.",
  body: monitorChange,
  data: monitor,
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
  summary: "Checks now and returns the result.",
  data: uptimeCheck,
});

export const listUptimeChecks = endpoint({
  method: "GET",
  path: "/uptime/{id}/checks",
  action: "uptime_check.list",
  summary: "Single checks of the last 7 days, newest first.",
  query: z.strictObject({
    ...pageQuery,
    ok: z.enum(["true", "false"]).optional().describe("Only successful ones, or only failed ones."),
  }),
  data: uptimeCheck,
  list: true,
});

export const getUptimeStats = endpoint({
  method: "GET",
  path: "/uptime/{id}/stats",
  action: "monitor.stats",
  summary: "Uptime, response times and downtime over a range and over the usual windows, from rollups.",
  query: z.strictObject({
    since: instant.optional().describe("Inclusive; 24 hours ago unless given."),
    until: instant.optional().describe("Exclusive; now unless given."),
    interval: z.enum(["hour", "day"]).optional().describe("Of the series; chosen from the range unless given."),
  }),
  data: uptimeStats,
});

export const listIncidents = endpoint({
  method: "GET",
  path: "/uptime/incidents",
  action: "incident.list",
  summary: "Incidents, newest first.",
  query: z.strictObject({
    ...pageQuery,
    monitor_id: id.optional(),
    open: z.enum(["true", "false"]).optional().describe("Only ongoing ones, or only those that ended."),
  }),
  data: incident,
  list: true,
});

export const getIncident = endpoint({
  method: "GET",
  path: "/uptime/incidents/{id}",
  action: "incident.get",
  summary: "One incident.",
  data: incident,
});

export const updateIncident = endpoint({
  method: "PUT",
  path: "/uptime/incidents/{id}",
  action: "incident.update",
  summary: "Changes the note of an incident.",
  body: z.strictObject({ note: z.string().trim().max(5000, "must have at most 5000 characters").nullable() }),
  data: incident,
});

const windowFields = {
  name,
  monitor_ids: z.array(id).max(1000, "must have at most 1000 monitors").describe("Empty: all monitors."),
  starts_at: instant,
  ends_at: instant,
  repeat: repeat.describe("Repeats each day or week (UTC) from `starts_at`."),
};

export const listMaintenanceWindows = endpoint({
  method: "GET",
  path: "/uptime/maintenance-windows",
  action: "maintenance_window.list",
  summary: "Maintenance windows, newest first.",
  query: z.strictObject(pageQuery),
  data: maintenanceWindow,
  list: true,
});

export const createMaintenanceWindow = endpoint({
  method: "POST",
  path: "/uptime/maintenance-windows",
  action: "maintenance_window.create",
  summary: "Creates a time window in which failed checks open no incident and count as neither up nor down.",
  body: z.strictObject({
    ...windowFields,
    monitor_ids: windowFields.monitor_ids.default([]),
    repeat: windowFields.repeat.default("none"),
  }),
  data: maintenanceWindow,
  status: 201,
});

export const getMaintenanceWindow = endpoint({
  method: "GET",
  path: "/uptime/maintenance-windows/{id}",
  action: "maintenance_window.get",
  summary: "One maintenance window.",
  data: maintenanceWindow,
});

export const updateMaintenanceWindow = endpoint({
  method: "PUT",
  path: "/uptime/maintenance-windows/{id}",
  action: "maintenance_window.update",
  summary: "Changes the given fields; the others stay. Earlier checks keep how they were counted.",
  body: z.strictObject(windowFields).partial(),
  data: maintenanceWindow,
});

export const deleteMaintenanceWindow = endpoint({
  method: "DELETE",
  path: "/uptime/maintenance-windows/{id}",
  action: "maintenance_window.delete",
  summary: "Deletes a maintenance window.",
  data: maintenanceWindow,
});

/** Most items of one bulk request. */
export const MAX_ITEMS = 1000;

/** What became of one item of a bulk request. */
export const bulkResult = z
  .strictObject({
    index: z.int(),
    status: z.enum(["created", "updated", "unchanged", "failed"]).describe("With `dry_run`: what would happen."),
    id: id.nullable().describe("Null if it failed, or if a dry run would create it."),
    error: z.string().nullable(),
  })
  .meta({ id: "BulkResult" });
export type BulkResult = z.output<typeof bulkResult>;

export const bulkUpsertMonitors = endpoint({
  method: "POST",
  path: "/uptime/bulk",
  action: "monitor.bulk_upsert",
  summary:
    "Adds up to 1,000 monitors, and changes those whose name exists; one result per item. Exempt from the rate limit.",
  bulk: true,
  body: z.strictObject({
    items: z
      .array(z.unknown(), "must be a list")
      .min(1, "must have at least one item")
      .max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`)
      .describe("Each like the body of `POST /uptime`."),
    dry_run: z.boolean().default(false),
  }),
  data: z.strictObject({ dry_run: z.boolean(), results: z.array(bulkResult) }),
});

export const bulkCheckMonitors = endpoint({
  method: "POST",
  path: "/uptime/bulk/check",
  action: "monitor.bulk_check",
  summary: "Queues checks of the given monitors, or of all with the tag, behind checks that are already due.",
  bulk: true,
  body: z
    .strictObject({
      ids: z.array(id).max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`).optional(),
      tag: z.string().max(50).optional(),
    })
    .refine(({ ids, tag }) => (ids === undefined) !== (tag === undefined), {
      path: ["ids"],
      message: "give either ids or tag",
    }),
  data: z.strictObject({
    queued: z.int().describe("Number of monitors that are not paused and will be checked soon."),
  }),
});
