import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { isSecurityEvent } from "@/lib/audit-logs/flags";
import { storable } from "@/lib/audit-logs/storable";

/** What a token begins with, by what it says. One inverted index over them answers every filter. */
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
} as const;

/** Kinds of which an event has exactly one: of these values, or the empty one for none of them. What is not one is another. */
export const closed = {
  method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  statusClass: ["1", "2", "3", "4", "5"],
  authType: ["api_key", "session", "anonymous", "system"],
} as const;
const NONE = "";

/** The tokens of everything but these values; null where the kind has values that nobody has listed. */
export function othersThan(kind: keyof typeof closed, values: readonly string[]): string[] | null {
  const listed: readonly string[] = closed[kind];
  if (!values.every((value) => listed.includes(value))) return null;
  return [...listed.filter((value) => !values.includes(value)), NONE].map((value) => token(kind, value));
}

/** Prefix lengths at which an address's networks are indexed; see where.ts for the others. */
export const networkPrefixes = { ipv4: [8, 16, 24], ipv6: [32, 48, 64] } as const;

const LONGEST = 200;

/** The token of one value. Long values are hashed: an index entry must fit its page. */
export function token(kind: keyof typeof kinds, value: string | number): string {
  const text = storable(String(value));
  if (text.length <= LONGEST) return `${kinds[kind]}:${text}`;
  return `${kinds[kind]}#${createHash("sha256").update(text).digest("base64url")}`;
}

/** `/a/b/c` → `/a/`, `/a/b/`: what a path can be asked for by prefix, at most eight deep. */
export function pathPrefixes(path: string): string[] {
  const prefixes: string[] = [];
  for (let end = path.indexOf("/", 1); end !== -1 && prefixes.length < 8; end = path.indexOf("/", end + 1)) {
    prefixes.push(path.slice(0, end + 1));
  }
  return prefixes;
}

const SLOWEST = 31;

/** How slow, in doublings of a microsecond: 0 … 31. A filter for "at least" asks for its own step and every one above. */
export function slowness(microseconds: number): number {
  return microseconds < 1 ? 0 : Math.min(SLOWEST, Math.floor(Math.log2(microseconds)));
}

/** The steps of events that may have taken this long or longer. */
export function slownessFrom(microseconds: number): number[] {
  const first = slowness(microseconds);
  return Array.from({ length: SLOWEST - first + 1 }, (_, index) => first + index);
}

/** The network of an address at a prefix length, as `10.0.0.0/8`. */
export function networkOf(address: string, prefix: number): string {
  const kind = ipaddr.parse(address).kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`;
}

/** Every token of an event. */
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
  add("resourceId", row.resource_id);
  add("action", row.action);
  if (row.ip_address !== null) {
    add("ip", row.ip_address);
    for (const prefix of networkPrefixes[ipaddr.parse(row.ip_address).kind()]) {
      add("network", networkOf(row.ip_address, prefix));
    }
  }
  return tokens;
}
