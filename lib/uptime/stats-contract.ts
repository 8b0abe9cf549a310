import * as z from "zod";
import { endpoint, instant, time } from "@/lib/http/endpoint";

/** Days to keep hourly rollups. */
export const HOURLY_DAYS = 100;

const milliseconds = z.number().nullable();
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
    until: time.describe("The requested time, rounded up likewise, but at most now."),
    interval: z.enum(["hour", "day"]),
    ...counted,
    incidents: z.int().describe("Incidents from the requested `since` itself, not rounded, to this `until`."),
    downtime_seconds: z.int().describe("Seconds of these incidents within that time."),
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
export type UptimeStats = z.output<typeof uptimeStats>;

export const getUptimeStats = endpoint({
  method: "GET",
  path: "/uptime/{id}/stats",
  action: "monitor.stats",
  summary: "Uptime, response times and downtime over a range and over standard windows, from rollups.",
  query: z.strictObject({
    since: instant.optional().describe("Inclusive. Defaults to 24 hours ago."),
    until: instant.optional().describe("Exclusive. Defaults to now."),
    interval: z
      .enum(["hour", "day"])
      .optional()
      .describe(
        `Interval of the series. Defaults to one that suits the range. \`hour\` is kept for ${HOURLY_DAYS} days.`,
      ),
  }),
  data: uptimeStats,
});
