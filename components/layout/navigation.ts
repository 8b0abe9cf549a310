export interface Entry {
  href: string;
  label: string;
}

/** The pages about certificates. */
export const certificatePages = [
  { href: "/certificates", label: "Endpoints" },
  { href: "/certificates/inventory", label: "Inventory" },
  { href: "/certificates/renewals", label: "Renewals" },
  { href: "/certificates/trust-stores", label: "Trust stores" },
  { href: "/certificates/agents", label: "Agents" },
  { href: "/certificates/calendars", label: "Calendars" },
] as const;

/** The pages about discovery. */
export const subdomainPages = [
  { href: "/subdomains", label: "Names" },
  { href: "/subdomains/domains", label: "Domains" },
  { href: "/subdomains/issuances", label: "Issued certificates" },
] as const;

export const analyticsPages = [
  { href: "/analytics", label: "Overview" },
  { href: "/analytics/expiry", label: "Expiries" },
  { href: "/analytics/lifetimes", label: "Lifetimes" },
  { href: "/analytics/renewals", label: "Renewals" },
  { href: "/analytics/issuers", label: "Issuers" },
  { href: "/analytics/keys", label: "Keys" },
  { href: "/analytics/uptime", label: "Uptime" },
  { href: "/analytics/response-times", label: "Response times" },
] as const;

/** The pages of the dashboard, as listed in the sidebar and in the command palette. */
export const navigation: readonly { title?: string; entries: readonly Entry[] }[] = [
  { entries: [{ href: "/", label: "Overview" }] },
  {
    title: "Monitoring",
    entries: [
      { href: "/certificates", label: "Certificates" },
      { href: "/uptime", label: "Uptime" },
      { href: "/subdomains", label: "Subdomains" },
      { href: "/alerts", label: "Alerts" },
      { href: "/status-pages", label: "Status pages" },
      { href: "/analytics", label: "Analytics" },
    ],
  },
  {
    title: "Security",
    entries: [
      { href: "/audit-logs", label: "Audit log" },
      { href: "/security-events", label: "Security events" },
      { href: "/statistics", label: "Statistics" },
      { href: "/integrity", label: "Integrity" },
      { href: "/destinations", label: "Destinations" },
      { href: "/api-keys", label: "API keys" },
    ],
  },
  {
    title: "Settings",
    entries: [
      { href: "/alert-rules", label: "Alert rules" },
      { href: "/notification-channels", label: "Channels" },
      { href: "/organization", label: "Organization" },
      { href: "/members", label: "Members" },
      { href: "/billing", label: "Plan and usage" },
      { href: "/api-reference", label: "API reference" },
    ],
  },
];
