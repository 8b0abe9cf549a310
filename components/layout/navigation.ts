export interface Entry {
  href: string;
  label: string;
}

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
      { href: "/analytics", label: "Analytics" },
    ],
  },
  {
    title: "Security",
    entries: [
      { href: "/audit-logs", label: "Audit log" },
      { href: "/security-events", label: "Security events" },
      { href: "/statistics", label: "Statistics" },
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
