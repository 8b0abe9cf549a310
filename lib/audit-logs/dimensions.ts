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
