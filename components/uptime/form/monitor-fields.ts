import { jsonLine, parseJsonLines } from "@/components/uptime/form/expectation-lines";
import type { Monitor } from "@/lib/uptime/contract";
import type { Method } from "@/lib/uptime/methods";

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
  interval: string;
  grace: string;
  timeout: string;
  failures: string;
  recoveries: string;
  tags: string;
}

const NEW: MonitorFields = {
  name: "",
  type: "http",
  target: "",
  method: "GET",
  requestBody: "",
  headers: "",
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

const number = (text: string) => Number(text.trim() || Number.NaN);
const numberOrNull = (text: string) => (text.trim() === "" ? null : Number(text.trim()));
const textOrNull = (text: string) => (text === "" ? null : text);

/** Whether requests of this method have a body. */
export const sendsBody = (method: Method) => method !== "GET" && method !== "HEAD";

/** The body for the API. Without headers if none were typed, so that saving keeps the existing ones. */
export function sentOf(fields: MonitorFields) {
  return {
    name: fields.name,
    target: fields.type === "heartbeat" ? "" : fields.target.trim(),
    expected_status: entries(fields.expectedStatus),
    expected_text: textOrNull(fields.expectedText),
    forbidden_text: textOrNull(fields.forbiddenText),
    expected_pattern: textOrNull(fields.expectedPattern),
    expected_json: parseJsonLines(fields.expectedJson),
    expected_headers: parseHeaders(fields.expectedHeaders),
    max_response_time_ms: numberOrNull(fields.maxResponseTime),
    min_certificate_days: numberOrNull(fields.minCertificateDays),
    follow_redirects: fields.followRedirects,
    trust_store_id: fields.trust === NOT_VERIFIED ? fields.unusedTrustStore : textOrNull(fields.trust),
    verify_tls: fields.trust !== NOT_VERIFIED,
    method: fields.method,
    request_body: sendsBody(fields.method) ? textOrNull(fields.requestBody) : null,
    interval_seconds: number(fields.interval),
    grace_seconds: number(fields.grace),
    timeout_seconds: number(fields.timeout),
    failure_threshold: number(fields.failures),
    recovery_threshold: number(fields.recoveries),
    tags: entries(fields.tags),
    ...(fields.headers.trim() !== "" && { headers: parseHeaders(fields.headers) }),
  };
}
