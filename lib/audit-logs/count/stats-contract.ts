import * as z from "zod";
import { filterQuery } from "@/lib/audit-logs/filters";
import { endpoint, time } from "@/lib/http/endpoint";

const count = z.number().int();
const breakdown = z.array(z.strictObject({ value: z.string(), requests: count })).max(10);

export const intervals = ["minute", "hour", "day"] as const;
export type Interval = (typeof intervals)[number];

export const auditStats = z
  .strictObject({
    since: time.describe(
      "The start of the range: as requested, or the start of the plan's retention if that is later.",
    ),
    until: time,
    interval: z.enum(intervals),
    retention_days: count.describe("Days for which the organization's plan retains events."),
    totals: z.strictObject({
      requests: count.describe("Number of matching events, as in the list with the same filters."),
      errors: count.describe("Events with status 400 or above."),
      server_errors: count.describe("Events with status 500 or above."),
      rate_limited: count.describe("Status 429."),
      security_events: count,
      unique_api_keys: count,
      unique_ips: count,
    }),
    response_time_ms: z
      .strictObject({
        p50: z.number().nullable(),
        p95: z.number().nullable(),
        p99: z.number().nullable(),
        max: z.number().nullable(),
      })
      .describe("Percentiles are within 1% of the exact nearest-rank value; max is exact."),
    series: z.array(
      z.strictObject({
        start: time,
        requests: count,
        status_2xx: count,
        status_3xx: count,
        status_4xx: count,
        status_5xx: count,
        security_events: count,
      }),
    ),
    by_status: breakdown,
    by_method: breakdown,
    by_route: breakdown,
    by_api_key: breakdown,
    by_ip: breakdown,
    by_country: breakdown,
    by_error_code: breakdown,
    by_flag: breakdown,
  })
  .meta({ id: "AuditStats" });

export type AuditStats = z.output<typeof auditStats>;

export const getAuditStats = endpoint({
  method: "GET",
  path: "/audit-logs/stats",
  action: "audit_log.stats",
  summary:
    "Statistics of the matching events. The counts always match the list with the same filters. Without filters other than a range, `via=dashboard_read` or `via=!dashboard_read`, they come from rollups, otherwise from the events.",
  query: z.strictObject({
    interval: z.enum(intervals).optional().describe("Default: chosen to suit the range."),
    ...filterQuery,
  }),
  data: auditStats,
});
