/** Requests per key in any 60 seconds, by endpoint group. Bulk endpoints are exempt. */
export const groupLimits = {
  certificates: 100,
  uptime: 100,
  analytics: 50,
  alerts: 50,
  subdomains: 50,
  api_keys: 60,
  audit_logs: 30,
  organizations: 30,
  alert_rules: 30,
  billing: 30,
  notification_channels: 30,
  /** Unknown routes, and the public OpenAPI document. */
  other: 30,
} as const;

export type Group = keyof typeof groupLimits;

/** The group of a path under `/api/v1`: its first segment. */
export function groupOf(path: string): Group {
  const name = (path.split("/")[1] ?? "").replaceAll("-", "_");
  return Object.hasOwn(groupLimits, name) ? (name as Group) : "other";
}
