import { callerOf, only } from "@/lib/audit-logs/caller";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { figuresOf, statsOf } from "@/lib/audit-logs/count/stats";
import { type Flag, refusals } from "@/lib/audit-logs/flags";
import { findHold } from "@/lib/audit-logs/held/find-hold";
import { addressStandings } from "@/lib/audit-logs/read/address-standings";
import type { Fact } from "@/lib/audit-logs/read/context-contract";
import { listEvents } from "@/lib/audit-logs/read/list";
import { NO_AUTHENTICATION, NO_CLIENT } from "@/lib/audit-logs/redacted-caller";
import type { Scope } from "@/lib/audit-logs/scope/scope";
import { db } from "@/lib/db/app";
import { API_PREFIX } from "@/lib/http/endpoint";
import { groupLimits, groupOf } from "@/lib/http/groups";
import { refusedBy } from "@/lib/network/whitelist";
import { DAY_MS } from "@/lib/time/units";

/** Minimum number of events for a meaningful p95. */
const MIN_COMPARED = 20;
const SLOW_FACTOR = 2;
const NEAR_LIMIT_SHARE = 0.1;
/** Maximum clock difference between two machines. */
const MAX_CLOCK_SKEW_MS = 5_000;
/** Maximum time between the recorded time of a rotation and the id of its event. */
const ROTATION_DELAY_MS = 60_000;

/** Unusual facts about an event, most significant first. */
export async function factsAbout(scope: Scope, event: AuditEvent): Promise<Fact[]> {
  const { flags } = event.security;
  const found = await Promise.all([
    flags.includes("rotated_secret") ? secretRotated(scope, event) : [],
    flags.some((flag) => flag === "rotated_secret" || flag === "revoked_key") ? oldSecretFrom(scope, event) : [],
    ...flags.filter((flag) => refusals.includes(flag)).map((flag) => repeated(scope, event, flag)),
    onHold(scope, event),
    ofKey(scope, event),
    firstFromAddress(scope, event),
    slow(scope, event),
  ]);
  return [...found.flat(), ...nearLimit(event), ...fromTheFuture(event)];
}

async function repeated(scope: Scope, event: AuditEvent, flag: Flag): Promise<Fact[]> {
  const at = Date.parse(event.occurred_at);
  const { ip_address } = event.client ?? NO_CLIENT;
  const caller = callerOf(event) ?? (ip_address === null ? null : { ip: only(ip_address) });
  if (caller === null) return [];
  const { since, until, totals } = await statsOf(scope, {
    interval: "hour",
    since: at - DAY_MS,
    until: at + DAY_MS,
    flag: only(flag),
    ...caller,
  });
  if (totals.requests < 2) return [];
  return [{ kind: "repeated", flag, times: totals.requests, addresses: totals.unique_ips, since, until }];
}

/** The rotation that replaced the secret, found by the secret's record because a key may be rotated many times. */
async function secretRotated(scope: Scope, { authentication }: AuditEvent): Promise<Fact[]> {
  const { api_key } = authentication ?? NO_AUTHENTICATION;
  if (api_key === null) return [];
  const { organizationId } = scope;
  const secret = await db().apiKeySecret.findFirst({
    where: { organizationId, apiKeyId: api_key.id, hint: api_key.hint, retiredAt: { not: null } },
    orderBy: { retiredAt: "desc" },
  });
  if (!secret?.retiredAt) return [];
  const at = secret.retiredAt.getTime();
  const { items } = await listEvents(scope, {
    limit: 1,
    cursor: undefined,
    order: "desc",
    since: at - ROTATION_DELAY_MS,
    until: at + 1,
    flag: only("key_rotated"),
    resource_id: only(api_key.id),
  });
  const [rotation] = items;
  if (!rotation) return [];
  const { user, api_key: key } = rotation.authentication ?? NO_AUTHENTICATION;
  const by = user?.name ?? key?.name ?? null;
  return [{ kind: "secret_rotated", event_id: rotation.id, at: secret.retiredAt.toISOString(), by }];
}

/** Whether the address is one of the key's own. */
async function oldSecretFrom({ organizationId }: Scope, { authentication, client }: AuditEvent): Promise<Fact[]> {
  const { api_key } = authentication ?? NO_AUTHENTICATION;
  if (api_key === null || client === null) return [];
  const attempt = { apiKeyId: api_key.id, hint: api_key.hint, address: client.ip_address };
  const { standing, knownSince } = (await addressStandings(organizationId, [attempt]))(attempt);
  const known_since = knownSince === null ? null : new Date(knownSince).toISOString();
  return [{ kind: "old_secret_from", standing, known_since }];
}

/** The hold that covers the event, and redactions that wait for its release. */
async function onHold({ organizationId }: Scope, { id }: AuditEvent): Promise<Fact[]> {
  const hold = await findHold(organizationId, id);
  if (hold === null) return [];
  const waiting = await db().redactionRequest.findMany({
    where: { organizationId, eventId: id, redactedAt: null },
    orderBy: { part: "asc" },
  });
  const parts = ["body", "caller"] as const;
  return [
    { kind: "on_hold", hold_id: hold.id, name: hold.name, since: new Date(hold.placedAt).toISOString() },
    ...waiting.flatMap(({ part, requestedAt }): Fact[] => {
      const asked = parts.find((each) => each === part);
      return asked === undefined
        ? []
        : [{ kind: "redaction_waiting", part: asked, requested_at: requestedAt.toISOString() }];
    }),
  ];
}

/** Facts from the key's record. */
async function ofKey({ organizationId }: Scope, event: AuditEvent): Promise<Fact[]> {
  const { api_key } = event.authentication ?? NO_AUTHENTICATION;
  if (api_key === null || event.client === null) return [];
  const key = await db().apiKey.findUnique({ where: { organizationId_id: { organizationId, id: api_key.id } } });
  if (key === null) return [];
  const facts: Fact[] = [];
  const { ipWhitelist, revokedAt, expiresAt } = key;
  if (event.security.flags.includes("ip_not_allowed")) {
    const allowed_now = !refusedBy(ipWhitelist)(event.client.ip_address);
    facts.push({ kind: "outside_whitelist", ip_whitelist: ipWhitelist, allowed_now });
  }
  if (revokedAt !== null) facts.push({ kind: "key_since", status: "revoked", at: revokedAt.toISOString() });
  else if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    facts.push({ kind: "key_since", status: "expired", at: expiresAt.toISOString() });
  }
  return facts;
}

async function firstFromAddress(scope: Scope, event: AuditEvent): Promise<Fact[]> {
  const { ip_address } = event.client ?? NO_CLIENT;
  const caller = callerOf(event);
  if (caller === null || ip_address === null) return [];
  const earlier = await listEvents(scope, {
    limit: 1,
    cursor: undefined,
    order: "asc",
    ...caller,
    ip: only(ip_address),
  });
  if (earlier.items[0]?.id !== event.id) return [];
  // A hold may keep older events, but perhaps not all of them.
  const of = event.authentication?.api_key ? "api_key" : "user";
  return [{ kind: "first_from_address", of, kept_since: new Date(scope.oldest).toISOString() }];
}

async function slow(scope: Scope, { request, response, occurred_at }: AuditEvent): Promise<Fact[]> {
  const took = response.response_time_ms;
  if (!request?.route || took === null) return [];
  const at = Date.parse(occurred_at);
  const { totals, response_time_ms } = await figuresOf(scope, {
    interval: "day",
    since: at - DAY_MS,
    until: at,
    route: only(request.route),
    method: only(request.method),
  });
  const { p95 } = response_time_ms;
  if (p95 === null || totals.requests < MIN_COMPARED || took <= SLOW_FACTOR * p95) return [];
  return [{ kind: "slow", p95_ms: p95, compared: totals.requests }];
}

function nearLimit({ authentication, request, security }: AuditEvent): Fact[] {
  const remaining = security.rate_limit_remaining;
  if (remaining === null || authentication?.type !== "api_key" || request === null) return [];
  const group = groupOf((request.route ?? "").replace(API_PREFIX, ""));
  const limit = groupLimits[group];
  return remaining <= NEAR_LIMIT_SHARE * limit ? [{ kind: "near_limit", remaining, limit, group }] : [];
}

function fromTheFuture({ occurred_at }: AuditEvent): Fact[] {
  return Date.parse(occurred_at) > Date.now() + MAX_CLOCK_SKEW_MS ? [{ kind: "from_the_future" }] : [];
}
