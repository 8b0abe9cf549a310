import { token } from "@/lib/audit-logs/tokens";

/** The dimensions by which events are counted. `total` counts all events, `security` the security events. */
export const dimensions = [
  "total",
  "status",
  "security",
  "latency",
  "method",
  "route",
  "api_key",
  "ip",
  "country",
  "error_code",
  "flag",
] as const;

export type Dimension = (typeof dimensions)[number];

/**
 * Per-key dimensions (`key_use:<id>` and so on), counted by UTC day only. A value has several facts separated by spaces. `key_use`:
 * status, method and route; its peak is the lowest remaining rate limit of the route, negated. `key_origin`: address, country and, for
 * requests with a rotated-out secret, the secret's hint. `key_flag`: a flag.
 */
export const keyDimensions = ["key_use", "key_origin", "key_flag"] as const;

export type KeyDimension = (typeof keyDimensions)[number];

/** Value of the dimension `total` for reads by people in the dashboard (`via=dashboard_read`); other events have the empty value. */
export const READ = "read";

/** SQL condition for events that are reads by a person in the dashboard. `tokens` is the name of a column. */
export const isRead = (tokens: string) => `${tokens} @> '{${token("via", "dashboard_read")}}'`;

/**
 * Reads by people in the dashboard are counted twice, in the dimensions of all events and in their own, `read_<dimension>`, so that
 * counts without them are a difference. The peak, which has no difference, is distinguished by the value of `total`.
 */
export const readDimension = (dimension: Dimension) => `${READ}_${dimension}`;

/**
 * SQL that expands one event into the counts it contributes to in the dimensions `of`: rows of (dimension, value, peak). It feeds the
 * rollups, and counts events directly if rollups cannot answer. `flags`, `latency` and `tokens` are the names of columns.
 */
export function expansion(
  flags: string,
  latency: string,
  tokens: string,
  of: readonly Dimension[] = dimensions,
): string {
  const values: [dimension: Dimension, value: string, peak?: string][] = [
    ["total", `CASE WHEN ${isRead(tokens)} THEN '${READ}' ELSE '' END`, "response_time_us"],
    ["status", "status_code::text"],
    ["security", "CASE WHEN is_security_event THEN '' END"],
    ["latency", latency],
    ["method", "method"],
    ["route", "route"],
    ["api_key", "api_key_id::text"],
    ["ip", "host(ip_address)"],
    ["country", "country"],
    ["error_code", "error_code"],
  ];
  const rows = values.flatMap(([dimension, value, peak = "NULL::integer"]) =>
    of.includes(dimension) ? `('${dimension}', ${value}, ${peak})` : [],
  );
  const sources = rows.length > 0 ? [`VALUES ${rows.join(", ")}`] : [];
  if (of.includes("flag")) sources.push(`SELECT 'flag', flag, NULL FROM unnest(${flags}) AS flag`);
  return `SELECT * FROM (${sources.join(" UNION ALL ")}) AS counted (dimension, value, peak) WHERE value IS NOT NULL`;
}

/** SQL that expands a read by a person in the dashboard into its own counts, in the form of `expansion`; nothing for other events. */
export function readExpansion(flags: string, latency: string, tokens: string): string {
  return `SELECT '${READ}_' || dimension, value, NULL::integer FROM (${expansion(flags, latency, tokens)}) AS counted
    WHERE ${isRead(tokens)} AND dimension <> 'total'`;
}

/** SQL that expands one event into the counts of its key, in the form of `expansion`. */
export function keyExpansion(flags: string): string {
  const rotated = `CASE WHEN 'rotated_secret' = ANY (${flags}) THEN api_key_hint END`;
  return `SELECT concat(kind, ':', api_key_id), value, peak FROM (
    VALUES ('key_use', concat(status_code, ' ', method, ' ', route), -rate_limit_remaining),
      ('key_origin', concat(host(ip_address), ' ', country, ' ', ${rotated}), NULL)
    UNION ALL SELECT 'key_flag', flag, NULL FROM unnest(${flags}) AS flag
  ) AS counted (kind, value, peak) WHERE api_key_id IS NOT NULL`;
}
