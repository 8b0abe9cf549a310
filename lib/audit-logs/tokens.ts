import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { isSecurityEvent } from "@/lib/audit-logs/flags";
import { storable } from "@/lib/audit-logs/storable";
import { viaOf } from "@/lib/audit-logs/via";

/** The prefix of each kind of token. One inverted index over the tokens answers all filters. */
export const kinds = {
  method: "m",
  path: "p",
  pathPrefix: "P",
  route: "r",
  status: "s",
  statusClass: "S",
  errorCode: "e",
  authType: "t",
  apiKey: "k",
  user: "u",
  ip: "i",
  network: "n",
  country: "c",
  flag: "f",
  security: "x",
  resourceType: "y",
  resourceId: "z",
  action: "a",
  slowness: "l",
  via: "v",
  trace: "T",
} as const;

/** Kinds of which an event has exactly one token: one of these values, or the empty value. Excluding a value means including the others. */
export const closed = {
  method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  statusClass: ["1", "2", "3", "4", "5"],
  authType: ["api_key", "session", "anonymous", "system"],
} as const;
const NONE = "";

/** The tokens of all other values; null if the values of the kind are not all known. */
export function othersThan(kind: keyof typeof closed, values: readonly string[]): string[] | null {
  const listed: readonly string[] = closed[kind];
  if (!values.every((value) => listed.includes(value))) return null;
  return [...listed.filter((value) => !values.includes(value)), NONE].map((value) => token(kind, value));
}

/** Prefix lengths at which the networks of an address are indexed; conditions.ts handles other lengths. */
export const networkPrefixes = { ipv4: [8, 16, 24], ipv6: [32, 48, 64] } as const;

const MAX_VALUE_LENGTH = 200;

/** The token of one value. Long values are hashed, because an index entry must fit into a page. */
export function token(kind: keyof typeof kinds, value: string | number): string {
  const text = storable(String(value));
  if (text.length <= MAX_VALUE_LENGTH) return `${kinds[kind]}:${text}`;
  return `${kinds[kind]}#${createHash("sha256").update(text).digest("base64url")}`;
}

/** `/a/b/c` → `/a/`, `/a/b/`: the prefixes by which a path can be found, up to eight levels deep. */
export function pathPrefixes(path: string): string[] {
  const prefixes: string[] = [];
  for (let end = path.indexOf("/", 1); end !== -1 && prefixes.length < 8; end = path.indexOf("/", end + 1)) {
    prefixes.push(path.slice(0, end + 1));
  }
  return prefixes;
}

const SLOWEST = 31;

/** Response time as a power of two in microseconds: 0 … 31. An "at least" filter queries its own step and all above. */
function slowness(microseconds: number): number {
  return microseconds < 1 ? 0 : Math.min(SLOWEST, Math.floor(Math.log2(microseconds)));
}

/** The steps of events that may have taken at least this long. */
export function slownessFrom(microseconds: number): number[] {
  const first = slowness(microseconds);
  return Array.from({ length: SLOWEST - first + 1 }, (_, index) => first + index);
}

/** The network of an address at a prefix length, as `10.0.0.0/8`. */
export function networkOf(address: string, prefix: number): string {
  const kind = ipaddr.parse(address).kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`;
}

/** The other resources that the request changed, so that it belongs to their histories. */
function otherResourceIds({ details }: AuditRow): string[] {
  const ids = details?.resource_ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** All tokens of an event. */
export function tokensOf(row: AuditRow): string[] {
  const tokens: string[] = [token("authType", row.auth_type)];
  const add = (kind: keyof typeof kinds, value: string | number | null) => {
    if (value !== null) tokens.push(token(kind, value));
  };
  const isListed = (kind: keyof typeof closed, value: string) => (closed[kind] as readonly string[]).includes(value);
  add("method", row.method);
  if (!isListed("method", row.method ?? "")) add("method", NONE);
  add("path", row.path);
  for (const prefix of pathPrefixes(row.path ?? "")) add("pathPrefix", prefix);
  add("route", row.route);
  add("status", row.status_code);
  const statusClass = String(Math.floor((row.status_code ?? 0) / 100));
  add("statusClass", isListed("statusClass", statusClass) ? statusClass : NONE);
  if (row.response_time_us !== null) add("slowness", slowness(row.response_time_us));
  add("errorCode", row.error_code);
  add("apiKey", row.api_key_id);
  add("user", row.user_id);
  add("country", row.country);
  for (const flag of row.flags) add("flag", flag);
  if (isSecurityEvent(row.flags)) add("security", 1);
  add("resourceType", row.resource_type);
  for (const id of new Set([row.resource_id, ...otherResourceIds(row)])) add("resourceId", id);
  add("action", row.action);
  for (const via of viaOf(row)) add("via", via);
  const traceId = row.details?.trace_id;
  if (typeof traceId === "string") add("trace", traceId);
  if (row.ip_address !== null) {
    add("ip", row.ip_address);
    for (const prefix of networkPrefixes[ipaddr.parse(row.ip_address).kind()]) {
      add("network", networkOf(row.ip_address, prefix));
    }
  }
  return tokens;
}
