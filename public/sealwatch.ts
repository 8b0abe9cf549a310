// A client of Sealwatch's API in one file, for Node.js 20 and whatever else has fetch. Apache-2.0.
// Written by `npm run client` from the OpenAPI document; do not edit.

/** What a request takes and what it answers with, by `METHOD /path`. */
type Operation = { input: object; data: unknown; kind: "one" | "list" | "raw" };
type Failure = { code: string; message: string; request_id: string; retry_after?: number; issues?: Issue[] };

export type Issue = { path: string; message: string };
export type Page<Item> = { data: Item[]; pagination: { next_cursor: string | null; has_more: boolean } };

/** A failure as the API told it. `requestId` is the id of its entry in the audit log. */
export class SealwatchError extends Error {
  override readonly name = "SealwatchError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    /** Seconds after which the request would be admitted; on 429 and 503. */
    readonly retryAfter: number | null,
    /** The fields that do not fit; on 400. */
    readonly issues: readonly Issue[],
  ) {
    super(message);
  }
}

export interface SealwatchOptions {
  /** Where Sealwatch is, such as `https://sealwatch.example.com`. */
  url: string;
  apiKey: string;
  /** How often a request that was refused for its rate (429) is repeated, each time after `retry_after`. None unless given. */
  retries?: number;
  fetch?: typeof fetch;
}

type Keys<Kind extends Operation["kind"]> = {
  [Key in keyof Operations]: Operations[Key]["kind"] extends Kind ? Key : never;
}[keyof Operations];
type Sent<Key extends keyof Operations> = Operations[Key]["input"];
/** More headers of a request, such as `Idempotency-Key` and `If-Match`. */
export type RequestHeaders = Record<string, string>;
/** What is sent may be left out where nothing must be said. */
type Rest<Key extends keyof Operations> =
  Record<never, never> extends Sent<Key>
    ? [input?: Sent<Key>, headers?: RequestHeaders]
    : [input: Sent<Key>, headers?: RequestHeaders];

/** A client of the API. Path parameters, query and body are one object: `call("GET /api-keys/{id}", { id })`. */
export class Sealwatch {
  readonly #options: SealwatchOptions;

  constructor(options: SealwatchOptions) {
    this.#options = options;
  }

  /** One request; answers with `data`. Throws SealwatchError. */
  async call<Key extends Keys<"one">>(key: Key, ...[input, headers]: Rest<Key>): Promise<Operations[Key]["data"]> {
    const { data } = (await (await this.#send(key, input, headers)).json()) as { data: Operations[Key]["data"] };
    return data;
  }

  /** One page of a list, with the cursor of the next one. Throws SealwatchError. */
  async page<Key extends Keys<"list">>(key: Key, ...[input]: Rest<Key>): Promise<Page<Operations[Key]["data"]>> {
    return (await (await this.#send(key, input)).json()) as Page<Operations[Key]["data"]>;
  }

  /** Every item of a list, page after page. Throws SealwatchError. */
  async *list<Key extends Keys<"list">>(key: Key, ...[input]: Rest<Key>): AsyncGenerator<Operations[Key]["data"]> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const response = await this.#send(key, { ...input, ...(cursor !== undefined && { cursor }) });
      const { data, pagination } = (await response.json()) as Page<Operations[Key]["data"]>;
      yield* data;
      cursor = pagination.next_cursor;
    }
  }

  /** A file, a document or a stream, as the response it comes in. Throws SealwatchError. */
  raw<Key extends Keys<"raw">>(key: Key, ...[input, headers]: Rest<Key>): Promise<Response> {
    return this.#send(key, input, headers);
  }

  async #send(key: string, input: object = {}, more: RequestHeaders = {}): Promise<Response> {
    const { url, apiKey, retries = 0, fetch: send = fetch } = this.#options;
    const [method = "", template = ""] = key.split(" ");
    const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = encodeURIComponent(String(rest.get(name)));
      rest.delete(name);
      return value;
    });
    const inBody = method === "POST" || method === "PUT";
    const query = new URLSearchParams([...(inBody ? [] : rest)].map(([name, value]) => [name, String(value)]));
    const target = `${url.replace(/\/$/, "")}/api/v1${path}${query.size > 0 ? `?${query}` : ""}`;
    for (let attempt = 0; ; attempt += 1) {
      const response = await send(target, {
        method,
        headers: { ...more, authorization: `Bearer ${apiKey}`, ...(inBody && { "content-type": "application/json" }) },
        ...(inBody && { body: JSON.stringify(Object.fromEntries(rest)) }),
      });
      if (response.ok) return response;
      const failure = await failed(response);
      if (response.status !== 429 || attempt >= retries) throw failure;
      await new Promise((resolve) => setTimeout(resolve, (failure.retryAfter ?? 1) * 1000));
    }
  }
}

async function failed(response: Response): Promise<SealwatchError> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: Failure };
  return new SealwatchError(
    response.status,
    error?.code ?? "UNKNOWN",
    error?.message ?? `Sealwatch answered ${response.status}.`,
    error?.request_id ?? response.headers.get("x-request-id"),
    error?.retry_after ?? null,
    error?.issues ?? [],
  );
}

export type ApiKey = {
  id: string;
  name: string;
  /** `read` allows GET requests only. */
  permission: "admin" | "read";
  ip_whitelist: string[];
  expires_at: string | null;
  status: "active" | "expired" | "revoked";
  /** The secret's first and last characters. */
  hint: string;
  created_at: string;
  created_by: {
    type: "api_key" | "user" | "system";
    id: string | null;
    name: string;
  };
  /** Delayed by at most one minute. */
  last_used_at: string | null;
  last_used_ip: string | null;
  rotated_at: string | null;
  /** 90 days after the secret was issued. */
  rotation_due_at: string;
  /** Last request with a secret that a rotation had replaced. */
  rotated_secret_used_at: string | null;
  revoked_at: string | null;
  /** Risks of an active key, most urgent first. `rotated_secret_used`: Old secret in use; `expires_soon`: Expires soon; `rotation_overdue`: Rotation overdue; `no_whitelist`: No IP whitelist; `no_expiration`: No expiration; `idle`: Idle; `never_used`: Never used. */
  risks: ("rotated_secret_used" | "expires_soon" | "rotation_overdue" | "no_whitelist" | "no_expiration" | "idle" | "never_used")[];
};

export type ApiKeyWithSecret = {
  id: string;
  name: string;
  /** `read` allows GET requests only. */
  permission: "admin" | "read";
  ip_whitelist: string[];
  expires_at: string | null;
  status: "active" | "expired" | "revoked";
  /** The secret's first and last characters. */
  hint: string;
  created_at: string;
  created_by: {
    type: "api_key" | "user" | "system";
    id: string | null;
    name: string;
  };
  /** Delayed by at most one minute. */
  last_used_at: string | null;
  last_used_ip: string | null;
  rotated_at: string | null;
  /** 90 days after the secret was issued. */
  rotation_due_at: string;
  /** Last request with a secret that a rotation had replaced. */
  rotated_secret_used_at: string | null;
  revoked_at: string | null;
  /** Risks of an active key, most urgent first. `rotated_secret_used`: Old secret in use; `expires_soon`: Expires soon; `rotation_overdue`: Rotation overdue; `no_whitelist`: No IP whitelist; `no_expiration`: No expiration; `idle`: Idle; `never_used`: Never used. */
  risks: ("rotated_secret_used" | "expires_soon" | "rotation_overdue" | "no_whitelist" | "no_expiration" | "idle" | "never_used")[];
  /** Shown only once, in this response. */
  secret?: string;
  /** In a repetition under the same `Idempotency-Key`, which holds the first answer without its secrets. */
  secret_withheld?: true;
};

export type ApiKeyUsage = {
  api_key_id: string;
  /** A UTC midnight. Later if the organization's plan does not retain all requested days. */
  since: string;
  until: string;
  /** Number of events in the audit log with the filters `api_key_id` and `since`. */
  requests: number;
  /** One point per UTC day, including today. */
  series: {
    start: string;
    requests: number;
    status_2xx: number;
    status_3xx: number;
    status_4xx: number;
    status_5xx: number;
  }[];
  routes: {
    method: string | null;
    /** Null for unknown paths. */
    route: string | null;
    requests: number;
    /** Requests with status 400 or above. */
    errors: number;
  }[];
  address_count: number;
  /** The 50 with the most requests. */
  addresses: {
    /** Null if unknown. */
    ip_address: string | null;
    country: string | null;
    requests: number;
    /** First request in the range. */
    first_seen_at: string;
    last_seen_at: string;
    /** First successful request, including before the range (for IPv6, from the address's /64); null if none succeeded. */
    known_since: string | null;
  }[];
  country_count: number;
  countries: {
    country: string;
    requests: number;
    /** First request in the range. */
    first_seen_at: string;
    last_seen_at: string;
    /** First successful request, including before the range (for IPv6, from the address's /64); null if none succeeded. */
    known_since: string | null;
  }[];
  /** By reason, only for reasons that occurred. */
  refusals: {
    flag: "ip_not_allowed" | "expired_key" | "revoked_key" | "rotated_secret" | "rate_limited" | "method_not_allowed";
    requests: number;
  }[];
  /** Usage of each group's rate limit, highest share first. */
  rate_limits: {
    group: "certificates" | "uptime" | "analytics" | "alerts" | "subdomains" | "api_keys" | "audit_logs" | "organizations" | "alert_rules" | "billing" | "notification_channels" | "other";
    limit: number;
    /** Highest number of requests in one window. */
    used: number;
    /** `used` by `limit`, 0 to 1. */
    share: number;
    /** The UTC day of that window. */
    day: string;
  }[];
  /** Requests with secrets that a rotation had replaced, latest first: clients that still use an old secret. */
  rotated_secrets: {
    hint: string;
    /** When a rotation replaced the secret. */
    retired_at: string | null;
    requests: number;
    /** First request in the range. */
    first_seen_at: string;
    last_seen_at: string;
    sources: {
      /** Null if unknown. */
      ip_address: string | null;
      country: string | null;
      requests: number;
      /** First request in the range. */
      first_seen_at: string;
      last_seen_at: string;
      user_agent: string | null;
    }[];
  }[];
};

export type WhitelistPreview = {
  since: string;
  addresses_seen: number;
  refused_addresses: number;
  /** Requests from these addresses since then. */
  refused_requests: number;
  /** At most 50: addresses that are currently allowed first, then by requests. */
  refused: {
    /** Null if unknown. */
    ip_address: string | null;
    country: string | null;
    requests: number;
    last_seen_at: string;
    /** Whether the current whitelist also refuses the address. */
    refused_already: boolean;
  }[];
};

export type AuditEvent = {
  id: string;
  occurred_at: string;
  request: {
    method: string;
    path: string;
    /** The route pattern; null for unknown paths. */
    route: string | null;
    /** As sent, still encoded. */
    query: string | null;
    /** In bytes; for a body over the limit, the declared size. */
    body_size: number | null;
    content_type: string | null;
  } | null;
  authentication: {
    organization_id: string;
    type: "api_key" | "session" | "anonymous" | "system";
    api_key: {
      id: string;
      name: string;
      hint: string;
    } | null;
    user: {
      id: string;
      name: string;
      email: string;
    } | null;
  };
  response: {
    status_code: number | null;
    response_time_ms: number | null;
    error_code: string | null;
    error_message: string | null;
  };
  client: {
    ip_address: string | null;
    user_agent: string | null;
    country: string | null;
  };
  security: {
    rate_limit_remaining: number | null;
    /** `invalid_credentials`: Invalid credentials; `expired_key`: Expired key; `revoked_key`: Revoked key; `rotated_secret`: Rotated secret; `ip_not_allowed`: IP not allowed; `method_not_allowed`: Method not allowed; `rate_limited`: Rate limited; `cross_site_request`: Cross-site request; `key_created`: Key created; `key_updated`: Key updated; `key_rotated`: Key rotated; `key_revoked`: Key revoked; `sign_in`: Sign-in; `sign_in_refused`: Sign-in refused; `sign_out`: Sign-out; `member_added`: Member added; `member_changed`: Member changed; `member_removed`: Member removed; `organization_updated`: Organization updated; `plan_changed`: Plan changed; `audit_exported`: Audit log exported; `organization_exported`: Organization exported; `new_address`: New address; `new_country`: New country; `interrupted`: Interrupted. */
    flags: ("invalid_credentials" | "expired_key" | "revoked_key" | "rotated_secret" | "ip_not_allowed" | "method_not_allowed" | "rate_limited" | "cross_site_request" | "key_created" | "key_updated" | "key_rotated" | "key_revoked" | "sign_in" | "sign_in_refused" | "sign_out" | "member_added" | "member_changed" | "member_removed" | "organization_updated" | "plan_changed" | "audit_exported" | "organization_exported" | "new_address" | "new_country" | "interrupted")[];
    is_security_event: boolean;
  };
  resource: {
    type: string | null;
    id: string | null;
    action: "alert.acknowledge" | "alert.get" | "alert.list" | "alert.resolve" | "alert.snooze" | "alert_rule.create" | "alert_rule.delete" | "alert_rule.get" | "alert_rule.list" | "alert_rule.preview" | "alert_rule.test" | "alert_rule.update" | "analytics.expiry" | "analytics.issuers" | "analytics.keys" | "analytics.lifetimes" | "analytics.metrics" | "analytics.overview" | "analytics.renewals" | "analytics.response_times" | "analytics.uptime" | "api_key.create" | "api_key.get" | "api_key.list" | "api_key.preview_whitelist" | "api_key.revoke" | "api_key.rotate" | "api_key.update" | "api_key.usage" | "audit_log.context" | "audit_log.export" | "audit_log.export_finished" | "audit_log.get" | "audit_log.list" | "audit_log.stats" | "audit_log.stream" | "audit_view.create" | "audit_view.delete" | "audit_view.get" | "audit_view.list" | "audit_view.update" | "billing.checkout" | "billing.get" | "billing.notice" | "billing.portal" | "billing_plan.list" | "certificate.add" | "certificate.download" | "certificate.export" | "certificate.get" | "certificate.history" | "certificate.list" | "certificate_calendar.create" | "certificate_calendar.delete" | "certificate_calendar.feed" | "certificate_calendar.get" | "certificate_calendar.list" | "certificate_endpoint.bulk_check" | "certificate_endpoint.bulk_upsert" | "certificate_endpoint.check" | "certificate_endpoint.create" | "certificate_endpoint.delete" | "certificate_endpoint.export" | "certificate_endpoint.get" | "certificate_endpoint.history" | "certificate_endpoint.import" | "certificate_endpoint.list" | "certificate_endpoint.report" | "certificate_endpoint.update" | "certificate_finding.list" | "certificate_trust_store.create" | "certificate_trust_store.delete" | "certificate_trust_store.get" | "certificate_trust_store.list" | "certificate_trust_store.update" | "domain.create" | "domain.delete" | "domain.discover" | "domain.get" | "domain.list" | "domain.update" | "domain.verify" | "incident.get" | "incident.list" | "incident.update" | "invitation.accept" | "invitation.create" | "invitation.list" | "invitation.withdraw" | "issuance.list" | "maintenance_window.create" | "maintenance_window.delete" | "maintenance_window.get" | "maintenance_window.list" | "maintenance_window.update" | "member.leave" | "member.list" | "member.relink" | "member.remove" | "member.set" | "member.update" | "monitor.bulk_check" | "monitor.bulk_upsert" | "monitor.check" | "monitor.create" | "monitor.delete" | "monitor.get" | "monitor.list" | "monitor.stats" | "monitor.update" | "notification_channel.create" | "notification_channel.delete" | "notification_channel.disable" | "notification_channel.get" | "notification_channel.list" | "notification_channel.rotate_secret" | "notification_channel.test" | "notification_channel.update" | "notification_delivery.list" | "notification_delivery.retry" | "openapi.get" | "organization.create" | "organization.delete" | "organization.export" | "organization.export_finished" | "organization.get" | "organization.list" | "organization.purge" | "organization.restore" | "organization.set_plan" | "organization.update" | "security_event.group" | "security_event.list" | "session.sign_in" | "session.sign_out" | "subdomain.get" | "subdomain.list" | "subdomain.review" | "uptime_check.list" | null;
  };
  /** Further details of the event. For audit_log.export_finished: format, rows, sha256, complete. `reduced`: the text of the event could not be stored. `body_unread`: the request was refused before its body was read. `body_omitted`: the body of a request to a public route exceeded the storage quota. */
  details: { [key: string]: unknown } | null;
};

export type SecurityEventGroup = {
  flag: "invalid_credentials" | "expired_key" | "revoked_key" | "rotated_secret" | "ip_not_allowed" | "method_not_allowed" | "rate_limited" | "cross_site_request" | "key_created" | "key_updated" | "key_rotated" | "key_revoked" | "sign_in" | "sign_in_refused" | "sign_out" | "member_added" | "member_changed" | "member_removed" | "organization_updated" | "plan_changed" | "audit_exported" | "organization_exported" | "new_address" | "new_country" | "interrupted";
  source: {
    /** The key or person if known, else the address. */
    type: "api_key" | "user" | "address" | "system";
    /** Id of the key or person, or the address; null for the system. */
    id: string | null;
    /** Name of the key or person in the latest event. */
    name: string | null;
  };
  /** Number of events in the list with the same filters, this flag and this source. */
  events: number;
  unique_ips: number;
  /** The most frequent addresses. */
  by_ip: {
    value: string;
    country: string | null;
    events: number;
  }[];
  first_at: string;
  last_at: string;
  last_event_id: string;
  /** Events per interval of `series_starts`. */
  series: number[];
};

export type AuditEventWithBody = {
  id: string;
  occurred_at: string;
  request: {
    method: string;
    path: string;
    /** The route pattern; null for unknown paths. */
    route: string | null;
    /** As sent, still encoded. */
    query: string | null;
    /** In bytes; for a body over the limit, the declared size. */
    body_size: number | null;
    content_type: string | null;
    /** Exactly as submitted; null for GET and for bodies that were refused without reading them. */
    body: string | null;
    body_encoding: "utf8" | "base64" | null;
  } | null;
  authentication: {
    organization_id: string;
    type: "api_key" | "session" | "anonymous" | "system";
    api_key: {
      id: string;
      name: string;
      hint: string;
    } | null;
    user: {
      id: string;
      name: string;
      email: string;
    } | null;
  };
  response: {
    status_code: number | null;
    response_time_ms: number | null;
    error_code: string | null;
    error_message: string | null;
  };
  client: {
    ip_address: string | null;
    user_agent: string | null;
    country: string | null;
  };
  security: {
    rate_limit_remaining: number | null;
    /** `invalid_credentials`: Invalid credentials; `expired_key`: Expired key; `revoked_key`: Revoked key; `rotated_secret`: Rotated secret; `ip_not_allowed`: IP not allowed; `method_not_allowed`: Method not allowed; `rate_limited`: Rate limited; `cross_site_request`: Cross-site request; `key_created`: Key created; `key_updated`: Key updated; `key_rotated`: Key rotated; `key_revoked`: Key revoked; `sign_in`: Sign-in; `sign_in_refused`: Sign-in refused; `sign_out`: Sign-out; `member_added`: Member added; `member_changed`: Member changed; `member_removed`: Member removed; `organization_updated`: Organization updated; `plan_changed`: Plan changed; `audit_exported`: Audit log exported; `organization_exported`: Organization exported; `new_address`: New address; `new_country`: New country; `interrupted`: Interrupted. */
    flags: ("invalid_credentials" | "expired_key" | "revoked_key" | "rotated_secret" | "ip_not_allowed" | "method_not_allowed" | "rate_limited" | "cross_site_request" | "key_created" | "key_updated" | "key_rotated" | "key_revoked" | "sign_in" | "sign_in_refused" | "sign_out" | "member_added" | "member_changed" | "member_removed" | "organization_updated" | "plan_changed" | "audit_exported" | "organization_exported" | "new_address" | "new_country" | "interrupted")[];
    is_security_event: boolean;
  };
  resource: {
    type: string | null;
    id: string | null;
    action: "alert.acknowledge" | "alert.get" | "alert.list" | "alert.resolve" | "alert.snooze" | "alert_rule.create" | "alert_rule.delete" | "alert_rule.get" | "alert_rule.list" | "alert_rule.preview" | "alert_rule.test" | "alert_rule.update" | "analytics.expiry" | "analytics.issuers" | "analytics.keys" | "analytics.lifetimes" | "analytics.metrics" | "analytics.overview" | "analytics.renewals" | "analytics.response_times" | "analytics.uptime" | "api_key.create" | "api_key.get" | "api_key.list" | "api_key.preview_whitelist" | "api_key.revoke" | "api_key.rotate" | "api_key.update" | "api_key.usage" | "audit_log.context" | "audit_log.export" | "audit_log.export_finished" | "audit_log.get" | "audit_log.list" | "audit_log.stats" | "audit_log.stream" | "audit_view.create" | "audit_view.delete" | "audit_view.get" | "audit_view.list" | "audit_view.update" | "billing.checkout" | "billing.get" | "billing.notice" | "billing.portal" | "billing_plan.list" | "certificate.add" | "certificate.download" | "certificate.export" | "certificate.get" | "certificate.history" | "certificate.list" | "certificate_calendar.create" | "certificate_calendar.delete" | "certificate_calendar.feed" | "certificate_calendar.get" | "certificate_calendar.list" | "certificate_endpoint.bulk_check" | "certificate_endpoint.bulk_upsert" | "certificate_endpoint.check" | "certificate_endpoint.create" | "certificate_endpoint.delete" | "certificate_endpoint.export" | "certificate_endpoint.get" | "certificate_endpoint.history" | "certificate_endpoint.import" | "certificate_endpoint.list" | "certificate_endpoint.report" | "certificate_endpoint.update" | "certificate_finding.list" | "certificate_trust_store.create" | "certificate_trust_store.delete" | "certificate_trust_store.get" | "certificate_trust_store.list" | "certificate_trust_store.update" | "domain.create" | "domain.delete" | "domain.discover" | "domain.get" | "domain.list" | "domain.update" | "domain.verify" | "incident.get" | "incident.list" | "incident.update" | "invitation.accept" | "invitation.create" | "invitation.list" | "invitation.withdraw" | "issuance.list" | "maintenance_window.create" | "maintenance_window.delete" | "maintenance_window.get" | "maintenance_window.list" | "maintenance_window.update" | "member.leave" | "member.list" | "member.relink" | "member.remove" | "member.set" | "member.update" | "monitor.bulk_check" | "monitor.bulk_upsert" | "monitor.check" | "monitor.create" | "monitor.delete" | "monitor.get" | "monitor.list" | "monitor.stats" | "monitor.update" | "notification_channel.create" | "notification_channel.delete" | "notification_channel.disable" | "notification_channel.get" | "notification_channel.list" | "notification_channel.rotate_secret" | "notification_channel.test" | "notification_channel.update" | "notification_delivery.list" | "notification_delivery.retry" | "openapi.get" | "organization.create" | "organization.delete" | "organization.export" | "organization.export_finished" | "organization.get" | "organization.list" | "organization.purge" | "organization.restore" | "organization.set_plan" | "organization.update" | "security_event.group" | "security_event.list" | "session.sign_in" | "session.sign_out" | "subdomain.get" | "subdomain.list" | "subdomain.review" | "uptime_check.list" | null;
  };
  /** Further details of the event. For audit_log.export_finished: format, rows, sha256, complete. `reduced`: the text of the event could not be stored. `body_unread`: the request was refused before its body was read. `body_omitted`: the body of a request to a public route exceeded the storage quota. */
  details: { [key: string]: unknown } | null;
};

export type AuditContext = {
  /** What is unusual about the event, most significant first. */
  facts: {
    kind: "repeated";
    flag: "invalid_credentials" | "expired_key" | "revoked_key" | "rotated_secret" | "ip_not_allowed" | "method_not_allowed" | "rate_limited" | "cross_site_request" | "key_created" | "key_updated" | "key_rotated" | "key_revoked" | "sign_in" | "sign_in_refused" | "sign_out" | "member_added" | "member_changed" | "member_removed" | "organization_updated" | "plan_changed" | "audit_exported" | "organization_exported" | "new_address" | "new_country" | "interrupted";
    /** Events of the same caller with this flag, including this event. */
    times: number;
    /** Number of addresses that sent these events. */
    addresses: number;
    since: string;
    until: string;
  } | {
    kind: "first_from_address";
    of: "api_key" | "user";
    /** Time of the oldest event that is retained and was compared. */
    kept_since: string;
  } | {
    kind: "secret_rotated";
    event_id: string;
    at: string;
    by: string | null;
  } | {
    kind: "outside_whitelist";
    ip_whitelist: string[];
    allowed_now: boolean;
  } | {
    kind: "near_limit";
    remaining: number;
    limit: number;
    group: "certificates" | "uptime" | "analytics" | "alerts" | "subdomains" | "api_keys" | "audit_logs" | "organizations" | "alert_rules" | "billing" | "notification_channels" | "other";
  } | {
    kind: "slow";
    p95_ms: number;
    compared: number;
  } | {
    kind: "key_since";
    status: "revoked" | "expired";
    at: string;
  } | {
    kind: "from_the_future";
  }[];
  /** Events of the same key or person within one hour, newest first. */
  same_caller: AuditEvent[];
  /** Events from the same address within one hour, newest first. */
  same_address: AuditEvent[];
};

export type AuditStats = {
  /** The start of the range: as requested, or the start of the plan's retention if that is later. */
  since: string;
  until: string;
  interval: "minute" | "hour" | "day";
  /** Days for which the organization's plan retains events. */
  retention_days: number;
  totals: {
    /** Number of matching events, as in the list with the same filters. */
    requests: number;
    /** Events with status 400 or above. */
    errors: number;
    /** Events with status 500 or above. */
    server_errors: number;
    /** Status 429. */
    rate_limited: number;
    security_events: number;
    unique_api_keys: number;
    unique_ips: number;
  };
  /** Percentiles are within 1% of the exact nearest-rank value; max is exact. */
  response_time_ms: {
    p50: number | null;
    p95: number | null;
    p99: number | null;
    max: number | null;
  };
  series: {
    start: string;
    requests: number;
    status_2xx: number;
    status_3xx: number;
    status_4xx: number;
    status_5xx: number;
    security_events: number;
  }[];
  by_status: {
    value: string;
    requests: number;
  }[];
  by_method: {
    value: string;
    requests: number;
  }[];
  by_route: {
    value: string;
    requests: number;
  }[];
  by_api_key: {
    value: string;
    requests: number;
  }[];
  by_ip: {
    value: string;
    requests: number;
  }[];
  by_country: {
    value: string;
    requests: number;
  }[];
  by_error_code: {
    value: string;
    requests: number;
  }[];
  by_flag: {
    value: string;
    requests: number;
  }[];
};

export type AuditView = {
  id: string;
  name: string;
  /** A `personal` view is available only to its person or key, an `organization` view to the whole organization. */
  scope: "personal" | "organization";
  query: { [key: string]: string };
  created_at: string;
  created_by: {
    type: "user" | "api_key" | "system";
    id: string | null;
    name: string;
  };
  updated_at: string;
};

export type Certificate = {
  id: string;
  /** RFC 4514, most specific first. */
  subject: string;
  common_name: string | null;
  /** Subject alternative names; names of types other than DNS name and IP address have a prefix. */
  sans: string[];
  issuer: string;
  serial_number: string;
  sha256: string;
  not_before: string;
  not_after: string;
  /** Whole days until it expires, rounded down; negative once it has expired. */
  days_left: number;
  /** The remaining share of its lifetime. */
  lifetime_left_share: number;
  key_type: string;
  key_bits: number | null;
  signature_algorithm: string;
  is_ca: boolean;
  /** SHA-256 of the public key (SPKI) in hexadecimal; certificates with the same key share it. */
  public_key_sha256: string | null;
  first_seen_at: string;
  /** When it was submitted. */
  added_at: string | null;
  /** Findings about how it is served, most severe first. */
  chain_findings: {
    /** `unreachable`: Unreachable; `dns_failure`: DNS lookup failed; `starttls_unsupported`: STARTTLS not supported; `tls_handshake_failed`: TLS handshake failed; `expired`: Expired; `not_yet_valid`: Not yet valid; `expires_soon`: Expires soon; `renewal_overdue`: Renewal overdue; `renewed_not_deployed`: Renewed but not deployed; `revoked`: Revoked; `revocation_unknown`: Revocation status unknown; `chain_incomplete`: Incomplete chain; `chain_misordered`: Chain out of order; `chain_extra`: Extra certificates in chain; `intermediate_expires_first`: Intermediate expires first; `untrusted_root`: Untrusted root; `self_signed`: Self-signed; `hostname_mismatch`: Host name mismatch; `san_missing`: No subject alternative names; `weak_key`: Weak key; `weak_signature`: Weak signature; `legacy_protocol`: Outdated TLS version; `lifetime_exceeds_policy`: Lifetime too long; `issuer_unexpected`: Unexpected issuer; `pin_mismatch`: Key pin mismatch; `address_divergence`: Addresses differ; `certificate_changed`: Certificate changed; `names_removed`: Names removed; `key_reused`: Key reused. */
    code: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
    severity: "info" | "warning" | "critical";
    /** Number of endpoints with this finding. */
    endpoint_count: number;
    /** Evidence from one of these endpoints. */
    evidence: { [key: string]: unknown };
  }[];
  /** Endpoints that currently serve it, at most 20. */
  endpoints: {
    id: string;
    host: string;
    port: number;
    sni: string | null;
    /** The most severe open finding, or `unreachable`. `pending`: Not checked yet; `ok`: OK; `info`: Info; `warning`: Warning; `critical`: Critical; `unreachable`: Unreachable. */
    status: "pending" | "ok" | "info" | "warning" | "critical" | "unreachable";
  }[];
  /** Number of endpoints that currently serve it. */
  endpoint_count: number;
};

export type CertificateDetail = {
  id: string;
  /** RFC 4514, most specific first. */
  subject: string;
  common_name: string | null;
  /** Subject alternative names; names of types other than DNS name and IP address have a prefix. */
  sans: string[];
  issuer: string;
  serial_number: string;
  sha256: string;
  not_before: string;
  not_after: string;
  /** Whole days until it expires, rounded down; negative once it has expired. */
  days_left: number;
  /** The remaining share of its lifetime. */
  lifetime_left_share: number;
  key_type: string;
  key_bits: number | null;
  signature_algorithm: string;
  is_ca: boolean;
  /** SHA-256 of the public key (SPKI) in hexadecimal; certificates with the same key share it. */
  public_key_sha256: string | null;
  first_seen_at: string;
  /** When it was submitted. */
  added_at: string | null;
  /** Findings about how it is served, most severe first. */
  chain_findings: {
    /** `unreachable`: Unreachable; `dns_failure`: DNS lookup failed; `starttls_unsupported`: STARTTLS not supported; `tls_handshake_failed`: TLS handshake failed; `expired`: Expired; `not_yet_valid`: Not yet valid; `expires_soon`: Expires soon; `renewal_overdue`: Renewal overdue; `renewed_not_deployed`: Renewed but not deployed; `revoked`: Revoked; `revocation_unknown`: Revocation status unknown; `chain_incomplete`: Incomplete chain; `chain_misordered`: Chain out of order; `chain_extra`: Extra certificates in chain; `intermediate_expires_first`: Intermediate expires first; `untrusted_root`: Untrusted root; `self_signed`: Self-signed; `hostname_mismatch`: Host name mismatch; `san_missing`: No subject alternative names; `weak_key`: Weak key; `weak_signature`: Weak signature; `legacy_protocol`: Outdated TLS version; `lifetime_exceeds_policy`: Lifetime too long; `issuer_unexpected`: Unexpected issuer; `pin_mismatch`: Key pin mismatch; `address_divergence`: Addresses differ; `certificate_changed`: Certificate changed; `names_removed`: Names removed; `key_reused`: Key reused. */
    code: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
    severity: "info" | "warning" | "critical";
    /** Number of endpoints with this finding. */
    endpoint_count: number;
    /** Evidence from one of these endpoints. */
    evidence: { [key: string]: unknown };
  }[];
  /** Endpoints that currently serve it, at most 20. */
  endpoints: {
    id: string;
    host: string;
    port: number;
    sni: string | null;
    /** The most severe open finding, or `unreachable`. `pending`: Not checked yet; `ok`: OK; `info`: Info; `warning`: Warning; `critical`: Critical; `unreachable`: Unreachable. */
    status: "pending" | "ok" | "info" | "warning" | "critical" | "unreachable";
  }[];
  /** Number of endpoints that currently serve it. */
  endpoint_count: number;
  pem: string;
  /** The chain in which it was last served, in that order, starting with this certificate. */
  chain: {
    id: string;
    /** RFC 4514, most specific first. */
    subject: string;
    common_name: string | null;
    /** Subject alternative names; names of types other than DNS name and IP address have a prefix. */
    sans: string[];
    issuer: string;
    serial_number: string;
    sha256: string;
    not_before: string;
    not_after: string;
    /** Whole days until it expires, rounded down; negative once it has expired. */
    days_left: number;
    /** The remaining share of its lifetime. */
    lifetime_left_share: number;
    key_type: string;
    key_bits: number | null;
    signature_algorithm: string;
    is_ca: boolean;
    /** SHA-256 of the public key (SPKI) in hexadecimal; certificates with the same key share it. */
    public_key_sha256: string | null;
    first_seen_at: string;
    /** When it was submitted. */
    added_at: string | null;
    pem: string;
  }[];
};

export type CertificateFindingAt = {
  /** `unreachable`: Unreachable; `dns_failure`: DNS lookup failed; `starttls_unsupported`: STARTTLS not supported; `tls_handshake_failed`: TLS handshake failed; `expired`: Expired; `not_yet_valid`: Not yet valid; `expires_soon`: Expires soon; `renewal_overdue`: Renewal overdue; `renewed_not_deployed`: Renewed but not deployed; `revoked`: Revoked; `revocation_unknown`: Revocation status unknown; `chain_incomplete`: Incomplete chain; `chain_misordered`: Chain out of order; `chain_extra`: Extra certificates in chain; `intermediate_expires_first`: Intermediate expires first; `untrusted_root`: Untrusted root; `self_signed`: Self-signed; `hostname_mismatch`: Host name mismatch; `san_missing`: No subject alternative names; `weak_key`: Weak key; `weak_signature`: Weak signature; `legacy_protocol`: Outdated TLS version; `lifetime_exceeds_policy`: Lifetime too long; `issuer_unexpected`: Unexpected issuer; `pin_mismatch`: Key pin mismatch; `address_divergence`: Addresses differ; `certificate_changed`: Certificate changed; `names_removed`: Names removed; `key_reused`: Key reused. */
  code: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
  severity: "info" | "warning" | "critical";
  /** The evidence; its fields depend on the code. */
  evidence: { [key: string]: unknown };
  opened_at: string;
  closed_at: string | null;
  id: string;
  endpoint: {
    id: string;
    host: string;
    port: number;
    sni: string | null;
  };
};

export type CertificatePlace = {
  /** Null if the certificate was reported. */
  address: string | null;
  first_seen_at: string;
  /** The last check if it is still served. */
  last_seen_at: string;
  is_current: boolean;
  endpoint: {
    id: string;
    host: string;
    port: number;
    sni: string | null;
  };
};

export type CertificateEndpoint = {
  id: string;
  host: string;
  port: number;
  sni: string | null;
  /** The protocol: `tls` and `https` start with the TLS handshake; the others negotiate TLS first (STARTTLS or similar). */
  protocol: "tls" | "https" | "smtp" | "imap" | "pop3" | "ftp" | "ldap" | "postgres" | "mysql" | "xmpp";
  connect_to: string | null;
  /** `one` checks the first address that responds, `all` checks every address. */
  address_mode: "one" | "all";
  /** Seconds between two checks while the endpoint has no problems. */
  interval_seconds: number;
  tags: string[];
  trust_store_id: string | null;
  expected_issuers: string[];
  pins: string[];
  max_lifetime_days: number | null;
  /** Whether clients that can reach the endpoint report what it serves. Sealwatch never connects to it, so its host may be in any network. */
  reported: boolean;
  /** When the last report was received. */
  reported_at: string | null;
  /** The most severe open finding, or `unreachable`. `pending`: Not checked yet; `ok`: OK; `info`: Info; `warning`: Warning; `critical`: Critical; `unreachable`: Unreachable. */
  status: "pending" | "ok" | "info" | "warning" | "critical" | "unreachable";
  reachability: {
    state: "unknown" | "reachable" | "unreachable";
    since: string | null;
  };
  /** Open findings, most severe first. */
  findings: CertificateFinding[];
  /** The certificate that was last seen. */
  certificate: CertificateSummary | null;
  /** The last completed handshake. */
  connection: {
    address: string;
    /** TLS version, as OpenSSL names it. */
    protocol: string;
    cipher: string;
    dns_ms: number | null;
    connect_ms: number | null;
    tls_ms: number | null;
  } | null;
  last_checked_at: string | null;
  next_check_at: string;
  created_at: string;
  updated_at: string;
};

export type CertificateFinding = {
  /** `unreachable`: Unreachable; `dns_failure`: DNS lookup failed; `starttls_unsupported`: STARTTLS not supported; `tls_handshake_failed`: TLS handshake failed; `expired`: Expired; `not_yet_valid`: Not yet valid; `expires_soon`: Expires soon; `renewal_overdue`: Renewal overdue; `renewed_not_deployed`: Renewed but not deployed; `revoked`: Revoked; `revocation_unknown`: Revocation status unknown; `chain_incomplete`: Incomplete chain; `chain_misordered`: Chain out of order; `chain_extra`: Extra certificates in chain; `intermediate_expires_first`: Intermediate expires first; `untrusted_root`: Untrusted root; `self_signed`: Self-signed; `hostname_mismatch`: Host name mismatch; `san_missing`: No subject alternative names; `weak_key`: Weak key; `weak_signature`: Weak signature; `legacy_protocol`: Outdated TLS version; `lifetime_exceeds_policy`: Lifetime too long; `issuer_unexpected`: Unexpected issuer; `pin_mismatch`: Key pin mismatch; `address_divergence`: Addresses differ; `certificate_changed`: Certificate changed; `names_removed`: Names removed; `key_reused`: Key reused. */
  code: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
  severity: "info" | "warning" | "critical";
  /** The evidence; its fields depend on the code. */
  evidence: { [key: string]: unknown };
  opened_at: string;
  closed_at: string | null;
};

export type CertificateSummary = {
  id: string;
  /** RFC 4514, most specific first. */
  subject: string;
  common_name: string | null;
  /** Subject alternative names; names of types other than DNS name and IP address have a prefix. */
  sans: string[];
  issuer: string;
  serial_number: string;
  sha256: string;
  not_before: string;
  not_after: string;
  /** Whole days until it expires, rounded down; negative once it has expired. */
  days_left: number;
  /** The remaining share of its lifetime. */
  lifetime_left_share: number;
  key_type: string;
  key_bits: number | null;
  signature_algorithm: string;
  is_ca: boolean;
  /** SHA-256 of the public key (SPKI) in hexadecimal; certificates with the same key share it. */
  public_key_sha256: string | null;
  first_seen_at: string;
  /** When it was submitted. */
  added_at: string | null;
};

export type CertificateEndpointDetail = {
  id: string;
  host: string;
  port: number;
  sni: string | null;
  /** The protocol: `tls` and `https` start with the TLS handshake; the others negotiate TLS first (STARTTLS or similar). */
  protocol: "tls" | "https" | "smtp" | "imap" | "pop3" | "ftp" | "ldap" | "postgres" | "mysql" | "xmpp";
  connect_to: string | null;
  /** `one` checks the first address that responds, `all` checks every address. */
  address_mode: "one" | "all";
  /** Seconds between two checks while the endpoint has no problems. */
  interval_seconds: number;
  tags: string[];
  trust_store_id: string | null;
  expected_issuers: string[];
  pins: string[];
  max_lifetime_days: number | null;
  /** Whether clients that can reach the endpoint report what it serves. Sealwatch never connects to it, so its host may be in any network. */
  reported: boolean;
  /** When the last report was received. */
  reported_at: string | null;
  /** The most severe open finding, or `unreachable`. `pending`: Not checked yet; `ok`: OK; `info`: Info; `warning`: Warning; `critical`: Critical; `unreachable`: Unreachable. */
  status: "pending" | "ok" | "info" | "warning" | "critical" | "unreachable";
  reachability: {
    state: "unknown" | "reachable" | "unreachable";
    since: string | null;
  };
  /** Open findings, most severe first. */
  findings: CertificateFinding[];
  /** The certificate that was last seen. */
  certificate: CertificateSummary | null;
  /** The last completed handshake. */
  connection: {
    address: string;
    /** TLS version, as OpenSSL names it. */
    protocol: string;
    cipher: string;
    dns_ms: number | null;
    connect_ms: number | null;
    tls_ms: number | null;
  } | null;
  last_checked_at: string | null;
  next_check_at: string;
  created_at: string;
  updated_at: string;
  /** The result for each address at the last check that saw a certificate. */
  addresses: {
    /** Null if the certificate was reported. */
    address: string | null;
    certificate_id: string | null;
    /** Why no certificate was seen at this address. */
    reason: string | null;
  }[];
  /** Certificates in the order in which they were served. */
  served_chain: CertificateSummary[];
  /** Certificates that should be served, leaf first, without the root; empty if no path to a trusted root is known. */
  expected_chain: CertificateSummary[];
  /** The chain to install, as PEM, if the served chain differs from the expected chain. */
  install_pem: string | null;
};

export type CertificateSighting = {
  /** Null if the certificate was reported. */
  address: string | null;
  first_seen_at: string;
  /** The last check if it is still served. */
  last_seen_at: string;
  is_current: boolean;
  certificate: CertificateSummary;
  /** Null for the first certificate seen at that address. */
  changes: {
    /** The previous certificate at that address. */
    from: CertificateSummary;
    names_added: string[];
    names_removed: string[];
    is_issuer_changed: boolean;
    is_key_changed: boolean;
    /** Remaining share of the previous certificate's lifetime when this one was first seen. */
    from_left_share: number;
  } | null;
};

export type EndpointBulkResult = {
  index: number;
  /** With `dry_run`: what would happen. */
  status: "created" | "updated" | "unchanged" | "failed";
  /** Null if it failed, or if a dry run would create it. */
  id: string | null;
  error: string | null;
};

export type EndpointImportResult = {
  /** Line of the text, counted from 1. */
  line: number;
  target: string;
  /** With `dry_run`: what would happen. */
  status: "created" | "updated" | "unchanged" | "failed";
  /** Null if it failed, or if a dry run would create it. */
  id: string | null;
  error: string | null;
};

export type CertificateCalendar = {
  id: string;
  name: string;
  tag: string | null;
  created_at: string;
};

export type CertificateCalendarWithUrl = {
  id: string;
  name: string;
  tag: string | null;
  created_at: string;
  /** The signed URL, shown only once. */
  url?: string;
  /** In a repetition under the same `Idempotency-Key`, which holds the first answer without its secrets. */
  secret_withheld?: true;
};

export type CertificateTrustStore = {
  id: string;
  name: string;
  certificates: {
    subject: string;
    sha256: string;
    not_before: string;
    not_after: string;
  }[];
  /** Number of endpoints that use it. */
  endpoint_count: number;
  created_at: string;
  updated_at: string;
};

export type CertificateTrustStoreDetail = {
  id: string;
  name: string;
  certificates: {
    subject: string;
    sha256: string;
    not_before: string;
    not_after: string;
  }[];
  /** Number of endpoints that use it. */
  endpoint_count: number;
  created_at: string;
  updated_at: string;
  /** The uploaded certificates, without any surrounding text. */
  pem: string;
};

export type Monitor = {
  id: string;
  name: string;
  type: "http" | "tcp";
  target: string;
  /** http only. */
  method: "GET" | "HEAD" | "POST";
  header_names: string[];
  expected_status: string[];
  expected_text: string | null;
  follow_redirects: boolean;
  interval_seconds: number;
  timeout_seconds: number;
  failure_threshold: number;
  recovery_threshold: number;
  tags: string[];
  /** `pending`: Not checked yet; `up`: Up; `down`: Down; `paused`: Paused. */
  status: "pending" | "up" | "down" | "paused";
  status_since: string | null;
  last_check: UptimeCheck | null;
  /** Null while paused. */
  next_check_at: string | null;
  created_at: string;
  updated_at: string;
};

export type UptimeCheck = {
  id: string;
  checked_at: string;
  ok: boolean;
  /** Whether it was within a maintenance window and counts as neither up nor down. */
  maintenance: boolean;
  /** Null for a successful check. `dns_failure`: DNS lookup failed; `forbidden_address`: Forbidden address; `connection_refused`: Connection refused; `connection_reset`: Connection reset; `no_route`: No route to host; `timeout`: Timeout; `tls_failed`: TLS failed; `protocol_error`: Protocol error; `unexpected_status`: Unexpected status; `text_missing`: Expected text missing; `too_many_redirects`: Too many redirects. */
  reason: "dns_failure" | "forbidden_address" | "connection_refused" | "connection_reset" | "no_route" | "timeout" | "tls_failed" | "protocol_error" | "unexpected_status" | "text_missing" | "too_many_redirects" | null;
  detail: string | null;
  status_code: number | null;
  address: string | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  /** From sending the request to the first byte of the response. */
  ttfb_ms: number | null;
  total_ms: number;
};

export type UptimeStats = {
  /** The requested time, rounded down to a whole hour (with a daily series: a whole day) in UTC. */
  since: string;
  until: string;
  interval: "hour" | "day";
  /** Checks outside of maintenance. */
  checks: number;
  failures: number;
  maintenance_checks: number;
  /** Percentage of checks that did not fail; null without checks. */
  uptime_percent: number | null;
  /** Of successful checks, accurate to 1%. */
  response_time_ms: {
    p50: number | null;
    p95: number | null;
    p99: number | null;
  };
  /** Incidents that overlap the range. */
  incidents: number;
  /** Seconds of incidents within the range. */
  downtime_seconds: number;
  series: {
    start: string;
    /** Checks outside of maintenance. */
    checks: number;
    failures: number;
    maintenance_checks: number;
    /** Percentage of checks that did not fail; null without checks. */
    uptime_percent: number | null;
    /** Of successful checks, accurate to 1%. */
    response_time_ms: {
      p50: number | null;
      p95: number | null;
      p99: number | null;
    };
  }[];
  /** Up to now, starting at a whole hour (24 h, 7 d) or a whole day in UTC. */
  windows: {
    last_24h: {
      /** Checks outside of maintenance. */
      checks: number;
      failures: number;
      maintenance_checks: number;
      /** Percentage of checks that did not fail; null without checks. */
      uptime_percent: number | null;
      /** Of successful checks, accurate to 1%. */
      response_time_ms: {
        p50: number | null;
        p95: number | null;
        p99: number | null;
      };
    };
    last_7d: {
      /** Checks outside of maintenance. */
      checks: number;
      failures: number;
      maintenance_checks: number;
      /** Percentage of checks that did not fail; null without checks. */
      uptime_percent: number | null;
      /** Of successful checks, accurate to 1%. */
      response_time_ms: {
        p50: number | null;
        p95: number | null;
        p99: number | null;
      };
    };
    last_30d: {
      /** Checks outside of maintenance. */
      checks: number;
      failures: number;
      maintenance_checks: number;
      /** Percentage of checks that did not fail; null without checks. */
      uptime_percent: number | null;
      /** Of successful checks, accurate to 1%. */
      response_time_ms: {
        p50: number | null;
        p95: number | null;
        p99: number | null;
      };
    };
    last_90d: {
      /** Checks outside of maintenance. */
      checks: number;
      failures: number;
      maintenance_checks: number;
      /** Percentage of checks that did not fail; null without checks. */
      uptime_percent: number | null;
      /** Of successful checks, accurate to 1%. */
      response_time_ms: {
        p50: number | null;
        p95: number | null;
        p99: number | null;
      };
    };
  };
};

export type Incident = {
  id: string;
  monitor: {
    id: string;
    name: string;
  };
  /** When the first failed check started. */
  started_at: string;
  ended_at: string | null;
  /** Until now while it is ongoing. */
  duration_seconds: number;
  /** `dns_failure`: DNS lookup failed; `forbidden_address`: Forbidden address; `connection_refused`: Connection refused; `connection_reset`: Connection reset; `no_route`: No route to host; `timeout`: Timeout; `tls_failed`: TLS failed; `protocol_error`: Protocol error; `unexpected_status`: Unexpected status; `text_missing`: Expected text missing; `too_many_redirects`: Too many redirects. */
  reason: "dns_failure" | "forbidden_address" | "connection_refused" | "connection_reset" | "no_route" | "timeout" | "tls_failed" | "protocol_error" | "unexpected_status" | "text_missing" | "too_many_redirects";
  detail: string | null;
  note: string | null;
};

export type MaintenanceWindow = {
  id: string;
  name: string;
  /** An empty list means all of the organization's monitors. */
  monitor_ids: string[];
  starts_at: string;
  ends_at: string;
  repeat: "none" | "daily" | "weekly";
  active: boolean;
  created_at: string;
};

export type BulkResult = {
  index: number;
  /** With `dry_run`: what would happen. */
  status: "created" | "updated" | "unchanged" | "failed";
  /** Null if it failed, or if a dry run would create it. */
  id: string | null;
  error: string | null;
};

export type AnalyticsOverview = {
  certificates: {
    /** Currently served by at least one endpoint. */
    in_use: number;
    expired: number;
    /** Expiring within 7 days, excluding expired certificates. The next fields count likewise. */
    expiring_7d: number;
    expiring_30d: number;
    expiring_90d: number;
  };
  endpoints: {
    total: number;
    pending: number;
    ok: number;
    info: number;
    warning: number;
    critical: number;
    unreachable: number;
  };
  /** Open findings, most frequent first. */
  findings: {
    code: string;
    severity: string;
    endpoints: number;
  }[];
  monitors: {
    total: number;
    pending: number;
    up: number;
    down: number;
    paused: number;
  };
  incidents: {
    open: number;
    /** Started in the last 30 days. */
    last_30d: number;
  };
  /** Of all monitors' checks outside of maintenance; null without checks. */
  uptime_percent_30d: number | null;
};

export type AnalyticsExpiry = {
  since: string;
  until: string;
  interval: "day" | "week" | "month";
  series: {
    start: string;
    certificates: number;
    endpoints: number;
  }[];
  /** Expired and still served. */
  expired: {
    certificates: number;
    endpoints: number;
  };
  /** After the end of the series. */
  later: {
    certificates: number;
    endpoints: number;
  };
  /** The next 20 to expire. */
  next: CertificateInUse[];
};

export type CertificateInUse = {
  id: string;
  common_name: string | null;
  issuer: string;
  not_before: string;
  not_after: string;
  /** Endpoints that currently serve it. */
  endpoints: number;
};

export type AnalyticsIssuers = {
  /** Most certificates first, at most 100. */
  issuers: {
    /** RFC 4514. */
    issuer: string;
    certificates: number;
    endpoints: number;
    soonest_not_after: string;
  }[];
};

export type AnalyticsKeys = {
  /** Most certificates first. */
  keys: {
    key_type: string;
    key_bits: number | null;
    certificates: number;
    endpoints: number;
  }[];
  signatures: {
    signature_algorithm: string;
    certificates: number;
    endpoints: number;
  }[];
};

export type AnalyticsLifetimes = {
  /** Steps of the CA/Browser Forum's schedule, plus one for longer lifetimes. */
  lifetimes: {
    /** Upper bound of the lifetime; the previous step is the lower bound. */
    days: number;
    certificates: number;
    endpoints: number;
  }[];
  rules: {
    effective_from: string;
    max_days: number;
    certificates: number;
    endpoints: number;
    /** The 20 with the longest lifetimes. */
    longest: CertificateInUse[];
  }[];
};

export type AnalyticsRenewals = {
  since: string;
  until: string;
  /** Number of times an endpoint began to serve a certificate that expires later than the previous certificate. */
  renewals: number;
  /** Remaining share of the old certificate's lifetime; negative if it had expired. */
  share_left: {
    p10: number | null;
    p50: number | null;
    p90: number | null;
  };
  after_expiry: number;
  series: {
    start: string;
    renewals: number;
    median_share_left: number | null;
  }[];
  /** The latest 20. */
  latest: {
    at: string;
    endpoint: {
      id: string;
      host: string;
      port: number;
    };
    old_certificate_id: string;
    new_certificate_id: string;
    share_left: number;
    days_left: number;
  }[];
};

export type AnalyticsUptime = {
  since: string;
  until: string;
  checks: number;
  failures: number;
  uptime_percent: number | null;
  incidents: number;
  /** Sum over all monitors. */
  downtime_seconds: number;
  /** By UTC day. */
  series: {
    start: string;
    checks: number;
    failures: number;
    uptime_percent: number | null;
  }[];
  /** The 20 monitors with the lowest uptime. */
  worst: {
    monitor: {
      id: string;
      name: string;
    };
    checks: number;
    failures: number;
    uptime_percent: number | null;
    downtime_seconds: number;
  }[];
};

export type AnalyticsResponseTimes = {
  since: string;
  until: string;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  /** By UTC day. */
  series: {
    start: string;
    p50: number | null;
    p95: number | null;
    p99: number | null;
  }[];
  /** The 20 monitors with the highest p95. */
  slowest: {
    monitor: {
      id: string;
      name: string;
    };
    checks: number;
    p50: number | null;
    p95: number | null;
    p99: number | null;
  }[];
};

export type Billing = {
  plan: "free" | "team" | "business" | "enterprise";
  audit_retention_days: number;
  shortest_interval_seconds: number;
  /** Existing resources beyond a limit are kept and stay monitored; adding more is rejected with 402. */
  usage: { [key: string]: {
    used: number;
    limit: number;
  } };
  /** Null without a payment provider. */
  provider: "stripe" | null;
  subscription: {
    /** As the provider names it: active, trialing, past_due, canceled, … */
    status: string;
    current_period_end: string;
    cancel_at_period_end: boolean;
  } | null;
};

export type BillingPlan = {
  name: "free" | "team" | "business" | "enterprise";
  audit_retention_days: number;
  shortest_interval_seconds: number;
  /** Maximum number of each that the plan allows. */
  limits: { [key: string]: number };
  /** Whether customers can buy it; the operator sets other plans. */
  purchasable: boolean;
};

export type BillingPage = {
  /** The provider's page, to be opened in the buyer's browser. Short-lived. */
  url?: string;
  /** In a repetition under the same `Idempotency-Key`, which holds the first answer without its secrets. */
  secret_withheld?: true;
};

export type BillingNoticeReceived = {
  received: true;
};

export type Subdomain = {
  id: string;
  /** Beginning with `*.` where a certificate was issued for all of one level. */
  name: string;
  domain: {
    id: string;
    name: string;
  };
  /** `monitored` while an endpoint of this host is watched. `new`: New; `monitored`: Monitored; `ignored`: Ignored. */
  state: "new" | "monitored" | "ignored";
  wildcard: boolean;
  /** All certificates for it have expired, and it does not resolve. */
  expired_only: boolean;
  /** The sources that found it. `ct_search`: CT search; `ct_public_search`: Public CT search; `dns`: DNS. */
  sources: ("ct_search" | "ct_public_search" | "dns")[];
  /** The addresses of the last DNS look-up. */
  addresses: string[];
  /** When it last resolved. */
  resolved_at: string | null;
  /** The latest end of all certificates issued for it. */
  certificate_not_after: string | null;
  /** The endpoint of this name. */
  endpoint_id: string | null;
  ignored_at: string | null;
  first_seen_at: string;
  last_seen_at: string;
};

export type SubdomainReview = {
  results: SubdomainReviewResult[];
};

export type SubdomainReviewResult = {
  id: string;
  status: "done" | "unchanged" | "failed";
  /** For `monitor`: the endpoint of this name. */
  endpoint_id: string | null;
  error: string | null;
};

export type Domain = {
  id: string;
  name: string;
  proof: {
    /** The name of the TXT record. */
    record_name: string;
    /** The value it must have. */
    record_value: string;
    /** Null: discovery has not started. */
    proven_at: string | null;
    checked_at: string | null;
    /** What was wrong at the last look-up of the record. */
    error: string | null;
  };
  /** Hours between two runs of a source. */
  interval_hours: number;
  /** Expected issuers, by organization, common name or whole name; empty for any. */
  expected_issuers: string[];
  sources: DomainSource[];
  names: {
    new: number;
    monitored: number;
    ignored: number;
  };
  /** Certificates of unexpected issuers that are valid. */
  unexpected_issuances: number;
  created_at: string;
  updated_at: string;
};

export type DomainSource = {
  /** `ct_search`: CT search; `ct_public_search`: Public CT search; `dns`: DNS. */
  name: "ct_search" | "ct_public_search" | "dns";
  /** `never`: Not run yet; `running`: Running; `ok`: Working; `failing`: Failing. */
  state: "never" | "running" | "ok" | "failing";
  /** Why its last run failed. */
  error: string | null;
  /** How many of the domain's names it found. */
  names: number;
  /** How far the source has been read, in its own terms. */
  cursor: string | null;
  last_started_at: string | null;
  last_success_at: string | null;
  /** Null until the domain is verified. */
  next_run_at: string | null;
  /** The source asked to wait until then. */
  held_until: string | null;
};

export type Issuance = {
  id: string;
  domain: {
    id: string;
    name: string;
  };
  /** Those of the domain. */
  names: string[];
  issuer: string;
  not_before: string;
  not_after: string;
  /** Null if no source says. */
  revoked: boolean | null;
  sources: ("ct_search" | "ct_public_search" | "dns")[];
  first_seen_at: string;
  /** `issuer_unexpected` for an issuer that the domain does not expect. */
  finding: CertificateFinding | null;
};

export type Alert = {
  id: string;
  /** With its name at that time; it may be deleted. */
  rule: {
    id: string;
    name: string;
  };
  subject: {
    /** `endpoint`: Endpoint; `certificate`: Certificate; `monitor`: Monitor; `issuance`: Issued certificate; `api_key`: API key; `user`: User; `organization`: Callers. */
    type: "endpoint" | "certificate" | "monitor" | "issuance" | "api_key" | "user" | "organization";
    id: string;
    name: string;
  };
  certificate_id: string | null;
  status: "open" | "acknowledged" | "snoozed" | "resolved";
  severity: "info" | "warning" | "critical";
  /** The step of its rule, from 1. */
  step: number;
  /** Codes of findings (`CertificateFinding`), flags (`AuditEvent`), or `time_left`: Little time left; `monitor_down`: Monitor down; `latency`: Slow responses. */
  causes: string[];
  detail: string;
  /** Its cause comes and goes. It stays open until the cause has been stable for half an hour. */
  flapping: boolean;
  opened_at: string;
  cause_gone_at: string | null;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  snoozed_until: string | null;
  resolved_at: string | null;
  resolved_by: "cause" | "person" | "rule" | null;
  /** Null if nothing was sent, or if its end was sent. */
  last_told_at: string | null;
};

export type AlertDetail = {
  id: string;
  /** With its name at that time; it may be deleted. */
  rule: {
    id: string;
    name: string;
  };
  subject: {
    /** `endpoint`: Endpoint; `certificate`: Certificate; `monitor`: Monitor; `issuance`: Issued certificate; `api_key`: API key; `user`: User; `organization`: Callers. */
    type: "endpoint" | "certificate" | "monitor" | "issuance" | "api_key" | "user" | "organization";
    id: string;
    name: string;
  };
  certificate_id: string | null;
  status: "open" | "acknowledged" | "snoozed" | "resolved";
  severity: "info" | "warning" | "critical";
  /** The step of its rule, from 1. */
  step: number;
  /** Codes of findings (`CertificateFinding`), flags (`AuditEvent`), or `time_left`: Little time left; `monitor_down`: Monitor down; `latency`: Slow responses. */
  causes: string[];
  detail: string;
  /** Its cause comes and goes. It stays open until the cause has been stable for half an hour. */
  flapping: boolean;
  opened_at: string;
  cause_gone_at: string | null;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  snoozed_until: string | null;
  resolved_at: string | null;
  resolved_by: "cause" | "person" | "rule" | null;
  /** Null if nothing was sent, or if its end was sent. */
  last_told_at: string | null;
  /** The last 500, oldest first. */
  timeline: {
    id: string;
    at: string;
    kind: "opened" | "raised" | "lowered" | "cause_added" | "cause_gone" | "cause_back" | "flapping" | "acknowledged" | "snoozed" | "resolved" | "reopened" | "told" | "note";
    /** Null for Sealwatch. */
    actor: string | null;
    details: { [key: string]: unknown };
  }[];
};

export type AlertRule = {
  id: string;
  name: string;
  enabled: boolean;
  selector: {
    /** Any of these. */
    tags: string[];
    /** Of endpoints, certificates, monitors, domains or API keys. With tags: either. */
    ids: string[];
  };
  condition: {
    type: "finding";
    /** Any of these; empty for any finding. */
    codes: ("unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused")[];
    /** None of these. */
    except_codes: ("unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused")[];
    /** Minimum severity. */
    severity: "info" | "warning" | "critical";
  } | {
    type: "time_left";
  } | {
    type: "monitor_down";
  } | {
    type: "latency";
    /** Median response time of the window, in milliseconds. */
    above_ms: number;
    window_minutes: number;
  } | {
    type: "security_event";
    flags: ("invalid_credentials" | "expired_key" | "revoked_key" | "rotated_secret" | "ip_not_allowed" | "method_not_allowed" | "rate_limited" | "cross_site_request" | "key_created" | "key_updated" | "key_rotated" | "key_revoked" | "sign_in" | "sign_in_refused" | "sign_out" | "member_added" | "member_changed" | "member_removed" | "organization_updated" | "plan_changed" | "audit_exported" | "organization_exported" | "new_address" | "new_country")[];
  };
  steps: {
    /** How long the cause has lasted. */
    after_minutes: number;
    days_left: number | null;
    /** Share of the certificate's lifetime. With `days_left`: whichever is less. */
    share_left: number | null;
    /** Null for the severity of what was found. */
    severity: "info" | "warning" | "critical" | null;
    /** Channels notified from this step on; empty for every enabled channel. */
    channel_ids: string[];
  }[];
  /** Minutes between two notifications while the alert is open; null for no repeats. */
  repeat_minutes: number | null;
  /** How long the cause must be gone before the alert resolves itself. */
  resolve_after_minutes: number;
  /** Whether a notification is sent when it resolves. */
  send_resolved: boolean;
  quiet_hours: {
    start: string;
    /** On the next day where it is not after `start`. */
    end: string;
    /** The days on which it starts. */
    days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
    time_zone: string;
    /** Critical alerts are sent anyway. */
    except_critical: boolean;
  } | null;
  open_alerts: number;
  created_at: string;
  updated_at: string;
};

export type AlertRulePreview = {
  count: number;
  matches: AlertRuleMatch[];
};

export type AlertRuleMatch = {
  subject: {
    type: "endpoint" | "certificate" | "monitor" | "issuance" | "api_key" | "user" | "organization";
    id: string;
    name: string;
  };
  certificate_id: string | null;
  detail: string;
  causes: string[];
  /** The step it has reached, from 1; null before the first. */
  step: number | null;
  severity: "info" | "warning" | "critical" | null;
};

export type AlertRuleTest = {
  /** Quiet hours or a mass failure hold the notification. */
  held: boolean;
  outcomes: {
    /** Null for one that would be opened. */
    alert_id: string | null;
    subject: {
      type: "endpoint" | "certificate" | "monitor" | "issuance" | "api_key" | "user" | "organization";
      id: string;
      name: string;
    };
    certificate_id: string | null;
    /** What its timeline would say: `opened`, `raised`, … */
    entries: string[];
    /** Why channels would be notified. */
    tell: "opened" | "raised" | "repeated" | "resolved" | null;
    channels: {
      id: string;
      name: string;
    }[];
  }[];
};

export type NotificationChannel = {
  id: string;
  name: string;
  /** `email`: E-mail; `webhook`: Webhook; `slack`: Slack; `teams`: Microsoft Teams; `discord`: Discord; `pagerduty`: PagerDuty; `telegram`: Telegram; `ntfy`: ntfy. */
  type: "email" | "webhook" | "slack" | "teams" | "discord" | "pagerduty" | "telegram" | "ntfy";
  /** Settings that are not secret. */
  settings: { [key: string]: unknown };
  /** Names of the secret settings that are set; their values are never shown. */
  secrets: string[];
  /** `failing` if the last attempt failed. `unused`: Not used yet; `working`: Working; `failing`: Failing; `disabled`: Disabled. */
  state: "unused" | "working" | "failing" | "disabled";
  /** Why Sealwatch disabled it; null if a person did. */
  disabled_reason: string | null;
  last_sent_at: string | null;
  last_failed_at: string | null;
  /** The error of the last failed attempt. */
  last_error: string | null;
  created_at: string;
  updated_at: string;
};

export type NotificationChannelWithSecret = {
  id: string;
  name: string;
  /** `email`: E-mail; `webhook`: Webhook; `slack`: Slack; `teams`: Microsoft Teams; `discord`: Discord; `pagerduty`: PagerDuty; `telegram`: Telegram; `ntfy`: ntfy. */
  type: "email" | "webhook" | "slack" | "teams" | "discord" | "pagerduty" | "telegram" | "ntfy";
  /** Settings that are not secret. */
  settings: { [key: string]: unknown };
  /** Names of the secret settings that are set; their values are never shown. */
  secrets: string[];
  /** `failing` if the last attempt failed. `unused`: Not used yet; `working`: Working; `failing`: Failing; `disabled`: Disabled. */
  state: "unused" | "working" | "failing" | "disabled";
  /** Why Sealwatch disabled it; null if a person did. */
  disabled_reason: string | null;
  last_sent_at: string | null;
  last_failed_at: string | null;
  /** The error of the last failed attempt. */
  last_error: string | null;
  created_at: string;
  updated_at: string;
  /** The secret that signs a webhook's messages, shown only once; null for other types. */
  signing_secret?: string | null;
  /** In a repetition under the same `Idempotency-Key`, which holds the first answer without its secrets. */
  secret_withheld?: true;
};

export type NotificationDelivery = {
  /** `webhook-id` of a webhook, Message-ID of an e-mail. */
  id: string;
  channel: {
    id: string;
    name: string;
    type: "email" | "webhook" | "slack" | "teams" | "discord" | "pagerduty" | "telegram" | "ntfy";
  };
  kind: "alert" | "test" | "notice";
  title: string;
  alert_ids: string[];
  status: "pending" | "sent" | "failed";
  attempts: number;
  /** Null after it was sent or given up. */
  next_attempt_at: string | null;
  /** The error of the last failed attempt. */
  error: string | null;
  created_at: string;
  finished_at: string | null;
};

export type Organization = {
  id: string;
  name: string;
  slug: string;
  plan: "free" | "team" | "business" | "enterprise";
  audit_retention_days: number;
  /** The caller's permission in this organization. */
  permission: "admin" | "read";
  created_at: string;
  /** Until `due_at` everything keeps working and the deletion can be cancelled. */
  deletion: {
    requested_at: string;
    requested_by: string;
    due_at: string;
  } | null;
};

export type Member = {
  user_id: string;
  name: string;
  email: string;
  /** `read` allows GET requests only. */
  permission: "admin" | "read";
  /** When the person became a member. */
  created_at: string;
};

export type Invitation = {
  id: string;
  email: string;
  /** `read` allows GET requests only. */
  permission: "admin" | "read";
  status: "pending" | "expired";
  created_at: string;
  created_by: string;
  expires_at: string;
};

export type InvitationSent = {
  id: string;
  email: string;
  /** `read` allows GET requests only. */
  permission: "admin" | "read";
  status: "pending" | "expired";
  created_at: string;
  created_by: string;
  expires_at: string;
  /** Whether the link was sent by e-mail. */
  emailed: boolean;
  /** The link if no e-mail was sent, shown only once. */
  url?: string | null;
  /** In a repetition under the same `Idempotency-Key`, which holds the first answer without its secrets. */
  secret_withheld?: true;
};

export interface Operations {
  /** The organization's API keys, newest first, including revoked and expired keys. */
  "GET /api-keys": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: ApiKey;
    kind: "list";
  };
  /** Creates a key and returns its secret, which is shown only once. */
  "POST /api-keys": {
    input: {
      name: string;
      /** `read` allows GET requests only. */
      permission?: "admin" | "read";
      /** Addresses and CIDR ranges from which the key may be used; empty allows any address. */
      ip_whitelist?: string[];
      /** Time from which the key is refused; null for no expiry. A key that expires cannot create, update or rotate keys that expire later. */
      expires_at?: string | null;
    };
    data: ApiKeyWithSecret;
    kind: "one";
  };
  /** One key. */
  "GET /api-keys/{id}": {
    input: {
      id: string;
    };
    data: ApiKey;
    kind: "one";
  };
  /** Changes the given fields; the others stay. Takes effect with the next request. */
  "PUT /api-keys/{id}": {
    input: {
      id: string;
    } & {
      name?: string;
      /** `read` allows GET requests only. */
      permission?: "admin" | "read";
      /** Addresses and CIDR ranges from which the key may be used; empty allows any address. */
      ip_whitelist?: string[];
      /** Time from which the key is refused; null for no expiry. A key that expires cannot create, update or rotate keys that expire later. */
      expires_at?: string | null;
    };
    data: ApiKey;
    kind: "one";
  };
  /** Revokes a key immediately and permanently. The record is kept. Revoking a revoked key has no effect. */
  "DELETE /api-keys/{id}": {
    input: {
      id: string;
    };
    data: ApiKey;
    kind: "one";
  };
  /** Replaces the secret immediately, without overlap, and returns the new secret, which is shown only once. */
  "POST /api-keys/{id}/rotate": {
    input: {
      id: string;
    };
    data: ApiKeyWithSecret;
    kind: "one";
  };
  /** A key's usage by day, route, address, country and refusal. The counts always match the audit log. */
  "GET /api-keys/{id}/usage": {
    input: {
      id: string;
      /** UTC days to cover, including today, 1 to 90. */
      days?: number;
    };
    data: ApiKeyUsage;
    kind: "one";
  };
  /** The addresses that used the key in the last 30 UTC days and that a whitelist would refuse. Changes nothing. */
  "POST /api-keys/{id}/whitelist-preview": {
    input: {
      id: string;
    } & {
      /** Addresses and CIDR ranges from which the key may be used; empty allows any address. */
      ip_whitelist: string[];
    };
    data: WhitelistPreview;
    kind: "one";
  };
  /** The organization's audit events. */
  "GET /audit-logs": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      /** By time; newest first unless `asc`. */
      order?: "asc" | "desc";
      /** Events at or after this time. */
      since?: string;
      /** Events before this time. */
      until?: string;
      /** HTTP method. Separate several values by commas to match any of them; `!` before a value excludes it. */
      method?: string;
      /** Path, exact or a prefix that ends in `*`. Separate several values by commas to match any of them; `!` before a value excludes it. */
      path?: string;
      /** Route pattern, such as /api/v1/api-keys/{id}. Separate several values by commas to match any of them; `!` before a value excludes it. */
      route?: string;
      /** Status code, or a class such as 4xx. Separate several values by commas to match any of them; `!` before a value excludes it. */
      status?: string;
      /** Error code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      error_code?: string;
      /** Authentication of the caller. Separate several values by commas to match any of them; `!` before a value excludes it. */
      auth_type?: string;
      /** API key. Separate several values by commas to match any of them; `!` before a value excludes it. */
      api_key_id?: string;
      /** Person. Separate several values by commas to match any of them; `!` before a value excludes it. */
      user_id?: string;
      /** Client address or CIDR range. Separate several values by commas to match any of them; `!` before a value excludes it. */
      ip?: string;
      /** ISO 3166 alpha-2 code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      country?: string;
      /** Flag. Separate several values by commas to match any of them; `!` before a value excludes it. */
      flag?: string;
      /** `true` for security events only, `false` for all others. */
      security_event?: "true" | "false";
      /** Kind of resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_type?: string;
      /** Resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_id?: string;
      /** Action, such as api_key.rotate. Separate several values by commas to match any of them; `!` before a value excludes it. */
      action?: string;
      /** Minimum response time in milliseconds. */
      min_response_time_ms?: number;
      /** Text in path, query, user agent or error message, case-insensitive. */
      q?: string;
    };
    data: AuditEvent;
    kind: "list";
  };
  /** The audit events with a security flag. */
  "GET /audit-logs/security-events": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      /** By time; newest first unless `asc`. */
      order?: "asc" | "desc";
      /** Events at or after this time. */
      since?: string;
      /** Events before this time. */
      until?: string;
      /** HTTP method. Separate several values by commas to match any of them; `!` before a value excludes it. */
      method?: string;
      /** Path, exact or a prefix that ends in `*`. Separate several values by commas to match any of them; `!` before a value excludes it. */
      path?: string;
      /** Route pattern, such as /api/v1/api-keys/{id}. Separate several values by commas to match any of them; `!` before a value excludes it. */
      route?: string;
      /** Status code, or a class such as 4xx. Separate several values by commas to match any of them; `!` before a value excludes it. */
      status?: string;
      /** Error code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      error_code?: string;
      /** Authentication of the caller. Separate several values by commas to match any of them; `!` before a value excludes it. */
      auth_type?: string;
      /** API key. Separate several values by commas to match any of them; `!` before a value excludes it. */
      api_key_id?: string;
      /** Person. Separate several values by commas to match any of them; `!` before a value excludes it. */
      user_id?: string;
      /** Client address or CIDR range. Separate several values by commas to match any of them; `!` before a value excludes it. */
      ip?: string;
      /** ISO 3166 alpha-2 code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      country?: string;
      /** Flag. Separate several values by commas to match any of them; `!` before a value excludes it. */
      flag?: string;
      /** `true` for security events only, `false` for all others. */
      security_event?: "true" | "false";
      /** Kind of resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_type?: string;
      /** Resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_id?: string;
      /** Action, such as api_key.rotate. Separate several values by commas to match any of them; `!` before a value excludes it. */
      action?: string;
      /** Minimum response time in milliseconds. */
      min_response_time_ms?: number;
      /** Text in path, query, user agent or error message, case-insensitive. */
      q?: string;
    };
    data: AuditEvent;
    kind: "list";
  };
  /** The matching security events, counted by flag and by source. */
  "GET /audit-logs/security-events/groups": {
    input: {
      /** Events at or after this time. */
      since?: string;
      /** Events before this time. */
      until?: string;
      /** HTTP method. Separate several values by commas to match any of them; `!` before a value excludes it. */
      method?: string;
      /** Path, exact or a prefix that ends in `*`. Separate several values by commas to match any of them; `!` before a value excludes it. */
      path?: string;
      /** Route pattern, such as /api/v1/api-keys/{id}. Separate several values by commas to match any of them; `!` before a value excludes it. */
      route?: string;
      /** Status code, or a class such as 4xx. Separate several values by commas to match any of them; `!` before a value excludes it. */
      status?: string;
      /** Error code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      error_code?: string;
      /** Authentication of the caller. Separate several values by commas to match any of them; `!` before a value excludes it. */
      auth_type?: string;
      /** API key. Separate several values by commas to match any of them; `!` before a value excludes it. */
      api_key_id?: string;
      /** Person. Separate several values by commas to match any of them; `!` before a value excludes it. */
      user_id?: string;
      /** Client address or CIDR range. Separate several values by commas to match any of them; `!` before a value excludes it. */
      ip?: string;
      /** ISO 3166 alpha-2 code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      country?: string;
      /** Flag. Separate several values by commas to match any of them; `!` before a value excludes it. */
      flag?: string;
      /** `true` for security events only, `false` for all others. */
      security_event?: "true" | "false";
      /** Kind of resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_type?: string;
      /** Resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_id?: string;
      /** Action, such as api_key.rotate. Separate several values by commas to match any of them; `!` before a value excludes it. */
      action?: string;
      /** Minimum response time in milliseconds. */
      min_response_time_ms?: number;
      /** Text in path, query, user agent or error message, case-insensitive. */
      q?: string;
    };
    data: {
      /** Start of the events that were counted. */
      since: string;
      until: string;
      /** Whether only the part of the range from `since` was counted, because there were more than 50,000 events or counting took too long. */
      has_earlier: boolean;
      /** Days for which the organization's plan retains events. */
      retention_days: number;
      /** Start times of the equal intervals from `since` to `until`. */
      series_starts: string[];
      /** Newest first. */
      groups: SecurityEventGroup[];
      /** Whether there are more than 200 groups. */
      has_more: boolean;
    };
    kind: "one";
  };
  /** One audit event, with the body as submitted. The id is the `X-Request-Id` of the response. */
  "GET /audit-logs/{id}": {
    input: {
      id: string;
    };
    data: AuditEventWithBody;
    kind: "one";
  };
  /** Unusual facts about an event, and events of the same caller and address around that time. */
  "GET /audit-logs/{id}/context": {
    input: {
      id: string;
    };
    data: AuditContext;
    kind: "one";
  };
  /** Statistics of the matching events. The counts always match the list with the same filters. Without filters other than a range, they come from rollups, otherwise from the events. */
  "GET /audit-logs/stats": {
    input: {
      /** Default: chosen to suit the range. */
      interval?: "minute" | "hour" | "day";
      /** Events at or after this time. */
      since?: string;
      /** Events before this time. */
      until?: string;
      /** HTTP method. Separate several values by commas to match any of them; `!` before a value excludes it. */
      method?: string;
      /** Path, exact or a prefix that ends in `*`. Separate several values by commas to match any of them; `!` before a value excludes it. */
      path?: string;
      /** Route pattern, such as /api/v1/api-keys/{id}. Separate several values by commas to match any of them; `!` before a value excludes it. */
      route?: string;
      /** Status code, or a class such as 4xx. Separate several values by commas to match any of them; `!` before a value excludes it. */
      status?: string;
      /** Error code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      error_code?: string;
      /** Authentication of the caller. Separate several values by commas to match any of them; `!` before a value excludes it. */
      auth_type?: string;
      /** API key. Separate several values by commas to match any of them; `!` before a value excludes it. */
      api_key_id?: string;
      /** Person. Separate several values by commas to match any of them; `!` before a value excludes it. */
      user_id?: string;
      /** Client address or CIDR range. Separate several values by commas to match any of them; `!` before a value excludes it. */
      ip?: string;
      /** ISO 3166 alpha-2 code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      country?: string;
      /** Flag. Separate several values by commas to match any of them; `!` before a value excludes it. */
      flag?: string;
      /** `true` for security events only, `false` for all others. */
      security_event?: "true" | "false";
      /** Kind of resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_type?: string;
      /** Resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_id?: string;
      /** Action, such as api_key.rotate. Separate several values by commas to match any of them; `!` before a value excludes it. */
      action?: string;
      /** Minimum response time in milliseconds. */
      min_response_time_ms?: number;
      /** Text in path, query, user agent or error message, case-insensitive. */
      q?: string;
    };
    data: AuditStats;
    kind: "one";
  };
  /** A file of all matching events up to the request, oldest first. NDJSON ends with a line {"export": {"rows", "sha256"}} over the lines before it; an incomplete JSON array is not closed. When the export ends, an event audit_log.export_finished, whose resource.id is this request's id, records the number of delivered rows, whether the file is complete, and its sha256 (for NDJSON, without that line). */
  "GET /audit-logs/export": {
    input: {
      format: "csv" | "json" | "ndjson";
      /** `body` includes the request bodies as submitted. */
      include?: "body";
      /** Events at or after this time. */
      since?: string;
      /** Events before this time. */
      until?: string;
      /** HTTP method. Separate several values by commas to match any of them; `!` before a value excludes it. */
      method?: string;
      /** Path, exact or a prefix that ends in `*`. Separate several values by commas to match any of them; `!` before a value excludes it. */
      path?: string;
      /** Route pattern, such as /api/v1/api-keys/{id}. Separate several values by commas to match any of them; `!` before a value excludes it. */
      route?: string;
      /** Status code, or a class such as 4xx. Separate several values by commas to match any of them; `!` before a value excludes it. */
      status?: string;
      /** Error code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      error_code?: string;
      /** Authentication of the caller. Separate several values by commas to match any of them; `!` before a value excludes it. */
      auth_type?: string;
      /** API key. Separate several values by commas to match any of them; `!` before a value excludes it. */
      api_key_id?: string;
      /** Person. Separate several values by commas to match any of them; `!` before a value excludes it. */
      user_id?: string;
      /** Client address or CIDR range. Separate several values by commas to match any of them; `!` before a value excludes it. */
      ip?: string;
      /** ISO 3166 alpha-2 code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      country?: string;
      /** Flag. Separate several values by commas to match any of them; `!` before a value excludes it. */
      flag?: string;
      /** `true` for security events only, `false` for all others. */
      security_event?: "true" | "false";
      /** Kind of resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_type?: string;
      /** Resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_id?: string;
      /** Action, such as api_key.rotate. Separate several values by commas to match any of them; `!` before a value excludes it. */
      action?: string;
      /** Minimum response time in milliseconds. */
      min_response_time_ms?: number;
      /** Text in path, query, user agent or error message, case-insensitive. */
      q?: string;
    };
    data: Response;
    kind: "raw";
  };
  /** New matching events, as server-sent events named audit_event. The ids are those of the events, so Last-Event-ID resumes after an event; a separate id precedes the first event. The stream ends when the key is revoked, rotated or expires, or the session ends. */
  "GET /audit-logs/stream": {
    input: {
      /** Events at or after this time. */
      since?: string;
      /** Events before this time. */
      until?: string;
      /** HTTP method. Separate several values by commas to match any of them; `!` before a value excludes it. */
      method?: string;
      /** Path, exact or a prefix that ends in `*`. Separate several values by commas to match any of them; `!` before a value excludes it. */
      path?: string;
      /** Route pattern, such as /api/v1/api-keys/{id}. Separate several values by commas to match any of them; `!` before a value excludes it. */
      route?: string;
      /** Status code, or a class such as 4xx. Separate several values by commas to match any of them; `!` before a value excludes it. */
      status?: string;
      /** Error code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      error_code?: string;
      /** Authentication of the caller. Separate several values by commas to match any of them; `!` before a value excludes it. */
      auth_type?: string;
      /** API key. Separate several values by commas to match any of them; `!` before a value excludes it. */
      api_key_id?: string;
      /** Person. Separate several values by commas to match any of them; `!` before a value excludes it. */
      user_id?: string;
      /** Client address or CIDR range. Separate several values by commas to match any of them; `!` before a value excludes it. */
      ip?: string;
      /** ISO 3166 alpha-2 code. Separate several values by commas to match any of them; `!` before a value excludes it. */
      country?: string;
      /** Flag. Separate several values by commas to match any of them; `!` before a value excludes it. */
      flag?: string;
      /** `true` for security events only, `false` for all others. */
      security_event?: "true" | "false";
      /** Kind of resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_type?: string;
      /** Resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
      resource_id?: string;
      /** Action, such as api_key.rotate. Separate several values by commas to match any of them; `!` before a value excludes it. */
      action?: string;
      /** Minimum response time in milliseconds. */
      min_response_time_ms?: number;
      /** Text in path, query, user agent or error message, case-insensitive. */
      q?: string;
    };
    data: Response;
    kind: "raw";
  };
  /** Saved views of the audit log: the caller's own and the organization's, newest first. */
  "GET /audit-logs/views": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: AuditView;
    kind: "list";
  };
  /** Saves a view. Names are unique among the caller's own views and among the organization's. */
  "POST /audit-logs/views": {
    input: {
      name: string;
      /** A `personal` view is available only to its person or key, an `organization` view to the whole organization. */
      scope?: "personal" | "organization";
      /** Filters as in the query of GET /audit-logs, and display settings. */
      query: {
        /** Events at or after this time. */
        since?: string;
        /** Events before this time. */
        until?: string;
        /** HTTP method. Separate several values by commas to match any of them; `!` before a value excludes it. */
        method?: string;
        /** Path, exact or a prefix that ends in `*`. Separate several values by commas to match any of them; `!` before a value excludes it. */
        path?: string;
        /** Route pattern, such as /api/v1/api-keys/{id}. Separate several values by commas to match any of them; `!` before a value excludes it. */
        route?: string;
        /** Status code, or a class such as 4xx. Separate several values by commas to match any of them; `!` before a value excludes it. */
        status?: string;
        /** Error code. Separate several values by commas to match any of them; `!` before a value excludes it. */
        error_code?: string;
        /** Authentication of the caller. Separate several values by commas to match any of them; `!` before a value excludes it. */
        auth_type?: string;
        /** API key. Separate several values by commas to match any of them; `!` before a value excludes it. */
        api_key_id?: string;
        /** Person. Separate several values by commas to match any of them; `!` before a value excludes it. */
        user_id?: string;
        /** Client address or CIDR range. Separate several values by commas to match any of them; `!` before a value excludes it. */
        ip?: string;
        /** ISO 3166 alpha-2 code. Separate several values by commas to match any of them; `!` before a value excludes it. */
        country?: string;
        /** Flag. Separate several values by commas to match any of them; `!` before a value excludes it. */
        flag?: string;
        /** `true` for security events only, `false` for all others. */
        security_event?: string;
        /** Kind of resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
        resource_type?: string;
        /** Resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
        resource_id?: string;
        /** Action, such as api_key.rotate. Separate several values by commas to match any of them; `!` before a value excludes it. */
        action?: string;
        /** Minimum response time in milliseconds. */
        min_response_time_ms?: string;
        /** Text in path, query, user agent or error message, case-insensitive. */
        q?: string;
        /** Range of time that ends now, instead of `since` and `until`. Default without either: 24h. */
        range?: "15m" | "1h" | "6h" | "24h" | "7d" | "30d" | "all";
        order?: "asc" | "desc";
        /** Columns to show. */
        columns?: string;
      };
    };
    data: AuditView;
    kind: "one";
  };
  /** One saved view. */
  "GET /audit-logs/views/{id}": {
    input: {
      id: string;
    };
    data: AuditView;
    kind: "one";
  };
  /** Changes the given fields; `query` is replaced as a whole. Making a view personal makes the caller its owner. */
  "PUT /audit-logs/views/{id}": {
    input: {
      id: string;
    } & {
      name?: string;
      /** A `personal` view is available only to its person or key, an `organization` view to the whole organization. */
      scope?: "personal" | "organization";
      /** Filters as in the query of GET /audit-logs, and display settings. */
      query?: {
        /** Events at or after this time. */
        since?: string;
        /** Events before this time. */
        until?: string;
        /** HTTP method. Separate several values by commas to match any of them; `!` before a value excludes it. */
        method?: string;
        /** Path, exact or a prefix that ends in `*`. Separate several values by commas to match any of them; `!` before a value excludes it. */
        path?: string;
        /** Route pattern, such as /api/v1/api-keys/{id}. Separate several values by commas to match any of them; `!` before a value excludes it. */
        route?: string;
        /** Status code, or a class such as 4xx. Separate several values by commas to match any of them; `!` before a value excludes it. */
        status?: string;
        /** Error code. Separate several values by commas to match any of them; `!` before a value excludes it. */
        error_code?: string;
        /** Authentication of the caller. Separate several values by commas to match any of them; `!` before a value excludes it. */
        auth_type?: string;
        /** API key. Separate several values by commas to match any of them; `!` before a value excludes it. */
        api_key_id?: string;
        /** Person. Separate several values by commas to match any of them; `!` before a value excludes it. */
        user_id?: string;
        /** Client address or CIDR range. Separate several values by commas to match any of them; `!` before a value excludes it. */
        ip?: string;
        /** ISO 3166 alpha-2 code. Separate several values by commas to match any of them; `!` before a value excludes it. */
        country?: string;
        /** Flag. Separate several values by commas to match any of them; `!` before a value excludes it. */
        flag?: string;
        /** `true` for security events only, `false` for all others. */
        security_event?: string;
        /** Kind of resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
        resource_type?: string;
        /** Resource. Separate several values by commas to match any of them; `!` before a value excludes it. */
        resource_id?: string;
        /** Action, such as api_key.rotate. Separate several values by commas to match any of them; `!` before a value excludes it. */
        action?: string;
        /** Minimum response time in milliseconds. */
        min_response_time_ms?: string;
        /** Text in path, query, user agent or error message, case-insensitive. */
        q?: string;
        /** Range of time that ends now, instead of `since` and `until`. Default without either: 24h. */
        range?: "15m" | "1h" | "6h" | "24h" | "7d" | "30d" | "all";
        order?: "asc" | "desc";
        /** Columns to show. */
        columns?: string;
      };
    };
    data: AuditView;
    kind: "one";
  };
  /** Deletes a saved view and returns it. */
  "DELETE /audit-logs/views/{id}": {
    input: {
      id: string;
    };
    data: AuditView;
    kind: "one";
  };
  /** The leaf certificates that endpoints serve or served, most recently discovered first. */
  "GET /certificates": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      /** Only certificates that expire before this time. */
      expires_before?: string;
      /** Only certificates that expire at this time or later. */
      expires_after?: string;
      /** Text in the issuer's name, case-insensitive. */
      issuer?: string;
      /** `rsa`, `ec`, `ed25519`, …; optionally with a size: `rsa-2048`. */
      key_type?: string;
      /** A host name or address that the certificate covers. */
      name?: string;
      /** Only certificates served by an endpoint with this open finding. */
      finding?: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
      /** The fingerprint, with or without colons. */
      sha256?: string;
      /** `true` for certificates that no endpoint currently serves. */
      unused?: "true" | "false";
      /** `expiry` sorts by expiry, earliest first. */
      sort?: "discovered" | "expiry";
    };
    data: Certificate;
    kind: "list";
  };
  /** Adds a certificate that no monitored endpoint serves yet. */
  "POST /certificates": {
    input: {
      /** The certificate in PEM, followed by the certificates to serve with it, if any. */
      pem: string;
    };
    data: CertificateDetail;
    kind: "one";
  };
  /** Exports all matching certificates as a file, most recently discovered first. */
  "GET /certificates/export": {
    input: {
      format: "csv" | "json";
      /** Only certificates that expire before this time. */
      expires_before?: string;
      /** Only certificates that expire at this time or later. */
      expires_after?: string;
      /** Text in the issuer's name, case-insensitive. */
      issuer?: string;
      /** `rsa`, `ec`, `ed25519`, …; optionally with a size: `rsa-2048`. */
      key_type?: string;
      /** A host name or address that the certificate covers. */
      name?: string;
      /** Only certificates served by an endpoint with this open finding. */
      finding?: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
      /** The fingerprint, with or without colons. */
      sha256?: string;
      /** `true` for certificates that no endpoint currently serves. */
      unused?: "true" | "false";
    };
    data: Response;
    kind: "raw";
  };
  /** Findings at endpoints, open and closed, newest first. */
  "GET /certificates/findings": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      endpoint_id?: string;
      code?: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
      severity?: "info" | "warning" | "critical";
      /** `true` for open findings, `false` for closed ones. */
      open?: "true" | "false";
    };
    data: CertificateFindingAt;
    kind: "list";
  };
  /** One certificate (leaf or issuer) with its PEM and the chain in which it was served. */
  "GET /certificates/{id}": {
    input: {
      id: string;
    };
    data: CertificateDetail;
    kind: "one";
  };
  /** A certificate as a file: `pem`, `der`, or `chain` (PEM with the issuers to serve). */
  "GET /certificates/{id}/download": {
    input: {
      id: string;
      format?: "pem" | "chain" | "der";
    };
    data: Response;
    kind: "raw";
  };
  /** Where and when a certificate was served, newest first. */
  "GET /certificates/{id}/history": {
    input: {
      id: string;
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: CertificatePlace;
    kind: "list";
  };
  /** The monitored endpoints, newest first or by urgency. */
  "GET /certificates/endpoints": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      /** Text in the host or the SNI, or the end of a host with its port: `shop.example:8443`. */
      q?: string;
      tag?: string;
      status?: "pending" | "ok" | "info" | "warning" | "critical" | "unreachable";
      /** Only endpoints with this open finding. */
      finding?: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
      /** Only endpoints that currently serve this certificate. */
      certificate_id?: string;
      /** `urgency` sorts by status, most severe first, then by expiry, earliest first. */
      sort?: "newest" | "urgency";
    };
    data: CertificateEndpoint;
    kind: "list";
  };
  /** Adds an endpoint and checks it immediately. An unreachable endpoint is added too. */
  "POST /certificates/endpoints": {
    input: {
      /** A host name (IDNs are stored as punycode), an IPv4 address or an IPv6 address. Not a URL. */
      host: string;
      /** Defaults to the protocol's usual port: tls: 443, https: 443, smtp: 25, imap: 143, pop3: 110, ftp: 21, ldap: 389, postgres: 5432, mysql: 3306, xmpp: 5222. */
      port?: number;
      /** The protocol: `tls` and `https` start with the TLS handshake; the others negotiate TLS first (STARTTLS or similar). */
      protocol?: "tls" | "https" | "smtp" | "imap" | "pop3" | "ftp" | "ldap" | "postgres" | "mysql" | "xmpp";
      /** The name to send in the handshake; null for the host itself. */
      sni?: string | null;
      /** The address to connect to instead of resolving the host; null to resolve the host. */
      connect_to?: string | null;
      /** `one` checks the first address that responds, `all` checks every address. */
      address_mode?: "one" | "all";
      /** Seconds between two checks while the endpoint has no problems. */
      interval_seconds?: number;
      tags?: string[];
      /** A trust store to trust in addition to the public roots; null to trust only the public roots. */
      trust_store_id?: string | null;
      /** Expected issuers, by organization, common name or whole name; empty for any. */
      expected_issuers?: string[];
      /** SHA-256 of public keys (SPKI) in base64, of which the chain must contain at least one; empty for any. */
      pins?: string[];
      /** Maximum lifetime of a certificate in days, in addition to the rules for public authorities. */
      max_lifetime_days?: number | null;
      /** Whether clients that can reach the endpoint report what it serves. Sealwatch never connects to it, so its host may be in any network. */
      reported?: boolean;
    };
    data: CertificateEndpointDetail;
    kind: "one";
  };
  /** Exports all matching endpoints as a file, newest first. The CSV can be imported again. */
  "GET /certificates/endpoints/export": {
    input: {
      format: "csv" | "json";
      /** Text in the host or the SNI, or the end of a host with its port: `shop.example:8443`. */
      q?: string;
      tag?: string;
      status?: "pending" | "ok" | "info" | "warning" | "critical" | "unreachable";
      /** Only endpoints with this open finding. */
      finding?: "unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused";
      /** Only endpoints that currently serve this certificate. */
      certificate_id?: string;
    };
    data: Response;
    kind: "raw";
  };
  /** One endpoint with the chain it serves. */
  "GET /certificates/endpoints/{id}": {
    input: {
      id: string;
    };
    data: CertificateEndpointDetail;
    kind: "one";
  };
  /** Changes the given fields; the others stay. A new target resets the status. The endpoint is checked immediately. */
  "PUT /certificates/endpoints/{id}": {
    input: {
      id: string;
    } & {
      /** A host name (IDNs are stored as punycode), an IPv4 address or an IPv6 address. Not a URL. */
      host?: string;
      port?: number;
      /** The protocol: `tls` and `https` start with the TLS handshake; the others negotiate TLS first (STARTTLS or similar). */
      protocol?: "tls" | "https" | "smtp" | "imap" | "pop3" | "ftp" | "ldap" | "postgres" | "mysql" | "xmpp";
      /** The name to send in the handshake; null for the host itself. */
      sni?: string | null;
      /** The address to connect to instead of resolving the host; null to resolve the host. */
      connect_to?: string | null;
      /** `one` checks the first address that responds, `all` checks every address. */
      address_mode?: "one" | "all";
      /** Seconds between two checks while the endpoint has no problems. */
      interval_seconds?: number;
      tags?: string[];
      /** A trust store to trust in addition to the public roots; null to trust only the public roots. */
      trust_store_id?: string | null;
      /** Expected issuers, by organization, common name or whole name; empty for any. */
      expected_issuers?: string[];
      /** SHA-256 of public keys (SPKI) in base64, of which the chain must contain at least one; empty for any. */
      pins?: string[];
      /** Maximum lifetime of a certificate in days, in addition to the rules for public authorities. */
      max_lifetime_days?: number | null;
      /** Whether clients that can reach the endpoint report what it serves. Sealwatch never connects to it, so its host may be in any network. */
      reported?: boolean;
    };
    data: CertificateEndpointDetail;
    kind: "one";
  };
  /** Deletes an endpoint with its findings. The certificates that it served are kept. */
  "DELETE /certificates/endpoints/{id}": {
    input: {
      id: string;
    };
    data: CertificateEndpointDetail;
    kind: "one";
  };
  /** The certificates that an endpoint served over time, by address, with each change, newest first. */
  "GET /certificates/endpoints/{id}/history": {
    input: {
      id: string;
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: CertificateSighting;
    kind: "list";
  };
  /** Checks an endpoint now and returns the result. */
  "POST /certificates/endpoints/{id}/check": {
    input: {
      id: string;
    };
    data: CertificateEndpointDetail;
    kind: "one";
  };
  /** Reports what an endpoint with `reported: true` serves. */
  "POST /certificates/endpoints/{id}/report": {
    input: {
      id: string;
    } & {
      /** The served certificates in PEM, in the order served, starting with the leaf. */
      pem: string;
    };
    data: CertificateEndpointDetail;
    kind: "one";
  };
  /** Adds up to 1,000 endpoints and changes existing endpoints with the same host, port, server name and address. Omitted fields stay. Returns one result per item. The worker checks them soon. Exempt from the rate limit. */
  "POST /certificates/endpoints/bulk": {
    input: {
      /** Each item has the fields of `POST /certificates/endpoints`. */
      items: unknown[];
      dry_run?: boolean;
    };
    data: {
      dry_run: boolean;
      results: EndpointBulkResult[];
    };
    kind: "one";
  };
  /** Queues checks of the given endpoints, or of all endpoints with the tag, after checks that are already due. */
  "POST /certificates/endpoints/bulk/check": {
    input: {
      ids?: string[];
      tag?: string;
    };
    data: {
      /** Number of endpoints that will be checked soon. */
      queued: number;
    };
    kind: "one";
  };
  /** Imports up to 1,000 endpoints from a text: `lines` with one host, host:port or protocol://host:port each (`#` starts a comment), or `csv` as exported, with field names in the header and tags separated by spaces. Returns one result per line. Otherwise like the bulk request. */
  "POST /certificates/endpoints/bulk/import": {
    input: {
      format: "lines" | "csv";
      text: string;
      defaults?: {
        /** The protocol: `tls` and `https` start with the TLS handshake; the others negotiate TLS first (STARTTLS or similar). */
        protocol?: "tls" | "https" | "smtp" | "imap" | "pop3" | "ftp" | "ldap" | "postgres" | "mysql" | "xmpp";
        /** `one` checks the first address that responds, `all` checks every address. */
        address_mode?: "one" | "all";
        /** Seconds between two checks while the endpoint has no problems. */
        interval_seconds?: number;
        tags?: string[];
        /** A trust store to trust in addition to the public roots; null to trust only the public roots. */
        trust_store_id?: string | null;
      };
      dry_run?: boolean;
    };
    data: {
      dry_run: boolean;
      results: EndpointImportResult[];
    };
    kind: "one";
  };
  /** The calendar URLs, newest first. */
  "GET /certificates/calendars": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: CertificateCalendar;
    kind: "list";
  };
  /** Creates a URL from which calendar applications read expirations (iCalendar). Anyone who has the URL can read them. */
  "POST /certificates/calendars": {
    input: {
      name: string;
      /** Only certificates of endpoints with this tag; null for all endpoints. */
      tag?: string | null;
    };
    data: CertificateCalendarWithUrl;
    kind: "one";
  };
  /** One calendar URL, without its signature. */
  "GET /certificates/calendars/{id}": {
    input: {
      id: string;
    };
    data: CertificateCalendar;
    kind: "one";
  };
  /** Revokes a calendar URL. It then returns 404. */
  "DELETE /certificates/calendars/{id}": {
    input: {
      id: string;
    };
    data: CertificateCalendar;
    kind: "one";
  };
  /** Expirations as iCalendar (RFC 5545). The signature in the URL is the credential. */
  "GET /certificates/calendars/{id}/feed": {
    input: {
      id: string;
      signature: string;
    };
    data: Response;
    kind: "raw";
  };
  /** The organization's trust stores, newest first. */
  "GET /certificates/trust-stores": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: CertificateTrustStore;
    kind: "list";
  };
  /** Creates a trust store: certificates that endpoints may trust in addition to the public roots. */
  "POST /certificates/trust-stores": {
    input: {
      name: string;
      /** Up to 100 certificates in PEM to trust in addition to the public roots. */
      pem: string;
    };
    data: CertificateTrustStoreDetail;
    kind: "one";
  };
  /** One trust store with its PEM. */
  "GET /certificates/trust-stores/{id}": {
    input: {
      id: string;
    };
    data: CertificateTrustStoreDetail;
    kind: "one";
  };
  /** Changes the given fields; the others stay. The worker checks its endpoints again soon. */
  "PUT /certificates/trust-stores/{id}": {
    input: {
      id: string;
    } & {
      name?: string;
      /** Up to 100 certificates in PEM to trust in addition to the public roots. */
      pem?: string;
    };
    data: CertificateTrustStoreDetail;
    kind: "one";
  };
  /** Deletes a trust store that no endpoint uses. */
  "DELETE /certificates/trust-stores/{id}": {
    input: {
      id: string;
    };
    data: CertificateTrustStoreDetail;
    kind: "one";
  };
  /** The organization's monitors, newest first or by urgency. */
  "GET /uptime": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      status?: "pending" | "up" | "down" | "paused";
      tag?: string;
      /** `urgency` sorts by status: down, pending, up, paused; then by name. */
      sort?: "newest" | "urgency";
    };
    data: Monitor;
    kind: "list";
  };
  /** Adds a monitor for an HTTP or TCP target, and checks it immediately unless paused. */
  "POST /uptime": {
    input: {
      name: string;
      type: "http" | "tcp";
      /** http: a URL with http or https. tcp: `host:port`. */
      target: string;
      /** http only. */
      method?: "GET" | "HEAD" | "POST";
      /** Sent with each check. Header values: Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
      headers?: { [key: string]: string };
      /** A response with any of these statuses succeeds: `204`, or a class like `2xx`. */
      expected_status?: string[];
      /** Text that the first MiB of the body must contain. */
      expected_text?: string | null;
      /** Follows up to five redirects; each address must be permitted like the first. */
      follow_redirects?: boolean;
      interval_seconds?: number;
      timeout_seconds?: number;
      /** Consecutive failed checks after which the monitor is down. */
      failure_threshold?: number;
      /** Consecutive successful checks after which the monitor is up again. */
      recovery_threshold?: number;
      tags?: string[];
      paused?: boolean;
    };
    data: Monitor;
    kind: "one";
  };
  /** One monitor with its last check. */
  "GET /uptime/{id}": {
    input: {
      id: string;
    };
    data: Monitor;
    kind: "one";
  };
  /** Changes the given fields; the others stay. `paused` pauses and resumes. A new target resets the status; a target at another origin requires `headers` again. */
  "PUT /uptime/{id}": {
    input: {
      id: string;
    } & {
      name?: string;
      /** http: a URL with http or https. tcp: `host:port`. */
      target?: string;
      /** http only. */
      method?: "GET" | "HEAD" | "POST";
      /** Sent with each check. Header values: Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
      headers?: { [key: string]: string };
      /** A response with any of these statuses succeeds: `204`, or a class like `2xx`. */
      expected_status?: string[];
      /** Text that the first MiB of the body must contain. */
      expected_text?: string | null;
      /** Follows up to five redirects; each address must be permitted like the first. */
      follow_redirects?: boolean;
      interval_seconds?: number;
      timeout_seconds?: number;
      /** Consecutive failed checks after which the monitor is down. */
      failure_threshold?: number;
      /** Consecutive successful checks after which the monitor is up again. */
      recovery_threshold?: number;
      tags?: string[];
      paused?: boolean;
    };
    data: Monitor;
    kind: "one";
  };
  /** Deletes a monitor with its measurements. */
  "DELETE /uptime/{id}": {
    input: {
      id: string;
    };
    data: Monitor;
    kind: "one";
  };
  /** Checks a monitor now and returns the result. */
  "POST /uptime/{id}/check": {
    input: {
      id: string;
    };
    data: UptimeCheck;
    kind: "one";
  };
  /** Single checks of the last 7 days, newest first. */
  "GET /uptime/{id}/checks": {
    input: {
      id: string;
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      /** Only successful, or only failed checks. */
      ok?: "true" | "false";
    };
    data: UptimeCheck;
    kind: "list";
  };
  /** Uptime, response times and downtime over a range and over standard windows, from roll-ups. */
  "GET /uptime/{id}/stats": {
    input: {
      id: string;
      /** Inclusive. Defaults to 24 hours ago. */
      since?: string;
      /** Exclusive. Defaults to now. */
      until?: string;
      /** Interval of the series. Defaults to one that suits the range. */
      interval?: "hour" | "day";
    };
    data: UptimeStats;
    kind: "one";
  };
  /** Incidents, newest first. */
  "GET /uptime/incidents": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      monitor_id?: string;
      /** Only ongoing, or only ended incidents. */
      open?: "true" | "false";
    };
    data: Incident;
    kind: "list";
  };
  /** One incident. */
  "GET /uptime/incidents/{id}": {
    input: {
      id: string;
    };
    data: Incident;
    kind: "one";
  };
  /** Changes the note of an incident. */
  "PUT /uptime/incidents/{id}": {
    input: {
      id: string;
    } & {
      note: string | null;
    };
    data: Incident;
    kind: "one";
  };
  /** Maintenance windows, newest first. */
  "GET /uptime/maintenance-windows": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: MaintenanceWindow;
    kind: "list";
  };
  /** Creates a maintenance window, during which failed checks open no incident and count as neither up nor down. */
  "POST /uptime/maintenance-windows": {
    input: {
      name: string;
      /** An empty list means all monitors. */
      monitor_ids?: string[];
      starts_at: string;
      ends_at: string;
      /** Repeats every day or week (UTC) from `starts_at`. */
      repeat?: "none" | "daily" | "weekly";
    };
    data: MaintenanceWindow;
    kind: "one";
  };
  /** One maintenance window. */
  "GET /uptime/maintenance-windows/{id}": {
    input: {
      id: string;
    };
    data: MaintenanceWindow;
    kind: "one";
  };
  /** Changes the given fields; the others stay. Earlier checks are not recounted. */
  "PUT /uptime/maintenance-windows/{id}": {
    input: {
      id: string;
    } & {
      name?: string;
      /** An empty list means all monitors. */
      monitor_ids?: string[];
      starts_at?: string;
      ends_at?: string;
      /** Repeats every day or week (UTC) from `starts_at`. */
      repeat?: "none" | "daily" | "weekly";
    };
    data: MaintenanceWindow;
    kind: "one";
  };
  /** Deletes a maintenance window. */
  "DELETE /uptime/maintenance-windows/{id}": {
    input: {
      id: string;
    };
    data: MaintenanceWindow;
    kind: "one";
  };
  /** Adds up to 1,000 monitors and changes existing monitors with the same name. Returns one result per item. Exempt from the rate limit. */
  "POST /uptime/bulk": {
    input: {
      /** Each item has the fields of `POST /uptime`. */
      items: unknown[];
      dry_run?: boolean;
    };
    data: {
      dry_run: boolean;
      results: BulkResult[];
    };
    kind: "one";
  };
  /** Queues checks of the given monitors, or of all monitors with the tag, after checks that are already due. */
  "POST /uptime/bulk/check": {
    input: {
      ids?: string[];
      tag?: string;
    };
    data: {
      /** Number of monitors that are not paused and will be checked soon. */
      queued: number;
    };
    kind: "one";
  };
  /** Key figures of everything that is monitored. */
  "GET /analytics/overview": {
    input: Record<never, never>;
    data: AnalyticsOverview;
    kind: "one";
  };
  /** Expiry dates of the certificates in use: calendar (by day) or histogram (by week or month). */
  "GET /analytics/expiry": {
    input: {
      /** In UTC; weeks start on Monday. */
      interval?: "day" | "week" | "month";
      /** Days ahead. */
      days?: number;
    };
    data: AnalyticsExpiry;
    kind: "one";
  };
  /** Issuers of the certificates in use. */
  "GET /analytics/issuers": {
    input: Record<never, never>;
    data: AnalyticsIssuers;
    kind: "one";
  };
  /** Key types, sizes and signature algorithms of the certificates in use. */
  "GET /analytics/keys": {
    input: Record<never, never>;
    data: AnalyticsKeys;
    kind: "one";
  };
  /** Lifetimes of the certificates in use against the schedule of 200, 100 and 47 days. */
  "GET /analytics/lifetimes": {
    input: Record<never, never>;
    data: AnalyticsLifetimes;
    kind: "one";
  };
  /** Renewals, and the remaining lifetime of the old certificates. */
  "GET /analytics/renewals": {
    input: {
      /** Inclusive, rounded down to a whole UTC day. Defaults to 30 days ago. */
      since?: string;
      /** Exclusive. Defaults to now. */
      until?: string;
    };
    data: AnalyticsRenewals;
    kind: "one";
  };
  /** Uptime of all monitors by day, and the monitors with the lowest uptime. */
  "GET /analytics/uptime": {
    input: {
      /** Inclusive, rounded down to a whole UTC day. Defaults to 30 days ago. */
      since?: string;
      /** Exclusive. Defaults to now. */
      until?: string;
    };
    data: AnalyticsUptime;
    kind: "one";
  };
  /** Response times of all monitors by day, and the slowest monitors. */
  "GET /analytics/response-times": {
    input: {
      /** Inclusive, rounded down to a whole UTC day. Defaults to 30 days ago. */
      since?: string;
      /** Exclusive. Defaults to now. */
      until?: string;
    };
    data: AnalyticsResponseTimes;
    kind: "one";
  };
  /** The current state for Prometheus (text format), with validity timestamps instead of days left. */
  "GET /analytics/metrics": {
    input: Record<never, never>;
    data: Response;
    kind: "raw";
  };
  /** The organization's plan, its usage and its subscription. */
  "GET /billing": {
    input: Record<never, never>;
    data: Billing;
    kind: "one";
  };
  /** Every plan with its limits, smallest first. */
  "GET /billing/plans": {
    input: Record<never, never>;
    data: BillingPlan[];
    kind: "one";
  };
  /** Creates a checkout page for a plan; one per organization at a time. 503 without a payment provider, 409 with an active subscription or a scheduled deletion. */
  "POST /billing/checkout": {
    input: {
      plan: "team" | "business" | "enterprise";
    };
    data: BillingPage;
    kind: "one";
  };
  /** Creates a page for changing, paying or cancelling the subscription. 503 without a payment provider, 409 without a subscription. */
  "POST /billing/portal": {
    input: Record<never, never>;
    data: BillingPage;
    kind: "one";
  };
  /** Receives the payment provider's signed webhooks. Repeated webhooks change nothing. */
  "POST /billing/webhook": {
    input: Record<never, never>;
    data: BillingNoticeReceived;
    kind: "one";
  };
  /** Names that discovery found, newest first. */
  "GET /subdomains": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      domain_id?: string;
      state?: "new" | "monitored" | "ignored";
      /** Those found by this source. */
      source?: "ct_search" | "ct_public_search" | "dns";
      wildcard?: "true" | "false";
      /** `true` for names known only from expired certificates. */
      expired_only?: "true" | "false";
      /** Text in the name. */
      q?: string;
    };
    data: Subdomain;
    kind: "list";
  };
  /** One name that discovery found. */
  "GET /subdomains/{id}": {
    input: {
      id: string;
    };
    data: Subdomain;
    kind: "one";
  };
  /** Reviews names: `monitor` adds an endpoint for each, `ignore` sets them aside, `restore` makes them new again. */
  "POST /subdomains/bulk": {
    input: {
      action: "monitor" | "ignore" | "restore";
      ids: string[];
    };
    data: SubdomainReview;
    kind: "one";
  };
  /** The domains, newest first, with their proof and the state of each source. */
  "GET /subdomains/domains": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: Domain;
    kind: "list";
  };
  /** Adds a registrable domain and returns the TXT record that verifies your ownership. */
  "POST /subdomains/domains": {
    input: {
      /** A registrable domain such as example.com, as the public suffix list knows them; IDN is kept as punycode. */
      name: string;
      /** Hours between two runs of a source. */
      interval_hours?: number;
      /** Expected issuers, by organization, common name or whole name; empty for any. */
      expected_issuers?: string[];
      /** The sources of discovery to use. `ct_search`: CT search; `ct_public_search`: Public CT search; `dns`: DNS. */
      sources?: ("ct_search" | "ct_public_search" | "dns")[];
    };
    data: Domain;
    kind: "one";
  };
  /** One domain. */
  "GET /subdomains/domains/{id}": {
    input: {
      id: string;
    };
    data: Domain;
    kind: "one";
  };
  /** Changes the given fields; the others stay. Issued certificates are judged again. */
  "PUT /subdomains/domains/{id}": {
    input: {
      id: string;
    } & {
      /** Hours between two runs of a source. */
      interval_hours?: number;
      /** Expected issuers, by organization, common name or whole name; empty for any. */
      expected_issuers?: string[];
      /** The sources of discovery to use. `ct_search`: CT search; `ct_public_search`: Public CT search; `dns`: DNS. */
      sources?: ("ct_search" | "ct_public_search" | "dns")[];
    };
    data: Domain;
    kind: "one";
  };
  /** Deletes a domain with everything discovery found. Monitored endpoints stay. */
  "DELETE /subdomains/domains/{id}": {
    input: {
      id: string;
    };
    data: Domain;
    kind: "one";
  };
  /** Looks up the TXT record now. The first success starts discovery. */
  "POST /subdomains/domains/{id}/verify": {
    input: {
      id: string;
    };
    data: Domain;
    kind: "one";
  };
  /** Queues a run of every source now, except those that asked to wait. 409 until the domain is verified. */
  "POST /subdomains/domains/{id}/discover": {
    input: {
      id: string;
    };
    data: Domain;
    kind: "one";
  };
  /** Certificates found in certificate transparency, most recently issued first. */
  "GET /subdomains/issuances": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      domain_id?: string;
      /** `true` for those of issuers that the domain does not expect. */
      unexpected?: "true" | "false";
      /** `true` for those that have not expired. */
      current?: "true" | "false";
    };
    data: Issuance;
    kind: "list";
  };
  /** Alerts, newest first. */
  "GET /alerts": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      status?: "open" | "acknowledged" | "snoozed" | "resolved" | "unresolved";
      severity?: "info" | "warning" | "critical";
      rule_id?: string;
      /** Of an endpoint, a monitor, an API key, … */
      subject_id?: string;
      certificate_id?: string;
      /** Opened then or later. */
      since?: string;
      /** Opened before. */
      until?: string;
    };
    data: Alert;
    kind: "list";
  };
  /** One alert with its timeline. */
  "GET /alerts/{id}": {
    input: {
      id: string;
    };
    data: AlertDetail;
    kind: "one";
  };
  /** Acknowledges an alert: no more repeats. If it is raised, it is sent again. */
  "POST /alerts/{id}/acknowledge": {
    input: {
      id: string;
    } & {
      note?: string | null;
    };
    data: AlertDetail;
    kind: "one";
  };
  /** Sends nothing about an alert until a time; if its cause still lasts then, it is sent once more. */
  "POST /alerts/{id}/snooze": {
    input: {
      id: string;
    } & {
      /** At most 90 days ahead. */
      until: string;
      note?: string | null;
    };
    data: AlertDetail;
    kind: "one";
  };
  /** Resolves an alert by hand. While its cause lasts, it comes back only if the cause gets worse. */
  "POST /alerts/{id}/resolve": {
    input: {
      id: string;
    } & {
      note?: string | null;
    };
    data: AlertDetail;
    kind: "one";
  };
  /** The organization's alert rules, newest first. */
  "GET /alert-rules": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: AlertRule;
    kind: "list";
  };
  /** Creates a rule. It is evaluated at once, when something happens that may concern it, and at least every 10 minutes. */
  "POST /alert-rules": {
    input: {
      name: string;
      enabled?: boolean;
      selector?: {
        /** Any of these. */
        tags?: string[];
        /** Of endpoints, certificates, monitors, domains or API keys. With tags: either. */
        ids?: string[];
      };
      condition: {
        type: "finding";
        /** Any of these; empty for any finding. */
        codes?: ("unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused")[];
        /** None of these. */
        except_codes?: ("unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused")[];
        /** Minimum severity. */
        severity?: "info" | "warning" | "critical";
      } | {
        type: "time_left";
      } | {
        type: "monitor_down";
      } | {
        type: "latency";
        /** Median response time of the window, in milliseconds. */
        above_ms: number;
        window_minutes?: number;
      } | {
        type: "security_event";
        flags: ("invalid_credentials" | "expired_key" | "revoked_key" | "rotated_secret" | "ip_not_allowed" | "method_not_allowed" | "rate_limited" | "cross_site_request" | "key_created" | "key_updated" | "key_rotated" | "key_revoked" | "sign_in" | "sign_in_refused" | "sign_out" | "member_added" | "member_changed" | "member_removed" | "organization_updated" | "plan_changed" | "audit_exported" | "organization_exported" | "new_address" | "new_country")[];
      };
      steps: {
        /** How long the cause has lasted. */
        after_minutes?: number;
        days_left?: number | null;
        /** Share of the certificate's lifetime. With `days_left`: whichever is less. */
        share_left?: number | null;
        /** Null for the severity of what was found. */
        severity?: "info" | "warning" | "critical" | null;
        /** Channels notified from this step on; empty for every enabled channel. */
        channel_ids?: string[];
      }[];
      /** Minutes between two notifications while the alert is open; null for no repeats. */
      repeat_minutes?: number | null;
      /** How long the cause must be gone before the alert resolves itself. */
      resolve_after_minutes?: number;
      /** Whether a notification is sent when it resolves. */
      send_resolved?: boolean;
      quiet_hours?: {
        start: string;
        /** On the next day where it is not after `start`. */
        end: string;
        /** The days on which it starts. */
        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        time_zone: string;
        /** Critical alerts are sent anyway. */
        except_critical?: boolean;
      } | null;
    };
    data: AlertRule;
    kind: "one";
  };
  /** One alert rule. */
  "GET /alert-rules/{id}": {
    input: {
      id: string;
    };
    data: AlertRule;
    kind: "one";
  };
  /** Changes the given fields; the others stay. Disabling a rule resolves its alerts. */
  "PUT /alert-rules/{id}": {
    input: {
      id: string;
    } & {
      name?: string;
      enabled?: boolean;
      selector?: {
        /** Any of these. */
        tags?: string[];
        /** Of endpoints, certificates, monitors, domains or API keys. With tags: either. */
        ids?: string[];
      };
      condition?: {
        type: "finding";
        /** Any of these; empty for any finding. */
        codes?: ("unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused")[];
        /** None of these. */
        except_codes?: ("unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused")[];
        /** Minimum severity. */
        severity?: "info" | "warning" | "critical";
      } | {
        type: "time_left";
      } | {
        type: "monitor_down";
      } | {
        type: "latency";
        /** Median response time of the window, in milliseconds. */
        above_ms: number;
        window_minutes?: number;
      } | {
        type: "security_event";
        flags: ("invalid_credentials" | "expired_key" | "revoked_key" | "rotated_secret" | "ip_not_allowed" | "method_not_allowed" | "rate_limited" | "cross_site_request" | "key_created" | "key_updated" | "key_rotated" | "key_revoked" | "sign_in" | "sign_in_refused" | "sign_out" | "member_added" | "member_changed" | "member_removed" | "organization_updated" | "plan_changed" | "audit_exported" | "organization_exported" | "new_address" | "new_country")[];
      };
      steps?: {
        /** How long the cause has lasted. */
        after_minutes?: number;
        days_left?: number | null;
        /** Share of the certificate's lifetime. With `days_left`: whichever is less. */
        share_left?: number | null;
        /** Null for the severity of what was found. */
        severity?: "info" | "warning" | "critical" | null;
        /** Channels notified from this step on; empty for every enabled channel. */
        channel_ids?: string[];
      }[];
      /** Minutes between two notifications while the alert is open; null for no repeats. */
      repeat_minutes?: number | null;
      /** How long the cause must be gone before the alert resolves itself. */
      resolve_after_minutes?: number;
      /** Whether a notification is sent when it resolves. */
      send_resolved?: boolean;
      quiet_hours?: {
        start: string;
        /** On the next day where it is not after `start`. */
        end: string;
        /** The days on which it starts. */
        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        time_zone: string;
        /** Critical alerts are sent anyway. */
        except_critical?: boolean;
      } | null;
    };
    data: AlertRule;
    kind: "one";
  };
  /** Deletes a rule. Its alerts are resolved and stay in the list. */
  "DELETE /alert-rules/{id}": {
    input: {
      id: string;
    };
    data: AlertRule;
    kind: "one";
  };
  /** What matches a rule's condition now, up to 200, with the events of the last 24 hours. Changes nothing. */
  "POST /alert-rules/preview": {
    input: {
      name: string;
      enabled?: boolean;
      selector?: {
        /** Any of these. */
        tags?: string[];
        /** Of endpoints, certificates, monitors, domains or API keys. With tags: either. */
        ids?: string[];
      };
      condition: {
        type: "finding";
        /** Any of these; empty for any finding. */
        codes?: ("unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused")[];
        /** None of these. */
        except_codes?: ("unreachable" | "dns_failure" | "starttls_unsupported" | "tls_handshake_failed" | "expired" | "not_yet_valid" | "expires_soon" | "renewal_overdue" | "renewed_not_deployed" | "revoked" | "revocation_unknown" | "chain_incomplete" | "chain_misordered" | "chain_extra" | "intermediate_expires_first" | "untrusted_root" | "self_signed" | "hostname_mismatch" | "san_missing" | "weak_key" | "weak_signature" | "legacy_protocol" | "lifetime_exceeds_policy" | "issuer_unexpected" | "pin_mismatch" | "address_divergence" | "certificate_changed" | "names_removed" | "key_reused")[];
        /** Minimum severity. */
        severity?: "info" | "warning" | "critical";
      } | {
        type: "time_left";
      } | {
        type: "monitor_down";
      } | {
        type: "latency";
        /** Median response time of the window, in milliseconds. */
        above_ms: number;
        window_minutes?: number;
      } | {
        type: "security_event";
        flags: ("invalid_credentials" | "expired_key" | "revoked_key" | "rotated_secret" | "ip_not_allowed" | "method_not_allowed" | "rate_limited" | "cross_site_request" | "key_created" | "key_updated" | "key_rotated" | "key_revoked" | "sign_in" | "sign_in_refused" | "sign_out" | "member_added" | "member_changed" | "member_removed" | "organization_updated" | "plan_changed" | "audit_exported" | "organization_exported" | "new_address" | "new_country")[];
      };
      steps: {
        /** How long the cause has lasted. */
        after_minutes?: number;
        days_left?: number | null;
        /** Share of the certificate's lifetime. With `days_left`: whichever is less. */
        share_left?: number | null;
        /** Null for the severity of what was found. */
        severity?: "info" | "warning" | "critical" | null;
        /** Channels notified from this step on; empty for every enabled channel. */
        channel_ids?: string[];
      }[];
      /** Minutes between two notifications while the alert is open; null for no repeats. */
      repeat_minutes?: number | null;
      /** How long the cause must be gone before the alert resolves itself. */
      resolve_after_minutes?: number;
      /** Whether a notification is sent when it resolves. */
      send_resolved?: boolean;
      quiet_hours?: {
        start: string;
        /** On the next day where it is not after `start`. */
        end: string;
        /** The days on which it starts. */
        days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        time_zone: string;
        /** Critical alerts are sent anyway. */
        except_critical?: boolean;
      } | null;
    };
    data: AlertRulePreview;
    kind: "one";
  };
  /** What an evaluation would do now with the existing alerts. Changes and sends nothing. */
  "POST /alert-rules/{id}/test": {
    input: {
      id: string;
    };
    data: AlertRuleTest;
    kind: "one";
  };
  /** The notification channels, newest first. */
  "GET /notification-channels": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: NotificationChannel;
    kind: "list";
  };
  /** Creates a channel. For a webhook it returns the signing secret, which is shown only once. */
  "POST /notification-channels": {
    input: {
      type: "email" | "webhook" | "slack" | "teams" | "discord" | "pagerduty" | "telegram" | "ntfy";
      name: string;
      /** Depend on the type. */
      settings: {
        to: string[];
        /** The sender; the installation's unless given. */
        from?: string | null;
        /** A server of your own, smtp:// or smtps://; the installation's unless given. Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
        smtp_url?: string | null;
      } | {
        /** Gets a POST, signed as Standard Webhooks says. Redirects are not followed. */
        url: string;
      } | {
        /** Of an incoming webhook. Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
        url: string;
      } | {
        /** Of a workflow that posts to a chat or channel. Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
        url: string;
      } | {
        /** Of a channel's webhook. Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
        url: string;
      } | {
        /** Of an Events API v2 integration. Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
        routing_key: string;
        /** `https://events.eu.pagerduty.com` for accounts in the EU. */
        api_url?: string;
      } | {
        /** Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
        bot_token: string;
        chat_id: string;
        api_url?: string;
      } | {
        topic: string;
        /** Not returned by the API. The audit log keeps the request as sent, where all members and keys of the organization can read it, including `read` keys. */
        token?: string | null;
        server?: string;
      };
    };
    data: NotificationChannelWithSecret;
    kind: "one";
  };
  /** One channel. */
  "GET /notification-channels/{id}": {
    input: {
      id: string;
    };
    data: NotificationChannel;
    kind: "one";
  };
  /** Changes the given fields and settings; the others stay. `enabled` enables and disables. With another origin the secrets must be given again. */
  "PUT /notification-channels/{id}": {
    input: {
      id: string;
    } & {
      name?: string;
      enabled?: boolean;
      /** The settings to change, as for creating a channel of this type. */
      settings?: { [key: string]: unknown };
    };
    data: NotificationChannel;
    kind: "one";
  };
  /** Deletes a channel that no rule uses, with its deliveries. */
  "DELETE /notification-channels/{id}": {
    input: {
      id: string;
    };
    data: NotificationChannel;
    kind: "one";
  };
  /** Sends a test message once, now, and returns the result. */
  "POST /notification-channels/{id}/test": {
    input: {
      id: string;
    };
    data: NotificationDelivery;
    kind: "one";
  };
  /** Creates a new signing secret for a webhook. For 24 hours messages are signed with both. */
  "POST /notification-channels/{id}/rotate-secret": {
    input: {
      id: string;
    };
    data: NotificationChannelWithSecret;
    kind: "one";
  };
  /** Messages of the last 30 days with their status, newest first. */
  "GET /notification-channels/deliveries": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
      channel_id?: string;
      status?: "pending" | "sent" | "failed";
      /** Those about this alert. */
      alert_id?: string;
    };
    data: NotificationDelivery;
    kind: "list";
  };
  /** Retries a message that was given up. */
  "POST /notification-channels/deliveries/{id}/retry": {
    input: {
      id: string;
    };
    data: NotificationDelivery;
    kind: "one";
  };
  /** The person's organizations, newest first; for a key, its own. */
  "GET /organizations": {
    input: {
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: Organization;
    kind: "list";
  };
  /** Creates an organization with the person as its admin. A key is refused with 403. */
  "POST /organizations": {
    input: {
      name: string;
    };
    data: Organization;
    kind: "one";
  };
  /** One organization. */
  "GET /organizations/{id}": {
    input: {
      id: string;
    };
    data: Organization;
    kind: "one";
  };
  /** Changes the organization's name. The slug does not change. */
  "PUT /organizations/{id}": {
    input: {
      id: string;
    } & {
      name?: string;
    };
    data: Organization;
    kind: "one";
  };
  /** Schedules the organization, all its data and its audit log for deletion in 14 days. 409 while a subscription is active. A second request changes nothing. */
  "DELETE /organizations/{id}": {
    input: {
      id: string;
    };
    data: Organization;
    kind: "one";
  };
  /** Cancels a deletion that is not due yet. */
  "POST /organizations/{id}/restore": {
    input: {
      id: string;
    };
    data: Organization;
    kind: "one";
  };
  /** Exports all the organization's data, without secrets and without its audit log, which has its own export: a line {"table", "row"} per record. Records are read in pages, each at its own point in time. The last line {"export": {"rows", "sha256"}} covers all lines before it. */
  "GET /organizations/{id}/export": {
    input: {
      id: string;
    };
    data: Response;
    kind: "raw";
  };
  /** The organization's members, most recent first. */
  "GET /organizations/{id}/members": {
    input: {
      id: string;
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: Member;
    kind: "list";
  };
  /** Changes a member's permission. Takes effect with the next request. 409 if no admin would be left. */
  "PUT /organizations/{id}/members/{user_id}": {
    input: {
      id: string;
      user_id: string;
    } & {
      /** `read` allows GET requests only. */
      permission: "admin" | "read";
    };
    data: Member;
    kind: "one";
  };
  /** Removes a member, or the caller. Access ends immediately. 409 if no admin would be left. */
  "DELETE /organizations/{id}/members/{user_id}": {
    input: {
      id: string;
      user_id: string;
    };
    data: Member;
    kind: "one";
  };
  /** Pending invitations, newest first. Expired invitations stay for 30 days. */
  "GET /organizations/{id}/invitations": {
    input: {
      id: string;
      /** Items per page, 1 to 200. */
      limit?: number;
      /** `next_cursor` of the previous page. Valid only with the same filters. */
      cursor?: string;
    };
    data: Invitation;
    kind: "list";
  };
  /** Invites a person by e-mail address for 7 days, with an e-mail or a link to share. The identity provider must vouch for the address. Inviting again replaces the link. */
  "POST /organizations/{id}/invitations": {
    input: {
      id: string;
    } & {
      email: string;
      /** `read` allows GET requests only. */
      permission?: "admin" | "read";
    };
    data: InvitationSent;
    kind: "one";
  };
  /** Withdraws an invitation. Its link stops working. */
  "DELETE /organizations/{id}/invitations/{invitation_id}": {
    input: {
      id: string;
      invitation_id: string;
    };
    data: Invitation;
    kind: "one";
  };
  /** This document: OpenAPI 3.1, generated from the schemas that validate requests. */
  "GET /openapi.json": {
    input: Record<never, never>;
    data: Response;
    kind: "raw";
  };
}
