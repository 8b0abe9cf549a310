import { STATE_SQL } from "@/lib/destinations/states";
import type { ResultType } from "@/lib/search/contract";

/** Where results of one type are found. All texts are SQL. */
export interface Kind {
  type: Exclude<ResultType, "audit_log">;
  /** A table with `organization_id`, perhaps joined to one without. */
  from: string;
  id: string;
  name: string;
  detail: string;
  status: string;
  /** Lower-case texts of which a part may be given. */
  texts: readonly string[];
}

const NONE = "NULL::text";

/** What is found by its name alone. */
const byName = (type: Kind["type"], from: string, detail = NONE): Kind => ({
  ...{ type, from, id: "id", name: "name", detail, status: NONE },
  texts: ["lower(name)"],
});

export const kinds: readonly Kind[] = [
  {
    type: "api_key",
    from: "api_keys",
    id: "id",
    name: "name",
    detail: "hint",
    status: "CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'active' END",
    texts: ["lower(name)"],
  },
  {
    type: "certificate_endpoint",
    from: "certificate_endpoints",
    id: "id",
    name: "host || ':' || port",
    detail: "nullif(sni, '')",
    status: "status",
    texts: ["host || ':' || port", "sni"],
  },
  {
    type: "monitor",
    from: "uptime_monitors",
    id: "id",
    name: "name",
    detail: "target",
    status: "CASE WHEN paused_at IS NULL THEN status ELSE 'paused' END",
    texts: ["lower(name)", "lower(target)"],
  },
  { type: "domain", from: "domains", id: "id", name: "name", detail: NONE, status: NONE, texts: ["name"] },
  { type: "subdomain", from: "subdomains", id: "id", name: "name", detail: NONE, status: NONE, texts: ["name"] },
  byName("alert_rule", "alert_rules"),
  byName("notification_channel", "notification_channels", "type"),
  {
    type: "destination",
    from: "destinations",
    id: "id",
    name: "name",
    detail: "type",
    status: STATE_SQL,
    texts: ["lower(name)", "type"],
  },
  {
    type: "status_page",
    from: "status_pages",
    id: "id",
    name: "title",
    detail: "slug",
    status: NONE,
    texts: ["lower(title)", "slug"],
  },
  byName("certificate_trust_store", "certificate_trust_stores"),
  byName("certificate_calendar", "certificate_calendars"),
  byName("certificate_agent", "certificate_agents"),
  byName("maintenance_window", "maintenance_windows"),
  {
    type: "member",
    from: "memberships JOIN users ON users.id = user_id",
    id: "user_id",
    name: "name",
    detail: "email",
    status: "permission",
    texts: ["lower(name)", "lower(email)"],
  },
];

/** Found by a whole fingerprint, serial number or id only: names of certificates are those of their endpoints. */
export const certificateKind: Kind = {
  type: "certificate",
  from: "certificates",
  id: "id",
  name: "coalesce(common_name, subject)",
  detail: "issuer",
  status: NONE,
  texts: [],
};
