import ipaddr from "ipaddr.js";
import type { Choice, Filters } from "@/lib/audit-logs/filters";
import { storable } from "@/lib/audit-logs/storable";
import {
  type kinds,
  networkOf,
  networkPrefixes,
  othersThan,
  pathPrefixes,
  slownessFrom,
  token,
} from "@/lib/audit-logs/tokens";
import { neverInDashboard } from "@/lib/audit-logs/via";
import { formatNetwork, parseNetwork } from "@/lib/networks";

/** SQL conditions under construction: text with numbered parameters. */
export class Conditions {
  private readonly parts: string[] = [];

  /** With the values of others, for conditions that are a part of theirs. */
  constructor(readonly values: unknown[] = []) {}

  /** Adds a value and returns its placeholder. */
  value(value: unknown): string {
    this.values.push(typeof value === "string" ? storable(value) : value);
    return `$${this.values.length}`;
  }

  add(condition: string): void {
    this.parts.push(condition);
  }

  toString(): string {
    return this.parts.map((part) => `(${part})`).join(" AND ");
  }
}

/** The condition for one value of a filter: a token for the index, and an additional check if the token is not exact. */
interface Term {
  token: string | null;
  check?: string;
}

/** SQL: events of most logs are not of the dashboard, which their list leaves out. */
export const isNotOfDashboard = `auth_type IN (${neverInDashboard.map((type) => `'${type}'`).join(", ")})`;

type TokenKind = keyof typeof kinds;

/** Adds the conditions of filters, without `since` and `until`. Their conjunction is never null. */
export function addFilters(all: Conditions, filters: Filters): void {
  const choose = (
    chosen: Choice | undefined,
    term: (value: string) => Term | Term[],
    others: (values: string[]) => string[] | null = () => null,
    /** SQL of an alternative that is faster to check than excluded tokens. */
    unless = "",
  ) => {
    if (chosen === undefined) return;
    if (chosen.include.length > 0) all.add(anyOf(all, chosen.include.flatMap(term)));
    if (chosen.exclude.length === 0) return;
    // An index finds existing tokens, not missing ones: if all possible values are known, query the others.
    const rest = others(chosen.exclude);
    if (rest === null) all.add(`${unless}NOT (${anyOf(all, chosen.exclude.flatMap(term))})`);
    else all.add(`tokens && ${all.value(rest)}::text[]`);
  };
  const exactly = (kind: TokenKind) => (value: string) => ({ token: token(kind, value) });

  if (filters.id !== undefined) {
    const { include, exclude } = filters.id;
    if (include.length > 0) all.add(`id = ANY(${all.value(include)}::uuid[])`);
    if (exclude.length > 0) all.add(`id <> ALL(${all.value(exclude)}::uuid[])`);
  }
  // Where PostgreSQL reads rows rather than an index, it checks them in this order: those that few events meet come first.
  choose(filters.resource_id, exactly("resourceId"));
  choose(filters.trace_id, exactly("trace"));
  choose(filters.api_key_id, exactly("apiKey"));
  choose(filters.user_id, exactly("user"));
  choose(filters.ip, (value) => addressTerms(all, value));
  choose(filters.action, exactly("action"));
  choose(filters.resource_type, exactly("resourceType"));
  choose(filters.flag, exactly("flag"));
  choose(filters.error_code, exactly("errorCode"));
  choose(filters.path, (value) => pathTerm(all, value));
  choose(filters.route, exactly("route"));
  choose(filters.country, exactly("country"));
  choose(filters.user_agent, (value) => userAgentTerm(all, value));
  choose(
    filters.status,
    (value) => ({ token: value.endsWith("xx") ? token("statusClass", value.charAt(0)) : token("status", value) }),
    (values) =>
      othersThan(
        "statusClass",
        values.map((value) => value.replace(/xx$/, "")),
      ),
  );
  choose(filters.method, exactly("method"), (values) => othersThan("method", values));
  choose(filters.auth_type, exactly("authType"), (values) => othersThan("authType", values));
  choose(filters.via, exactly("via"), undefined, `${isNotOfDashboard} OR `);
  if (filters.security_event !== undefined) {
    all.add(`${filters.security_event ? "" : "NOT "}tokens @> ${all.value([token("security", 1)])}::text[]`);
  }
  if (filters.min_response_time_ms !== undefined) {
    // Rounded first: 16.1 * 1000 is slightly more than 16100.
    const least = Math.ceil(Number((filters.min_response_time_ms * 1000).toFixed(3)));
    const steps = slownessFrom(least).map((step) => token("slowness", step));
    all.add(`tokens && ${all.value(steps)}::text[] AND response_time_us >= ${all.value(least)}::bigint`);
  }
  if (filters.q !== undefined) {
    all.add(hasText(all, filters.q));
  }
}

/** Never null, so that its negation matches exactly the other events. */
function anyOf(all: Conditions, terms: Term[]): string {
  const plain = terms.flatMap(({ token, check }) => (token !== null && check === undefined ? [token] : []));
  const checked = terms.flatMap(({ token, check }) => {
    if (check === undefined) return [];
    return [token === null ? `(${check})` : `(tokens @> ${all.value([token])}::text[] AND ${check})`];
  });
  const overlap = plain.length > 0 ? [`tokens && ${all.value(plain)}::text[]`] : [];
  return [...overlap, ...checked].join(" OR ");
}

/** Whether any of the free-text columns contains the text, case-insensitive. */
function hasText(all: Conditions, text: string): string {
  const pattern = all.value(`%${text.replace(/[\\%_]/g, "\\$&")}%`);
  return `audit_text(path, query, user_agent, error_message) ILIKE ${pattern}`;
}

function pathTerm(all: Conditions, value: string): Term {
  if (!value.endsWith("*")) return { token: token("path", value) };
  const prefix = value.slice(0, -1);
  const whole = pathPrefixes(prefix).at(-1);
  if (whole === prefix) return { token: token("pathPrefix", whole) };
  // Tokens end at a segment; the index of text covers the rest of the prefix. Its trigrams before that are in nearly every event.
  const rest = prefix.slice((whole ?? "/").length - 1);
  const check = `coalesce(starts_with(path, ${all.value(prefix)}), false) AND ${hasText(all, rest)}`;
  return { token: whole === undefined ? null : token("pathPrefix", whole), check };
}

/** Characters at the end of a user agent by which the index of text finds it; browsers begin alike. */
const INDEXED_END = 24;

function userAgentTerm(all: Conditions, value: string): Term {
  const end = Array.from(value).slice(-INDEXED_END).join("");
  return { token: null, check: `coalesce(user_agent = ${all.value(value)}, false) AND ${hasText(all, end)}` };
}

function addressTerms(all: Conditions, value: string): Term[] {
  const [address, prefix] = parseNetwork(value);
  const parts = networkParts(address, prefix);
  if (parts !== null) return parts.map((part) => ({ token: part }));
  const indexed = networkPrefixes[address.kind()].filter((length) => length <= prefix).at(-1);
  const found = indexed === undefined ? null : token("network", networkOf(address.toString(), indexed));
  const network = formatNetwork([address, prefix]);
  return [{ token: found, check: `coalesce(ip_address <<= ${all.value(network)}::inet, false)` }];
}

/** A network is queried by the indexed networks or addresses in it if they are at most this many bits longer. */
const MAX_BITS = 6;

/** The tokens of the indexed networks or addresses that make up a network; null if there would be too many. */
function networkParts(address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number): string[] | null {
  const bytes = address.toByteArray();
  const whole = bytes.length * 8;
  const length = [...networkPrefixes[address.kind()], whole].find(
    (each) => each >= prefix && each - prefix <= MAX_BITS,
  );
  if (length === undefined) return null;
  return Array.from({ length: 2 ** (length - prefix) }, (_, index) => {
    const part = [...bytes];
    const last = length / 8 - 1;
    part[last] = (part[last] ?? 0) | index;
    const text = ipaddr.fromByteArray(part).toString();
    return length === whole ? token("ip", text) : token("network", networkOf(text, length));
  });
}
