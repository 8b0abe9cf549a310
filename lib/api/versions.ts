/** The columns that make up a resource's version. */
export interface VersionedResource {
  table: string;
  /** Columns or expressions that people and keys change; a change to any of them creates a new version. */
  columns: readonly string[];
  /** Columns that time, checks or deliveries change, or that never change; they do not affect the version. */
  ignored: readonly string[];
  /** Condition that finds the row by the organization ($1) and the last id in the path ($2). */
  where?: string;
  /** The column with the owner who may see the row: the organization ($1) or the caller ($3). */
  owner?: string;
  /** Every change of it locks the organization first, and so does a precondition: otherwise there are deadlocks. */
  organizationFirst?: boolean;
  /** Other paths that change the resource and respond with it. */
  actions?: readonly string[];
}

const IDENTITY = ["organization_id", "id", "created_at"];

/**
 * Every resource that PUT or DELETE can change, by its path. Versions cover only what callers can change, so that checks and uses of
 * keys between a caller's GET and PUT do not cause conflicts.
 */
export const versionedResources: Readonly<Record<string, VersionedResource>> = {
  "/api-keys/{id}": {
    table: "api_keys",
    columns: ["name", "permission", "scope", "ip_whitelist", "expires_at", "version", "revoked_at"],
    ignored: [
      ...IDENTITY,
      ...["hint", "created_by_type", "created_by_id", "created_by_name", "rotated_at"],
      ...["last_used_at", "last_used_ip", "rotated_secret_used_at", "name_key"],
    ],
    actions: ["/api-keys/{id}/rotate"],
  },
  "/audit-logs/holds/{id}": {
    table: "audit_holds",
    columns: ["released_at"],
    ignored: [
      ...["organization_id", "id", "name", "reason", "filter", "covers_since", "placed_at"],
      ...["placed_by_type", "placed_by_id", "placed_by_name"],
      ...["released_by_type", "released_by_id", "released_by_name", "settled_at"],
    ],
    organizationFirst: true,
  },
  "/audit-logs/views/{id}": {
    table: "audit_views",
    columns: ["owner_id", "name", "query", "updated_at"],
    ignored: [...IDENTITY, "created_by_type", "created_by_id", "created_by_name"],
    owner: "owner_id",
  },
  "/audit-logs/destinations/{id}": {
    table: "destinations",
    columns: [
      ...["name", "type", "settings", "secrets", "secret_fields", "format", "query"],
      ...["paused_at", "paused_reason", "updated_at"],
    ],
    ignored: [
      ...IDENTITY,
      ...[
        "epoch",
        "next_index",
        "scanned_index",
        "attempt_end",
        "next_at",
        "leased_until",
        "failures",
        "failing_since",
      ],
      ...["last_sent_at", "last_failed_at", "last_error", "last_status", "last_evidence"],
      ...["sent_events", "rejected_events", "expired_entries", "expired_at", "sent_by_hour", "recent_errors"],
    ],
    actions: ["pause", "resume", "replay", "rotate-secret"].map((verb) => `/audit-logs/destinations/{id}/${verb}`),
  },
  "/certificates/endpoints/{id}": {
    table: "certificate_endpoints",
    columns: [
      ...[
        "host",
        "port",
        "protocol",
        "sni",
        "connect_to",
        "address_mode",
        "interval_seconds",
        "tags",
        "trust_store_id",
      ],
      ...["expected_issuers", "expected_accounts", "pins", "max_lifetime_days", "reported", "agent_id", "updated_at"],
      ...["owner", "renewal_method", "renewal_note", "renewal_link"],
    ],
    ignored: [
      ...IDENTITY,
      ...["reported_at", "version", "status", "reachability", "reachability_since", "failures", "failing_since"],
      ...["certificate_id", "served_chain", "expected_chain", "previous_certificate_id", "certificate_since"],
      ...[
        "connection",
        "observed",
        "recent_leaves",
        "tls_scan",
        "tls_scan_due_at",
        "last_checked_at",
        "next_check_at",
        "leased_until",
        "urgency",
        "expires_at",
      ],
      ...["name_key", "renewal_due_at", "renewal_leads"],
    ],
  },
  "/certificates/agents/{id}": {
    table: "certificate_agents",
    columns: ["name", "api_key_id", "public_key", "enrolled_at", "updated_at"],
    ignored: [...IDENTITY, "version", "last_seen_at", "silent_since", "last_sequence"],
    actions: ["/certificates/agents/{id}/credentials", "/certificates/agents/{id}/enrollment"],
  },
  "/certificates/calendars/{id}": {
    table: "certificate_calendars",
    columns: ["name", "tag", "owner", "shows"],
    ignored: IDENTITY,
  },
  "/certificates/trust-stores/{id}": {
    table: "certificate_trust_stores",
    columns: ["name", "pem", "is_default", "updated_at"],
    ignored: [...IDENTITY, "recheck_after"],
  },
  "/uptime/{id}": {
    table: "uptime_monitors",
    columns: [
      ...["name", "type", "target", "method", "expected_status", "expected_text", "follow_redirects"],
      ...[
        "authentication",
        "request_body",
        "assertions",
        "trust_store_id",
        "verify_tls",
        "type_settings",
        "ip_version",
      ],
      ...["interval_seconds", "timeout_seconds", "failure_threshold", "recovery_threshold", "tags", "paused_at"],
      ...["grace_seconds", "updated_at"],
    ],
    ignored: [
      ...IDENTITY,
      ...["version", "status", "status_since", "failures", "successes", "last_check", "last_checked_at"],
      ...["next_check_at", "leased_until", "urgency", "name_key"],
      // The worker encrypts headers of an earlier release; any other change sets `updated_at`.
      ...["headers", "header_names", "secrets"],
    ],
  },
  "/uptime/incidents/{id}": {
    table: "uptime_incidents",
    columns: ["note"],
    ignored: ["awaits_evaluation", "organization_id", "id", "monitor_id", "started_at", "ended_at", "reason", "detail"],
  },
  "/uptime/maintenance-windows/{id}": {
    table: "maintenance_windows",
    columns: ["name", "monitor_ids", "starts_at", "ends_at", "repeat"],
    ignored: IDENTITY,
  },
  "/subdomains/domains/{id}": {
    table: "domains",
    columns: [
      ...["name", "interval_hours", "expected_issuers", "updated_at"],
      ...["unauthorized_after_hours", "authorized_issuers", "authorized_keys"],
    ],
    ignored: [
      ...IDENTITY,
      "accounted_since",
      "account_after",
      "challenge",
      "proven_at",
      "proof_checked_at",
      "proof_error",
    ],
  },
  "/alert-rules/{id}": {
    table: "alert_rules",
    columns: [
      ...["name", "enabled", "selector", "condition", "steps", "repeat_minutes", "resolve_after_minutes"],
      ...["send_resolved", "quiet_hours", "updated_at"],
    ],
    ignored: IDENTITY,
  },
  "/notification-channels/{id}": {
    table: "notification_channels",
    columns: ["name", "type", "settings", "secrets", "secret_fields", "enabled", "disabled_reason", "updated_at"],
    ignored: [...IDENTITY, "failures", "last_sent_at", "last_failed_at", "last_error"],
    actions: ["/notification-channels/{id}/rotate-secret"],
  },
  "/organizations/{id}": {
    table: "organizations",
    columns: ["name", "slug", "plan", "deletion_requested_at", "deletion_requested_by", "deletion_due_at"],
    ignored: [
      "id",
      "created_at",
      "created_by",
      "plan_changed_at",
      "audit_classes",
      "audit_has_held",
      "audit_held_since",
      "demonstration",
      "deletion_notified_at",
    ],
    where: "id = $2::uuid AND id = $1::uuid",
    actions: ["/organizations/{id}/restore"],
  },
  "/organizations/{id}/status-pages/{page_id}": {
    table: "status_pages",
    columns: ["slug", "title", "published", "sites", "updated_at"],
    ignored: IDENTITY,
  },
  "/organizations/{id}/members/{user_id}": {
    table: "memberships",
    columns: ["permission"],
    ignored: [
      ...["organization_id", "user_id", "created_at"],
      ...["last_seen_at", "previous_visit_at", "deletion_notice_due_at"],
    ],
    where: "organization_id = $1::uuid AND user_id = $2::uuid",
    organizationFirst: true,
  },
  "/organizations/{id}/invitations/{invitation_id}": {
    table: "invitations",
    columns: ["email", "permission", "token_hash", "expires_at"],
    ignored: [...IDENTITY, "created_by"],
    organizationFirst: true,
  },
};

/** The resource that a path reads, changes or, with POST, creates; undefined for resources without versions. */
export function versionedResource(method: string, path: string): VersionedResource | undefined {
  if (method !== "POST") return versionedResources[path];
  const isOne = (of: string) => of.startsWith(`${path}/{`) && of.lastIndexOf("/") === path.length;
  return Object.entries(versionedResources).find(([of, { actions }]) => isOne(of) || actions?.includes(path))?.[1];
}
