import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { Flag } from "@/lib/audit-logs/flags";
import type { Entry } from "@/lib/audit-logs/write/append";
import type { Action } from "@/lib/http/actions";
import { idAt } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

/** A small fast random number generator (mulberry32): the same seed gives the same events. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const DAYS = 90;
const ORGANIZATIONS = 200;

const routes: [method: string, route: string, action: Action, weight: number][] = [
  ["GET", "/api/v1/certificates", "certificate.list", 40],
  ["GET", "/api/v1/certificates/{id}", "certificate.get", 15],
  ["GET", "/api/v1/certificates/endpoints", "certificate_endpoint.list", 14],
  ["GET", "/api/v1/audit-logs", "audit_log.list", 12],
  ["GET", "/api/v1/api-keys", "api_key.list", 6],
  ["POST", "/api/v1/certificates/endpoints", "certificate_endpoint.create", 5],
  ["PUT", "/api/v1/certificates/endpoints/{id}", "certificate_endpoint.update", 3],
  ["DELETE", "/api/v1/certificates/endpoints/{id}", "certificate_endpoint.delete", 2],
  ["POST", "/api/v1/api-keys", "api_key.create", 2],
  ["POST", "/api/v1/api-keys/{id}/rotate", "api_key.rotate", 1],
];
const outcomes: [status: number, code: string | null, flag: Flag | null, weight: number][] = [
  [200, null, null, 930],
  [404, "NOT_FOUND", null, 25],
  [400, "INVALID_REQUEST", null, 15],
  [429, "RATE_LIMITED", "rate_limited", 15],
  [401, "API_KEY_REVOKED", "rotated_secret", 6],
  [403, "METHOD_NOT_ALLOWED", "method_not_allowed", 5],
  [403, "IP_NOT_ALLOWED", "ip_not_allowed", 3],
  [500, "INTERNAL_ERROR", null, 1],
];
const agents = [
  "curl/8.11.0",
  "python-requests/2.32.3",
  "Go-http-client/2.0",
  "terraform-provider/1.9",
  "prometheus/3.1",
];
const countries = ["DE", "US", "NL", "FR", "GB", "JP", "BR", null];

function weighted<Choice extends readonly unknown[]>(choices: readonly Choice[], next: () => number): Choice {
  const weightOf = (choice: Choice) => choice.at(-1) as number;
  let at = next() * choices.reduce((sum, choice) => sum + weightOf(choice), 0);
  for (const choice of choices) {
    at -= weightOf(choice);
    if (at < 0) return choice;
  }
  return choices[0] as Choice;
}

/** Skewed towards 0: a few keys and addresses do most of the work. */
const skewed = (count: number, next: () => number) => Math.floor(count * next() ** 3);

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
const uuid = (kind: string, owner: number, number: number) =>
  `0193a1f4-${kind}-7a02-8b41-${hex(owner, 4)}${hex(number, 8)}`;

/** The organization with half of all events. */
export const LARGEST = organizationId(0);

function organizationId(number: number): string {
  return uuid("0000", 0, number);
}

export function keyId(organization: number, key: number): string {
  return uuid("0001", organization, key);
}

/** The time over which events are spread, in milliseconds: nearly all of the 90 days. */
const SPAN_MS = DAYS * DAY_MS - DAY_MS / 2;

/** `count` events of the time `spanMs` before `end` (Unix milliseconds), in chronological order; `share` of them are of the largest organization. */
export function* events(count: number, end: number, spanMs = SPAN_MS, seed = 1, share = 0.5): Generator<Entry> {
  const next = random(seed);
  const start = end - spanMs;
  const step = spanMs / count;
  for (let number = 0; number < count; number++) yield event(start + number * step, number, next, share);
}

function event(time: number, number: number, next: () => number, share: number): Entry {
  const organization = next() < share ? 0 : 1 + Math.floor(next() * (ORGANIZATIONS - 1));
  const key = skewed(40, next);
  // Each key has its own addresses.
  const address = key * 75 + skewed(75, next);
  const [method, route, action] = weighted(routes, next);
  const [status, code, flag] = weighted(outcomes, next);
  const resource = route.includes("{id}") ? uuid("0002", organization, skewed(5_000, next)) : null;
  const body =
    method === "GET" || next() < 0.3 ? null : Buffer.from(`{"host":"host-${skewed(5_000, next)}.example.com"}`);
  const { row } = new AuditEventDraft({
    organization_id: organizationId(organization),
    retention_days: 365,
    id: `${idAt(time).slice(0, 14)}7${hex(number % 4_096, 3)}-8${hex(Math.floor(next() * 4_096), 3)}-${hex(Math.floor(next() * 2 ** 47), 12)}`,
    method,
    path: route.replace("{id}", resource ?? ""),
    route,
    query:
      method === "GET" && next() < 0.4
        ? `limit=${50 + skewed(150, next)}&cursor=${hex(Math.floor(next() * 2 ** 40), 10)}`
        : null,
    body_size: method === "GET" ? null : (body?.length ?? 0),
    content_type: body ? "application/json" : null,
    auth_type: "api_key",
    api_key_id: keyId(organization, key),
    api_key_name: `key-${key}`,
    api_key_hint: `sw_${hex(key, 2)}…${hex(key, 4)}`,
    status_code: status === 200 && method === "POST" ? 201 : status,
    response_time_us: Math.round(1_500 * Math.exp(next() * 4)),
    error_code: code,
    error_message: code === null ? null : `The request was refused: ${code}.`,
    ip_address: `203.${organization % 200}.${address >> 8}.${address & 255}`,
    user_agent: agents[key % agents.length] ?? null,
    country: countries[address % countries.length] ?? null,
    rate_limit_remaining: Math.floor(next() * 100),
    flags: flag === null ? [] : [flag],
    resource_type: action.slice(0, action.indexOf(".")),
    resource_id: resource,
    action,
  });
  return { row, body };
}
