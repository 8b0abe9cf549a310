/** What events are counted by. `total` counts all of them, `security` the security events. */
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
 * What each key's events are counted by, in dimensions of the key's own (`key_use:<id>`), by UTC day only. Values are several
 * facts with a space between: `key_use` status, method and route, its peak the least that was left of the route's rate limit,
 * negated; `key_origin` address, country and, of requests with a secret that had been rotated out, its hint; `key_flag` a flag.
 */
export const keyDimensions = ["key_use", "key_origin", "key_flag"] as const;

export type KeyDimension = (typeof keyDimensions)[number];

/**
 * SQL that turns one event into what it counts for: rows of (dimension, value, peak). The same expansion feeds the rollups
 * and, where they cannot answer, counts the rows themselves. `flags` and `latency` name the columns that hold them.
 */
export function expansion(flags: string, latency: string): string {
  const values: [Dimension, string][] = [
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
  const rows = values.map(([dimension, value]) => `('${dimension}', ${value}, NULL)`);
  return `SELECT * FROM (
    VALUES ('total', '', response_time_us), ${rows.join(", ")}
    UNION ALL SELECT 'flag', flag, NULL FROM unnest(${flags}) AS flag
  ) AS counted (dimension, value, peak) WHERE value IS NOT NULL`;
}

/** SQL that turns one event into what it counts for its key, in the shape of `expansion`. */
export function keyExpansion(flags: string): string {
  const rotated = `CASE WHEN 'rotated_secret' = ANY (${flags}) THEN api_key_hint END`;
  return `SELECT concat(kind, ':', api_key_id), value, peak FROM (
    VALUES ('key_use', concat(status_code, ' ', method, ' ', route), -rate_limit_remaining),
      ('key_origin', concat(host(ip_address), ' ', country, ' ', ${rotated}), NULL)
    UNION ALL SELECT 'key_flag', flag, NULL FROM unnest(${flags}) AS flag
  ) AS counted (kind, value, peak) WHERE api_key_id IS NOT NULL`;
}
