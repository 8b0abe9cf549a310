import * as z from "zod";
import { endpoint, id, instant, queryNumber, time } from "@/lib/http/endpoint";

const count = z.int();
const share = z.number().nullable();
const milliseconds = z.number().nullable();

/** Certificates served by at least one endpoint, and the number of endpoints that serve them. */
const inUse = {
  certificates: count,
  endpoints: count.describe("An endpoint with two certificates counts for each of them."),
};

const certificateInUse = z
  .strictObject({
    id,
    common_name: z.string().nullable(),
    issuer: z.string(),
    not_before: time,
    not_after: time,
    endpoints: count.describe("Endpoints that currently serve it."),
  })
  .meta({ id: "CertificateInUse" });

const analyticsOverview = z
  .strictObject({
    certificates: z.strictObject({
      in_use: count.describe("Currently served by at least one endpoint."),
      expired: count,
      expiring_7d: count.describe(
        "Expiring within 7 days, excluding expired certificates. The next fields count likewise.",
      ),
      expiring_30d: count,
      expiring_90d: count,
    }),
    endpoints: z.strictObject({
      total: count,
      pending: count,
      ok: count,
      info: count,
      warning: count,
      critical: count,
      unreachable: count,
    }),
    findings: z
      .array(z.strictObject({ code: z.string(), severity: z.string(), endpoints: count }))
      .describe("Open findings, most frequent first."),
    monitors: z.strictObject({ total: count, pending: count, up: count, down: count, paused: count }),
    incidents: z.strictObject({
      open: count,
      last_30d: count.describe("Started in the last 30 UTC days, including today."),
    }),
    uptime_percent_30d: share.describe(
      "Of all monitors' checks outside of maintenance, in the last 30 UTC days, including today; null without checks.",
    ),
  })
  .meta({ id: "AnalyticsOverview" });

// Named, because generators would call it AnalyticsExpiryInterval in the parameter and in the response.
const expiryInterval = z.enum(["day", "week", "month"]).meta({ id: "ExpiryInterval" });

const analyticsExpiry = z
  .strictObject({
    since: time,
    until: time,
    interval: expiryInterval,
    series: z.array(z.strictObject({ start: time, ...inUse })),
    expired: z.strictObject(inUse).describe("Expired and still served."),
    later: z.strictObject(inUse).describe("After the end of the series."),
    next: z.array(certificateInUse).describe("The next 20 to expire."),
  })
  .meta({ id: "AnalyticsExpiry" });

const analyticsIssuers = z
  .strictObject({
    issuers: z
      .array(z.strictObject({ issuer: z.string().describe("RFC 4514."), ...inUse, soonest_not_after: time }))
      .describe("Most certificates first, at most 100."),
  })
  .meta({ id: "AnalyticsIssuers" });

const analyticsKeys = z
  .strictObject({
    keys: z
      .array(z.strictObject({ key_type: z.string(), key_bits: count.nullable(), ...inUse }))
      .describe("Most certificates first."),
    signatures: z.array(z.strictObject({ signature_algorithm: z.string(), ...inUse })),
  })
  .meta({ id: "AnalyticsKeys" });

const analyticsLifetimes = z
  .strictObject({
    lifetimes: z
      .array(
        z.strictObject({
          days: count.describe("Upper bound of the lifetime; the previous step is the lower bound."),
          ...inUse,
        }),
      )
      .describe("Steps of the CA/Browser Forum's schedule, plus one for longer lifetimes."),
    rules: z.array(
      z.strictObject({
        effective_from: z.iso.date(),
        max_days: count,
        ...inUse,
        longest: z.array(certificateInUse).describe("The 20 with the longest lifetimes."),
      }),
    ),
  })
  .describe("Certificates in use that each rule would no longer allow to be issued, regardless of issuer.")
  .meta({ id: "AnalyticsLifetimes" });

const analyticsRenewals = z
  .strictObject({
    since: time,
    until: time,
    renewals: count.describe(
      "Number of times an endpoint began to serve a certificate that expires later than the previous certificate at the same address, or at a new address, than the previous one at any. A change of its `host` counts likewise.",
    ),
    share_left: z
      .strictObject({ p10: share, p50: share, p90: share })
      .describe("Remaining share of the old certificate's lifetime; negative if it had expired."),
    after_expiry: count,
    series: z.array(z.strictObject({ start: time, renewals: count, median_share_left: share })),
    latest: z
      .array(
        z.strictObject({
          at: time,
          endpoint: z.strictObject({ id, host: z.string(), port: z.int() }),
          old_certificate_id: id,
          new_certificate_id: id,
          share_left: z.number(),
          days_left: z.number(),
        }),
      )
      .describe("The latest 20."),
  })
  .meta({ id: "AnalyticsRenewals" });

const measured = {
  checks: count,
  failures: count,
  uptime_percent: share,
};

const analyticsUptime = z
  .strictObject({
    since: time,
    until: time,
    ...measured,
    incidents: count,
    downtime_seconds: count.describe("Sum over all monitors."),
    series: z.array(z.strictObject({ start: time, ...measured })).describe("By UTC day."),
    worst: z
      .array(
        z.strictObject({ monitor: z.strictObject({ id, name: z.string() }), ...measured, downtime_seconds: count }),
      )
      .describe("The 20 monitors with the lowest uptime."),
  })
  .meta({ id: "AnalyticsUptime" });

const responseTimes = { p50: milliseconds, p95: milliseconds, p99: milliseconds };

const analyticsResponseTimes = z
  .strictObject({
    since: time,
    until: time,
    ...responseTimes,
    series: z.array(z.strictObject({ start: time, ...responseTimes })).describe("By UTC day."),
    slowest: z
      .array(z.strictObject({ monitor: z.strictObject({ id, name: z.string() }), checks: count, ...responseTimes }))
      .describe("The 20 monitors with the highest p95."),
  })
  .describe("Milliseconds of successful checks, accurate to 1%.")
  .meta({ id: "AnalyticsResponseTimes" });

export type AnalyticsOverview = z.output<typeof analyticsOverview>;
export type AnalyticsExpiry = z.output<typeof analyticsExpiry>;
export type AnalyticsIssuers = z.output<typeof analyticsIssuers>;
export type AnalyticsKeys = z.output<typeof analyticsKeys>;
export type AnalyticsLifetimes = z.output<typeof analyticsLifetimes>;
export type AnalyticsRenewals = z.output<typeof analyticsRenewals>;
export type AnalyticsUptime = z.output<typeof analyticsUptime>;
export type AnalyticsResponseTimes = z.output<typeof analyticsResponseTimes>;

/** The longest range in days. */
export const LONGEST_DAYS = 1_100;

const rangeQuery = z.strictObject({
  since: instant
    .optional()
    .describe(
      "Inclusive, rounded down to a whole UTC day. Defaults to the last 30 UTC days, including the day of `until`.",
    ),
  until: instant
    .optional()
    .describe("Exclusive, rounded up to a whole UTC day, but at most now, which is the default."),
});

export const getAnalyticsOverview = endpoint({
  method: "GET",
  path: "/analytics/overview",
  action: "analytics.overview",
  summary: "Key figures of everything that is monitored.",
  data: analyticsOverview,
});

export const getAnalyticsExpiry = endpoint({
  method: "GET",
  path: "/analytics/expiry",
  action: "analytics.expiry",
  summary: "Expiry dates of the certificates in use: calendar (by day) or histogram (by week or month).",
  query: z.strictObject({
    interval: expiryInterval.default("week").describe("In UTC; weeks start on Monday."),
    days: queryNumber(z.number().int().min(1).max(LONGEST_DAYS)).prefault(400).describe("Days ahead."),
  }),
  data: analyticsExpiry,
});

export const getAnalyticsIssuers = endpoint({
  method: "GET",
  path: "/analytics/issuers",
  action: "analytics.issuers",
  summary: "Issuers of the certificates in use.",
  data: analyticsIssuers,
});

export const getAnalyticsKeys = endpoint({
  method: "GET",
  path: "/analytics/keys",
  action: "analytics.keys",
  summary: "Key types, sizes and signature algorithms of the certificates in use.",
  data: analyticsKeys,
});

export const getAnalyticsLifetimes = endpoint({
  method: "GET",
  path: "/analytics/lifetimes",
  action: "analytics.lifetimes",
  summary: "Lifetimes of the certificates in use against the schedule of 200, 100 and 47 days.",
  data: analyticsLifetimes,
});

export const getAnalyticsRenewals = endpoint({
  method: "GET",
  path: "/analytics/renewals",
  action: "analytics.renewals",
  summary: "Renewals, and the remaining lifetime of the old certificates.",
  query: rangeQuery,
  data: analyticsRenewals,
});

export const getAnalyticsUptime = endpoint({
  method: "GET",
  path: "/analytics/uptime",
  action: "analytics.uptime",
  summary: "Uptime of all monitors by day, and the monitors with the lowest uptime.",
  query: rangeQuery,
  data: analyticsUptime,
});

export const getAnalyticsResponseTimes = endpoint({
  method: "GET",
  path: "/analytics/response-times",
  action: "analytics.response_times",
  summary: "Response times of all monitors by day, and the slowest monitors.",
  query: rangeQuery,
  data: analyticsResponseTimes,
});

export const getAnalyticsMetrics = endpoint({
  method: "GET",
  path: "/analytics/metrics",
  action: "analytics.metrics",
  summary: "The current state for Prometheus (text format), with validity timestamps instead of days left.",
  data: z.string(),
  raw: true,
  media: ["text/plain"],
});
