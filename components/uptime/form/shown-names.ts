import { type MonitorFields, sendsBody } from "@/components/uptime/form/monitor-fields";

const SECRETS = {
  none: [],
  basic: ["authentication.username", "authentication.password"],
  bearer: ["authentication.token"],
  client_certificate: ["authentication.certificate", "authentication.private_key"],
} as const;

const RESPONSE = [
  ...["expected_text", "forbidden_text", "expected_pattern", "expected_json", "expected_headers"],
  ...["max_response_time_ms", "min_certificate_days"],
];

/** The API's names of the fields that the form shows with these values, by its parts. */
export function shownNames(fields: MonitorFields): Record<"first" | "tcp" | "response" | "more", readonly string[]> {
  const { type } = fields;
  const isHttp = type === "http";
  const authentication = ["authentication", ...SECRETS[fields.authentication]];
  const tls = ["tcp.server_name", "min_certificate_days", "trust_store_id", ...authentication];
  const body = sendsBody(fields.method) ? ["request_body"] : [];
  return {
    first: [
      ...["name", "type", "interval_seconds"],
      ...(type === "heartbeat" ? ["grace_seconds"] : ["target", "timeout_seconds"]),
      ...(type === "dns" ? ["dns.resolver"] : []),
      ...(type === "dns" && !fields.expectNxdomain ? ["dns.expected", "dns.match"] : []),
      ...(type === "ping" ? ["ping.count", "ping.max_loss_percent"] : []),
    ],
    tcp: type === "tcp" ? ["tcp.send", "tcp.expected_text", "tcp.expected_pattern", ...(fields.tls ? tls : [])] : [],
    response: isHttp ? RESPONSE : [],
    more: [
      ...(isHttp ? ["expected_status", ...body, "headers", ...authentication, "trust_store_id"] : []),
      ...(type === "heartbeat" || type === "dns" ? [] : ["ip_version"]),
      ...(type === "heartbeat" ? [] : ["failure_threshold", "recovery_threshold"]),
      "tags",
    ],
  };
}
