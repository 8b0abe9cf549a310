import { type Group, groupLimits } from "@/lib/http/groups";

/** What the endpoints of each group are about. */
const descriptions: Readonly<Record<Group, string>> = {
  certificates:
    "Certificates that were found, the endpoints that are checked, agents, calendars, renewals, trust stores.",
  uptime: "Monitors, their checks and incidents, and maintenance windows.",
  analytics: "Figures over all certificates and monitors, and metrics for Prometheus.",
  alerts: "Alerts and what was done about them.",
  subdomains: "Domains that are searched for subdomains, and certificates that were issued for them.",
  api_keys: "API keys, and how they are used.",
  audit_logs: "The audit log: events, statistics, exports, the sealed log, legal holds, saved views, destinations.",
  organizations: "Organizations, their members, invitations and status pages.",
  alert_rules: "When alerts open, and who is notified.",
  billing: "The plan of the organization, its limits and its subscription.",
  notification_channels: "Where notifications are sent, and their deliveries.",
  other: "This document.",
};

/** The tags of the document: one for each group of endpoints, which share a rate limit per API key. */
export function tags(): { name: Group; description: string }[] {
  return (Object.keys(groupLimits) as Group[]).map((name) => ({
    name,
    description: `${descriptions[name]} ${groupLimits[name]} requests per API key in any 60 seconds.`,
  }));
}
