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
  /** Routes that do not exist, and the public OpenAPI document. */
  other: 30,
} as const;

export type Group = keyof typeof groupLimits;

/** The first path segment after `/api/v1` that belongs to each group. */
const groupBySegment: Record<string, Group> = {
  certificates: "certificates",
  uptime: "uptime",
  analytics: "analytics",
  alerts: "alerts",
  subdomains: "subdomains",
  "api-keys": "api_keys",
  "audit-logs": "audit_logs",
  organizations: "organizations",
  "alert-rules": "alert_rules",
  billing: "billing",
  "notification-channels": "notification_channels",
};
