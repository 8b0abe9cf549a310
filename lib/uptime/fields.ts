import * as z from "zod";
import { id, name, WRITE_ONLY } from "@/lib/http/endpoint";
import { whole } from "@/lib/http/schemas/whole-number";
import { assertionFields, headerName, wantedText } from "@/lib/uptime/assertions";
import { type Authentication, authentication, authenticationFault } from "@/lib/uptime/authentication";
import { type DnsSettings, dnsSettings, parseLookup, parseResolver } from "@/lib/uptime/dns";
import { type IpVersion, ipVersions, methods, monitorTypes } from "@/lib/uptime/methods";
import { type PingSettings, pingSettings, USUAL_PING } from "@/lib/uptime/ping";
import { serverChecks } from "@/lib/uptime/server-checks";
import { checkedHost, ipVersionOf } from "@/lib/uptime/target";
import { type TcpSettings, tcpSettings } from "@/lib/uptime/tcp";

const MAX_INTERVAL_SECONDS = 86_400;
const MAX_PERIOD_SECONDS = 366 * 86_400;

/** Headers that the connection sets itself; a custom value would break it. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "transfer-encoding", "upgrade", "expect", "te"]);

const headers = z
  .record(
    headerName.refine(
      (header) => !OWN_HEADERS.has(header.toLowerCase()),
      "is set by the connection and cannot be customized",
    ),
    z
      .string()
      .max(2000, "must have at most 2000 characters")
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must not contain control characters"),
  )
  .refine((all) => Object.keys(all).length <= 20, "must have at most 20 headers")
  .describe(`Sent with each check. Header values: ${WRITE_ONLY}`);

const expectedStatus = z
  .array(z.string().regex(/^[1-5](xx|\d\d)$/, "must be a status like 204 or a class like 2xx"))
  .min(1, "must have at least one entry")
  .max(20, "must have at most 20 entries")
  .describe("A response with any of these statuses succeeds: `204`, or a class like `2xx`.");

/** One tag of a monitor. */
export const tag = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,49}$/u, "must be 1 to 50 letters, digits and _ . : / -");
export const MAX_TAGS = 20;
const tags = z
  .array(tag)
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .transform((all) => [...new Set(all)].sort());

/** The fields of a monitor's input. */
export const fields = {
  name,
  type: z.enum(monitorTypes),
  target: z
    .string()
    .max(2000, "must have at most 2000 characters")
    .describe(
      "http: a URL with http or https. tcp: `host:port`. dns: a name, for PTR also an address. ping: a name or an address. heartbeat: empty.",
    ),
  method: z.enum(methods).describe("http only."),
  headers,
  authentication,
  request_body: z
    .string()
    .max(16_384, "must have at most 16384 characters")
    .nullable()
    .describe(
      "http only, not for GET and HEAD. Sent as it is, with the `content-type` of `headers`. Everybody in the organization can read it.",
    ),
  expected_status: expectedStatus,
  expected_text: wantedText.nullable().describe("Text that the first MiB of the body must contain."),
  ...assertionFields,
  follow_redirects: z
    .boolean()
    .describe("Follows up to five redirects; each address must be permitted like the first."),
  trust_store_id: id
    .nullable()
    .describe(
      "https, and tcp with `tls`. A trust store to trust in addition to the public roots; null to trust only these.",
    ),
  verify_tls: z
    .boolean()
    .describe(
      "https, and tcp with `tls`. With `false`, any certificate is accepted: expired, for another name, or from an unknown authority. Also for redirects.",
    ),
  dns: dnsSettings.nullable().describe("dns only, where it is required. What is asked and expected."),
  tcp: tcpSettings.nullable().describe("tcp only. TLS, and what is sent and expected; null to only connect."),
  ping: pingSettings.nullable().describe("ping only. Packets and accepted loss; null for the usual ones."),
  ip_version: z
    .enum(ipVersions)
    .describe(
      "`4` and `6` connect only to IPv4 or IPv6 addresses of the target and of redirects, and fail without any. http, tcp and ping only.",
    ),
  interval_seconds: whole(30, MAX_PERIOD_SECONDS).describe(
    "Time between checks, at most a day. heartbeat: the time between calls, at most 366 days.",
  ),
  grace_seconds: whole(0, MAX_INTERVAL_SECONDS).describe("heartbeat only. How late a call may be."),
  timeout_seconds: whole(1, 30),
  failure_threshold: whole(1, 10).describe(
    "Consecutive failed checks after which the monitor is down. Not for heartbeats, which are down when a call is late.",
  ),
  recovery_threshold: whole(1, 10).describe(
    "Consecutive successful checks after which the monitor is up again. Not for heartbeats.",
  ),
  tags,
  paused: z.boolean(),
};

const defaults = {
  method: "GET",
  headers: {},
  request_body: null,
  expected_status: ["2xx"],
  expected_text: null,
  follow_redirects: true,
  trust_store_id: null,
  verify_tls: true,
  ip_version: "any",
  interval_seconds: 60,
  grace_seconds: 300,
  timeout_seconds: 10,
  failure_threshold: 2,
  recovery_threshold: 1,
  tags: [],
  paused: false,
} as const;

interface Whole {
  type: (typeof monitorTypes)[number];
  target: string;
  method: string;
  headers: Record<string, string>;
  authentication: Authentication;
  request_body: string | null;
  dns: DnsSettings | null;
  tcp: TcpSettings | null;
  ping: PingSettings | null;
  ip_version: IpVersion;
  interval_seconds: number;
  timeout_seconds: number;
}

/** Adds issues for fields that do not fit each other, as far as each is sound itself, so that one answer names all faults. */
function checkWhole(whole: Whole, context: z.core.$RefinementCtx<Whole>): void {
  const faulty = new Set(context.issues.map(({ path }) => path?.[0]));
  const areSound = (...names: (keyof Whole)[]) => !names.some((name) => faulty.has(name));
  const issue = (path: keyof Whole, message: string) =>
    context.addIssue({ code: "custom", path: [path], message, input: whole });
  const { type, target, method, headers, authentication, request_body, interval_seconds } = whole;
  if (areSound("type", "target", "dns")) {
    const fault = targetFault(type, target, whole.dns);
    if (fault !== null) issue("target", fault);
  }
  if (areSound("type", "dns") && (type === "dns") !== (whole.dns !== null)) {
    issue("dns", type === "dns" ? "is required for this type" : "must be null for this type");
  }
  if (areSound("type", "tcp") && type !== "tcp" && whole.tcp !== null) issue("tcp", "must be null for this type");
  if (areSound("type", "ping") && type !== "ping" && whole.ping !== null) issue("ping", "must be null for this type");
  if (areSound("type", "ping", "timeout_seconds") && type === "ping") {
    const { count } = whole.ping ?? USUAL_PING;
    if (count >= whole.timeout_seconds) issue("timeout_seconds", `must be more than ping.count, which is ${count}`);
  }
  if (areSound("type", "interval_seconds") && type !== "heartbeat" && interval_seconds > MAX_INTERVAL_SECONDS) {
    issue("interval_seconds", `must be a whole number from 30 to ${MAX_INTERVAL_SECONDS}`);
  }
  if (areSound("method", "request_body") && request_body !== null && (method === "GET" || method === "HEAD")) {
    issue("request_body", "must be null for GET and HEAD");
  }
  if (areSound("type", "target", "ip_version") && isOtherVersion(type, target, whole.ip_version)) {
    issue("ip_version", "must be that of the address in target");
  }
  if (areSound("type", "target", "headers", "authentication", "tcp")) {
    const fault = authenticationFault({ type, target, headers, tcp: whole.tcp }, authentication);
    if (fault !== null) issue(fault.path, fault.message);
  }
}

/** The types whose target has a host to connect to. */
const CONNECTING: readonly string[] = ["http", "tcp", "ping"];

function isOtherVersion(type: Whole["type"], target: string, wanted: IpVersion): boolean {
  if (wanted === "any" || !CONNECTING.includes(type)) return false;
  try {
    const version = ipVersionOf(checkedHost(type, target));
    return version !== null && version !== wanted;
  } catch {
    return false;
  }
}

/** Why a target does not fit the type; null if it does. */
function targetFault(type: Whole["type"], target: string, dns: DnsSettings | null): string | null {
  if (type === "heartbeat") return target === "" ? null : "must be empty: a heartbeat is called";
  try {
    if (type === "dns") return parseLookup(target, dns?.record_type ?? "PTR") === "" ? "must not be empty" : null;
    checkedHost(type, target);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The hosts in a target and in the name server; null where a field is faulty or has none. */
function hostsIn({ type, target, dns }: Pick<Whole, "type" | "target" | "dns">) {
  const read = (host: () => string) => {
    try {
      return host();
    } catch {
      return null;
    }
  };
  const resolver = dns?.resolver ?? null;
  return {
    target: CONNECTING.includes(type) ? read(() => checkedHost(type, target)) : null,
    resolver: resolver === null ? null : read(() => parseResolver(resolver).host),
  };
}

/**
 * Issues for a target and a name server that this installation does not probe. A host that stays as `before` may have become forbidden
 * meanwhile, and refuses no other change.
 */
export function forbiddenHosts(
  after: Pick<Whole, "type" | "target" | "dns">,
  before: Pick<Whole, "target" | "dns"> | null,
): { path: string[]; message: string }[] {
  const now = hostsIn(after);
  const was = before === null ? null : hostsIn({ ...before, type: after.type });
  const faultOf = (field: keyof typeof now) => {
    const host = now[field];
    return host === null || host === was?.[field] ? null : serverChecks().host(host);
  };
  const [ofTarget, ofResolver] = [faultOf("target"), faultOf("resolver")];
  return [
    ...(ofTarget === null ? [] : [{ path: ["target"], message: ofTarget }]),
    ...(ofResolver === null ? [] : [{ path: ["dns", "resolver"], message: ofResolver }]),
  ];
}

const isObject = ({ value }: z.core.ParsePayload) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of a monitor, sound and fitting each other. Whether this installation probes its hosts is judged apart. */
export const wholeMonitor = z
  .strictObject({
    name: fields.name,
    type: fields.type,
    target: fields.target.default(""),
    method: fields.method.default(defaults.method),
    headers: fields.headers.default({}),
    authentication: fields.authentication.default({ type: "none" }),
    request_body: fields.request_body.default(null),
    expected_status: fields.expected_status.default([...defaults.expected_status]),
    expected_text: fields.expected_text.default(defaults.expected_text),
    forbidden_text: fields.forbidden_text.default(null),
    expected_pattern: fields.expected_pattern.default(null),
    expected_json: fields.expected_json.default([]),
    expected_headers: fields.expected_headers.default({}),
    max_response_time_ms: fields.max_response_time_ms.default(null),
    min_certificate_days: fields.min_certificate_days.default(null),
    follow_redirects: fields.follow_redirects.default(defaults.follow_redirects),
    trust_store_id: fields.trust_store_id.default(defaults.trust_store_id),
    verify_tls: fields.verify_tls.default(defaults.verify_tls),
    dns: fields.dns.default(null),
    tcp: fields.tcp.default(null),
    ping: fields.ping.default(null),
    ip_version: fields.ip_version.default(defaults.ip_version),
    interval_seconds: fields.interval_seconds.default(defaults.interval_seconds),
    grace_seconds: fields.grace_seconds.default(defaults.grace_seconds),
    timeout_seconds: fields.timeout_seconds.default(defaults.timeout_seconds),
    failure_threshold: fields.failure_threshold.default(defaults.failure_threshold),
    recovery_threshold: fields.recovery_threshold.default(defaults.recovery_threshold),
    tags: fields.tags.default([...defaults.tags]),
    paused: fields.paused.default(defaults.paused),
  })
  .superRefine(checkWhole, { when: isObject });
export type MonitorInput = z.output<typeof wholeMonitor>;

/** The input for creating a monitor. */
export const monitorInput = wholeMonitor.superRefine(
  (whole, context) => {
    for (const issue of forbiddenHosts(whole, null)) context.addIssue({ code: "custom", ...issue, input: whole });
  },
  { when: isObject },
);

/** An item of a bulk request: an existing monitor of this name keeps the fields that are not given. */
export const monitorItem = z.strictObject(fields).partial().required({ name: true });
export type MonitorItem = z.output<typeof monitorItem>;

export const monitorChange = z.strictObject(fields).partial().omit({ type: true });
