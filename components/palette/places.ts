import {
  analyticsPages,
  certificatePages,
  type Entry,
  navigation,
  subdomainPages,
} from "@/components/layout/navigation";

interface Place extends Entry {
  /** Other words by which people look for it. */
  words: string;
}

/** Words that the labels do not have, by address. */
const words: Record<string, string> = {
  "/": "home dashboard start",
  "/certificates": "ssl tls hosts",
  "/certificates/inventory": "certificates pem client authentication clientauth mtls usage",
  "/certificates/renewals": "owner due who renews next 30 days",
  "/certificates/trust-stores": "root ca authorities",
  "/certificates/agents": "internal network private probe kubernetes files",
  "/certificates/calendars": "ical feed expiry",
  "/certificates/import": "bulk csv add endpoints",
  "/uptime": "monitors sites availability",
  "/uptime/incidents": "outages downtime",
  "/uptime/maintenance": "windows planned",
  "/status-pages": "public badge share customers",
  "/subdomains": "discovery dns",
  "/subdomains/issuances": "ct certificate transparency",
  "/alerts": "problems open",
  "/alert-rules": "notify notifications",
  "/alert-rules/new": "new add alert",
  "/analytics/expiry": "expiring expires soon calendar",
  "/audit-logs": "requests entries events history",
  "/security-events": "leaked refused blocked rotated revoked rate limited",
  "/statistics": "traffic usage requests errors latency",
  "/integrity": "sealed log verify proof bundle checkpoint tamper verifier key",
  "/integrity/holds/new": "new create litigation retention keep",
  "/destinations": "stream forward siem export splunk elastic opensearch datadog opentelemetry otlp syslog s3 webhook",
  "/destinations/new": "new create stream siem splunk elastic datadog syslog keep sending",
  "/api-keys": "tokens secrets credentials ip whitelist allowlist rate limit rotate revoked expired",
  "/notification-channels": "slack email webhook notifications",
  "/organization": "name slug delete settings",
  "/members": "users people team permissions invitations",
  "/billing": "subscription invoice payment upgrade limits",
  "/api-reference": "documentation openapi endpoints",
};

const others: readonly Entry[] = [
  { href: "/certificates/import", label: "Import endpoints" },
  { href: "/uptime/incidents", label: "Uptime: Incidents" },
  { href: "/uptime/maintenance", label: "Uptime: Maintenance" },
  { href: "/alert-rules/new", label: "Create rule" },
  { href: "/destinations/new", label: "Add destination" },
  { href: "/integrity/holds/new", label: "Place legal hold" },
];

/** The pages of a part, except the part's own. */
const within = (part: string, pages: readonly Entry[]): Entry[] =>
  pages.slice(1).map(({ href, label }) => ({ href, label: `${part}: ${label}` }));

/** Every page with a fixed address. */
export const places: readonly Place[] = [
  ...navigation.flatMap(({ entries }) => entries),
  ...within("Certificates", certificatePages),
  ...within("Subdomains", subdomainPages),
  ...within("Analytics", analyticsPages),
  ...others,
].map((entry) => ({ ...entry, words: words[entry.href] ?? "" }));

/** The page that only operators of the installation can open. */
export const operatorPlace: Place = {
  href: "/operator",
  label: "Operator",
  words: "installation processes workers jobs outbox databases versions health",
};

/** A command that is a button on a page: its label there, and the page. */
interface PageCommand {
  label: string;
  href: string;
  /** Other words by which people look for it. */
  words: string;
}

/** What an admin can create from anywhere: the palette opens the page and presses its button. */
export const pageCommands: readonly PageCommand[] = [
  { label: "Create key", href: "/api-keys", words: "new add api key token secret" },
  { label: "Add endpoint", href: "/certificates", words: "new create host certificate" },
  { label: "Add monitor", href: "/uptime", words: "new create uptime site check" },
  { label: "Schedule maintenance", href: "/uptime/maintenance", words: "new create add window" },
  { label: "Add domain", href: "/subdomains/domains", words: "new create subdomain discovery" },
  { label: "Add channel", href: "/notification-channels", words: "new create notification slack email webhook" },
  { label: "Invite member", href: "/members", words: "new add create user person team" },
  { label: "Add agent", href: "/certificates/agents", words: "new create internal network private" },
  { label: "Create status page", href: "/status-pages", words: "new add public" },
  { label: "Create calendar", href: "/certificates/calendars", words: "new add calendar ical feed expiry" },
  { label: "Create organization", href: "/organization", words: "new add" },
  { label: "Add trust store", href: "/certificates/trust-stores", words: "new create root ca" },
];
