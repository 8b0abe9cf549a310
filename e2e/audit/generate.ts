import { createHash } from "node:crypto";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { v7 } from "uuid";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { type Flag, flags } from "@/lib/audit-logs/flags";
import { viaValues } from "@/lib/audit-logs/via";

const addresses = {
  4: ["10.0.0.1", "10.0.0.2", "10.0.1.1", "10.9.8.7", "172.16.3.4", "192.0.2.255", "203.0.113.9", "255.255.255.255"],
  6: ["::1", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::", "2001:db8:ffff::7", "2001:dead:beef::1", "fe80::a:b:c:d"],
};
const long = (text: string) => `/${text.repeat(120)}/end`;

/** A UUID that depends on `name` alone. */
const uuidOf = (name: string) =>
  createHash("md5")
    .update(name)
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");

/** The values of generated events and filters: few, so that they match, and unusual if allowed. */
const pools = {
  method: ["GET", "POST", "PUT", "DELETE", "OPTIONS"],
  path: [
    "/",
    "//",
    "/api/v1/certificates",
    "/api/v1/Certificates",
    "/api/v1/certificates/endpoints",
    "/api/v1/api-keys/0193",
    "/api/v1/a_b/100%25",
    "/api/v1/axb/100%26",
    "/back\\slash/'quote\"",
    "/über/Straße/É",
    "/1/2/3/4/5/6/7/8/9/10/11",
    long("ab"),
    long("é\\"),
  ],
  route: ["/api/v1/certificates", "/api/v1/api-keys/{id}", "/api/v1/audit-logs", "/odd {route} 'x'"],
  query: ["", "limit=5", "q=50%25_off", "Q=50%25-OFF", "a=\\&b=%5C", "name=Ünïcode"],
  error_code: ["INVALID_REQUEST", "NOT_FOUND", "RATE_LIMITED", "INTERNAL_ERROR"],
  auth_type: ["api_key", "session", "anonymous", "system"],
  api_key_id: ["one", "two", "three"].map(uuidOf),
  user_id: ["ann", "bob"].map(uuidOf),
  country: ["DE", "FR", "US"],
  flag: [...flags],
  resource_type: ["api_key", "certificate", "audit_log"],
  resource_id: [uuidOf("resource"), "not an id", "x".repeat(300), "back\\slash", 'quote"s', "{braces}"],
  action: ["api_key.list", "api_key.create", "certificate.list", "audit_log.export_finished", "alert_rule.preview"],
  user_agent: ["curl/8.5.0", "Mozilla/5.0 (X11; Linux) 100%_\\", "Mozilla/5.0 (KHTML, like Gecko)", "ÉCOLE-client", ""],
  error_message: ["Not found: 100% sure_", "the MESSAGE\nof two lines", "nothing\\here"],
} as const;

const statuses = [200, 201, 204, 301, 304, 400, 401, 403, 404, 429, 499, 500, 503];
const tags = fc.uint8Array({ minLength: 16, maxLength: 16 });

/** A UUIDv7 of an instant; its other bits come from `random`. */
export function idAtTime(time: number, random: Uint8Array): string {
  return v7({ msecs: time, random, seq: Buffer.from(random).readInt32BE(0) & 0x7fff_ffff });
}

const or = <Value>(values: readonly Value[], empty = 1) =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, { weight: empty, arbitrary: fc.constant(null) });

const requestPart = fc.record({
  method: fc.constantFrom(...pools.method),
  path: fc.constantFrom(...pools.path),
  route: or(pools.route),
  query: or(pools.query),
  body_size: fc.constantFrom(null, 0, 17),
  content_type: fc.constantFrom(null, "application/json"),
  status_code: fc.constantFrom(...statuses),
  error_code: or(pools.error_code, 4),
  error_message: or(pools.error_message, 4),
  rate_limit_remaining: fc.constantFrom(null, 0, 29),
});

const anyPart = fc.record({
  auth_type: fc.constantFrom(...pools.auth_type),
  api_key_id: or(pools.api_key_id),
  user_id: or(pools.user_id, 3),
  ip_address: or([...addresses[4], ...addresses[6]]),
  user_agent: or(pools.user_agent),
  country: or(pools.country, 2),
  response_time_us: fc.oneof(
    fc.integer({ min: 1, max: 60_000 }),
    fc
      .double({ min: 0, max: Math.log(86_400_000_000), noNaN: true })
      .map((x) => Math.min(2 ** 31 - 1, Math.ceil(Math.exp(x)))),
    fc.constant(null),
  ),
  flags: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Flag[]>([]) },
    { weight: 1, arbitrary: fc.constant<Flag[]>(["interrupted"]) },
    { weight: 2, arbitrary: fc.uniqueArray(fc.constantFrom(...flags), { minLength: 1, maxLength: 3 }) },
  ),
  resource_type: or(pools.resource_type),
  resource_id: or(pools.resource_id),
  action: or(pools.action),
  details: fc.constantFrom(null, null, { via: "dashboard" }, { via: "dashboard", repeats: "x" }, { plan: "free" }),
});

/** Events of an organization at given times; a few are not requests. */
export function anyEvent(
  organizationId: string,
  retentionDays: number,
  time: fc.Arbitrary<number>,
): fc.Arbitrary<AuditRow> {
  const request = fc.oneof({ weight: 9, arbitrary: requestPart }, { weight: 1, arbitrary: fc.constant({}) });
  return fc.tuple(time, tags, request, anyPart).map(([at, random, requested, rest]) => {
    const known = { organization_id: organizationId, retention_days: retentionDays, id: idAtTime(at, random) };
    return new AuditEventDraft({ ...known, ...requested, ...rest }).row;
  });
}

/** One or several values, some negated, as the query string has them. */
function choice(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const one = fc.tuple(fc.constantFrom("", "", "!"), value).map(([not, text]) => `${not}${text}`);
  return fc.oneof(
    one,
    fc.array(one, { minLength: 1, maxLength: 4 }).map((values) => values.join(",")),
  );
}

const of = (values: readonly string[], ...absent: string[]) => choice(fc.constantFrom(...values, ...absent));

const network = fc
  .oneof(
    fc.tuple(fc.constantFrom(...addresses[4]), fc.integer({ min: 0, max: 32 })),
    fc.tuple(fc.constantFrom(...addresses[6]), fc.integer({ min: 0, max: 128 })),
  )
  .map(([address, prefix]) => {
    const kind = address.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
    return `${kind.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`;
  });
const address = fc.constantFrom(...addresses[4], ...addresses[6], "198.51.100.1");
const mapped = fc.constantFrom("::ffff:10.0.0.1", "::ffff:10.0.0.0/104", "::ffff:0.0.0.0/96");

const path = fc
  .tuple(fc.constantFrom(...pools.path, "/none"), fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([whole, isPrefix, share]) =>
    isPrefix ? `${whole.slice(0, 1 + Math.floor(share * (whole.length - 1)))}*` : whole,
  );

const texts = [...pools.path, ...pools.query, ...pools.user_agent, ...pools.error_message].filter(Boolean);
const q = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.nat(),
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom("same", "upper", "lower"),
  )
  .map(([text, at, length, as]) => {
    const part = text.slice(at % text.length).slice(0, length);
    return as === "same"
      ? part
      : as === "upper"
        ? part.replace(/[a-zéü]/g, (c) => c.toUpperCase())
        : part.toLowerCase();
  })
  .filter((text) => !/\p{Cc}/u.test(text));

/** Filters as query parameters: any of the contract's, alone and combined. `times` are interesting instants. */
export function anyFilters(times: readonly number[]): fc.Arbitrary<Record<string, string>> {
  const instant = fc
    .tuple(fc.constantFrom(...times), fc.constantFrom(-1, 0, 0, 1, 3_600_000))
    .map(([time, off]) => new Date(time + off).toISOString())
    .chain((text) => fc.constantFrom(text, text, text.replace("Z", "456Z"), text.replace("Z", "000Z")));
  const filters = {
    since: instant,
    until: instant,
    method: of(pools.method, "PATCH"),
    path: choice(path),
    route: of(pools.route, "/none"),
    status: of(statuses.map(String), "2xx", "3xx", "4xx", "5xx", "418"),
    error_code: of(pools.error_code, "CONFLICT"),
    auth_type: of(pools.auth_type),
    api_key_id: of(pools.api_key_id, uuidOf("nobody's")),
    user_id: of(pools.user_id, uuidOf("nobody's")),
    ip: choice(fc.oneof({ weight: 4, arbitrary: network }, { weight: 2, arbitrary: address }, mapped)),
    country: of(pools.country, "JP"),
    // Commas and backslashes of a value are escaped in the query string.
    user_agent: of(
      pools.user_agent.filter(Boolean).map((agent) => agent.replace(/[\\,]/g, "\\$&")),
      "nobody/1.0",
    ),
    flag: of(pools.flag),
    security_event: fc.constantFrom("true", "false"),
    resource_type: of(pools.resource_type, "member"),
    resource_id: of(pools.resource_id, "none"),
    action: of(pools.action, "member.add"),
    via: of(viaValues),
    min_response_time_ms: fc.oneof(
      fc.integer({ min: 1, max: 60_000 }).map((us) => String(us / 1000)),
      fc.constantFrom("0", "1000", "16.1", "86400000"),
    ),
    q,
  };
  const names = Object.keys(filters) as (keyof typeof filters)[];
  // One to three filters: more would match nothing.
  return fc
    .tuple(fc.shuffledSubarray(names, { minLength: 0, maxLength: 3 }), fc.record(filters))
    .map(([chosen, values]) => Object.fromEntries(chosen.map((name) => [name, values[name]])))
    .filter(({ since = "1970", until = "9999" }) => Date.parse(since) + 1 < Date.parse(until));
}
