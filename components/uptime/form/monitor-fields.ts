import { sentNumber, sentNumberOrNull } from "@/components/requests/sent-number";
import { escapesOf, parseEscapes } from "@/components/uptime/form/escapes";
import { jsonLine, parseJsonLines } from "@/components/uptime/form/expectation-lines";
import type { Authentication, AuthenticationType } from "@/lib/uptime/authentication";
import type { Monitor } from "@/lib/uptime/contract";
import type { DnsSettings } from "@/lib/uptime/dns";
import type { IpVersion, Method } from "@/lib/uptime/methods";
import { type PingSettings, USUAL_PING } from "@/lib/uptime/ping";
import type { AnswerMatch, RecordType } from "@/lib/uptime/record-types";
import type { TcpSettings } from "@/lib/uptime/tcp";

/** The choice to accept any certificate, in place of a trust store's id. */
export const NOT_VERIFIED = "not-verified";

/** The values of a monitor's form, as text. */
export interface MonitorFields {
  name: string;
  type: Monitor["type"];
  target: string;
  method: Method;
  requestBody: string;
  headers: string;
  authentication: AuthenticationType;
  username: string;
  /** A password or a token. */
  secret: string;
  certificate: string;
  privateKey: string;
  expectedStatus: string;
  expectedText: string;
  forbiddenText: string;
  expectedPattern: string;
  /** One expectation per line. */
  expectedJson: string;
  expectedHeaders: string;
  maxResponseTime: string;
  minCertificateDays: string;
  followRedirects: boolean;
  /** Empty for the public roots, a trust store's id, or NOT_VERIFIED. */
  trust: string;
  /** The trust store of a monitor that accepts any certificate, which is kept while it does. */
  unusedTrustStore: string | null;
  recordType: RecordType;
  resolver: string;
  /** One answer per line. */
  answers: string;
  answerMatch: AnswerMatch;
  expectNxdomain: boolean;
  /** With escapes. */
  send: string;
  receivedText: string;
  receivedPattern: string;
  tls: boolean;
  serverName: string;
  packets: string;
  maxLoss: string;
  ipVersion: IpVersion;
  interval: string;
  grace: string;
  timeout: string;
  failures: string;
  recoveries: string;
  tags: string;
}

/** What choosing a type changes: only from and to a heartbeat, whose interval means another thing, also the interval. */
export function typeChange(from: Monitor["type"], to: Monitor["type"]): Partial<MonitorFields> {
  if ((from === "heartbeat") === (to === "heartbeat")) return { type: to };
  return { type: to, interval: to === "heartbeat" ? "3600" : "60" };
}

/** Secrets are never shown again. */
const NO_SECRETS = { secret: "", certificate: "", privateKey: "" };

const NEW: MonitorFields = {
  name: "",
  type: "http",
  target: "",
  method: "GET",
  requestBody: "",
  headers: "",
  ...NO_SECRETS,
  authentication: "none",
  username: "",
  expectedStatus: "2xx",
  expectedText: "",
  forbiddenText: "",
  expectedPattern: "",
  expectedJson: "",
  expectedHeaders: "",
  maxResponseTime: "",
  minCertificateDays: "",
  followRedirects: true,
  trust: "",
  unusedTrustStore: null,
  recordType: "A",
  resolver: "",
  answers: "",
  answerMatch: "any",
  expectNxdomain: false,
  send: "",
  receivedText: "",
  receivedPattern: "",
  tls: false,
  serverName: "",
  packets: String(USUAL_PING.count),
  maxLoss: String(USUAL_PING.max_loss_percent),
  ipVersion: "any",
  interval: "60",
  grace: "300",
  timeout: "10",
  failures: "2",
  recoveries: "1",
  tags: "",
};

/** The initial values of the form. Headers stay empty: their values are never shown again. */
export function fieldsOf(monitor: Monitor | undefined): MonitorFields {
  if (monitor === undefined) return NEW;
  return {
    name: monitor.name,
    type: monitor.type,
    target: monitor.target,
    method: monitor.method,
    requestBody: monitor.request_body ?? "",
    headers: "",
    ...NO_SECRETS,
    authentication: monitor.authentication.type,
    username: monitor.authentication.username ?? "",
    expectedStatus: monitor.expected_status.join(", "),
    expectedText: monitor.expected_text ?? "",
    forbiddenText: monitor.forbidden_text ?? "",
    expectedPattern: monitor.expected_pattern ?? "",
    expectedJson: monitor.expected_json.map(jsonLine).join("\n"),
    expectedHeaders: Object.entries(monitor.expected_headers)
      .map(([name, text]) => `${name}: ${text}`)
      .join("\n"),
    maxResponseTime: String(monitor.max_response_time_ms ?? ""),
    minCertificateDays: String(monitor.min_certificate_days ?? ""),
    followRedirects: monitor.follow_redirects,
    trust: monitor.verify_tls ? (monitor.trust_store_id ?? "") : NOT_VERIFIED,
    unusedTrustStore: monitor.verify_tls ? null : monitor.trust_store_id,
    recordType: monitor.dns?.record_type ?? NEW.recordType,
    resolver: monitor.dns?.resolver ?? "",
    answers: monitor.dns?.expected.join("\n") ?? "",
    answerMatch: monitor.dns?.match ?? NEW.answerMatch,
    expectNxdomain: monitor.dns?.expect_nxdomain ?? false,
    send: monitor.tcp ? escapesOf(monitor.tcp) : "",
    receivedText: monitor.tcp?.expected_text ?? "",
    receivedPattern: monitor.tcp?.expected_pattern ?? "",
    tls: monitor.tcp?.tls ?? false,
    serverName: monitor.tcp?.server_name ?? "",
    packets: String((monitor.ping ?? USUAL_PING).count),
    maxLoss: String((monitor.ping ?? USUAL_PING).max_loss_percent),
    ipVersion: monitor.ip_version,
    interval: String(monitor.interval_seconds),
    grace: String(monitor.grace_seconds),
    timeout: String(monitor.timeout_seconds),
    failures: String(monitor.failure_threshold),
    recoveries: String(monitor.recovery_threshold),
    tags: monitor.tags.join(", "),
  };
}

function entries(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** Without the blanks around a header's value, which HTTP ignores (RFC 9110, 5.5). Other spaces belong to it. */
const withoutBlanks = (value: string) => value.replace(/^[ \t]+|[ \t\r]+$/g, "");

/** Parses lines of `Name: value`. A line without a colon becomes a name with an empty value, which the API rejects. */
export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return colon === -1 ? [line.trim(), ""] : [line.slice(0, colon).trim(), withoutBlanks(line.slice(colon + 1))];
    }),
  );
}

const textOrNull = (text: string) => (text === "" ? null : text);

/** Whether requests of this method have a body. */
export const sendsBody = (method: Method) => method !== "GET" && method !== "HEAD";

function dnsOf({
  type,
  recordType,
  resolver,
  answers,
  answerMatch,
  expectNxdomain,
}: MonitorFields): DnsSettings | null {
  if (type !== "dns") return null;
  return {
    record_type: recordType,
    resolver: textOrNull(resolver.trim()),
    expected: expectNxdomain ? [] : answers.split("\n").filter((line) => line.trim() !== ""),
    match: answerMatch,
    expect_nxdomain: expectNxdomain,
  };
}

function tcpOf({ type, send, receivedText, receivedPattern, tls, serverName }: MonitorFields): TcpSettings | null {
  const isPlain = !tls && [send, receivedText, receivedPattern].every((text) => text === "");
  if (type !== "tcp" || isPlain) return null;
  return {
    tls,
    server_name: tls ? textOrNull(serverName.trim()) : null,
    ...parseEscapes(send),
    expected_text: textOrNull(receivedText),
    expected_pattern: textOrNull(receivedPattern),
  };
}

function pingOf({ type, packets, maxLoss }: MonitorFields): PingSettings | null {
  return type === "ping" ? { count: sentNumber(packets), max_loss_percent: sentNumber(maxLoss) } : null;
}

type Authenticated = Pick<Monitor, "authentication">;

/** The authentication for the API; none of it if it was not touched, so that saving keeps the existing one. */
function authenticationOf(
  fields: MonitorFields,
  monitor: Authenticated | undefined,
): { authentication?: Authentication } {
  const { authentication: chosen, username, secret, certificate, privateKey: private_key } = fields;
  const { type: before, username: name } = monitor?.authentication ?? { type: "none", username: null };
  const isTyped = [secret, certificate, private_key].some((text) => text !== "");
  const canBe = fields.type === "http" || (fields.type === "tcp" && fields.tls && chosen === "client_certificate");
  const type = canBe ? chosen : "none";
  if (type === before && !isTyped && (type !== "basic" || username === name)) return {};
  switch (type) {
    case "none":
      return { authentication: { type: "none" } };
    case "basic":
      return { authentication: { type: "basic", username, password: secret } };
    case "bearer":
      return { authentication: { type: "bearer", token: secret } };
    case "client_certificate":
      return { authentication: { type: "client_certificate", certificate, private_key } };
  }
}

/** The body for the API. Without secrets if none were typed, so that saving keeps the existing ones. */
export function sentOf(fields: MonitorFields, monitor?: Authenticated) {
  return {
    name: fields.name,
    target: fields.type === "heartbeat" ? "" : fields.target.trim(),
    expected_status: entries(fields.expectedStatus),
    expected_text: textOrNull(fields.expectedText),
    forbidden_text: textOrNull(fields.forbiddenText),
    expected_pattern: textOrNull(fields.expectedPattern),
    expected_json: parseJsonLines(fields.expectedJson),
    expected_headers: parseHeaders(fields.expectedHeaders),
    max_response_time_ms: sentNumberOrNull(fields.maxResponseTime),
    min_certificate_days: sentNumberOrNull(fields.minCertificateDays),
    follow_redirects: fields.followRedirects,
    trust_store_id: fields.trust === NOT_VERIFIED ? fields.unusedTrustStore : textOrNull(fields.trust),
    verify_tls: fields.trust !== NOT_VERIFIED,
    method: fields.method,
    request_body: sendsBody(fields.method) ? textOrNull(fields.requestBody) : null,
    dns: dnsOf(fields),
    tcp: tcpOf(fields),
    ping: pingOf(fields),
    ip_version: fields.ipVersion,
    interval_seconds: sentNumber(fields.interval),
    grace_seconds: sentNumber(fields.grace),
    timeout_seconds: sentNumber(fields.timeout),
    failure_threshold: sentNumber(fields.failures),
    recovery_threshold: sentNumber(fields.recoveries),
    tags: entries(fields.tags),
    ...authenticationOf(fields, monitor),
    ...(fields.headers.trim() !== "" && { headers: parseHeaders(fields.headers) }),
  };
}
