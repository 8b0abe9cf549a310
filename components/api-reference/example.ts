import { type Listed, resolve, type Schema } from "@/components/api-reference/schema";
import type { Action } from "@/lib/http/actions";

const ID = "01a1fd09-118b-72a2-a019-0883a688e467";
const TIME = "2030-11-21T14:31:58.207Z";

const formats: Record<string, unknown> = {
  uuid: ID,
  "date-time": TIME,
  date: "2030-11-21",
  uri: "https://example.com",
  email: "ada@example.com",
};

/** Example values by field name, where the type alone says too little. */
const names: Record<string, unknown> = {
  name: "Example",
  host: "example.com",
  domain: "example.com",
  email: "ada@example.com",
  target: "https://example.com",
  url: "https://example.com",
  note: "Known.",
  expires_at: TIME,
  ip_whitelist: ["192.0.2.0/24"],
};

const pem = "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n";
const rule = { name: "Example", condition: { type: "time_left" }, steps: [{ share_left: 0.2, severity: "warning" }] };
const certificateEndpoint = { host: "example.com", port: 443 };
const monitor = { name: "Example", type: "http", target: "https://example.com/" };

/** Bodies by action that cannot be derived from the schema. `example.test.ts` checks all examples against their contracts. */
const bodies: Partial<Record<Action, unknown>> = {
  "alert_rule.create": rule,
  "alert_rule.preview": rule,
  "alert_rule.update": { repeat_minutes: 60 },
  "alert.bulk": { action: "acknowledge", ids: [ID] },
  "alert.snooze": { until: TIME },
  "audit_view.create": { name: "Refused", scope: "personal", query: { status: "4xx", range: "7d" } },
  "audit_view.update": { name: "Refused" },
  "certificate.add": { pem },
  "certificate_endpoint.bulk_upsert": { items: [certificateEndpoint] },
  "certificate_endpoint.bulk_update": { ids: [ID], add_tags: ["production"] },
  "certificate_endpoint.bulk_check": { tag: "production" },
  "certificate_endpoint.create": certificateEndpoint,
  "certificate_endpoint.import": { format: "lines", text: "example.com\nmail.example.com:993", dry_run: true },
  "certificate_endpoint.report": { pem },
  "certificate_endpoint.update": { tags: ["production"] },
  "certificate_agent.enroll": { public_key: `${"A".repeat(43)}=`, version: "1" },
  "certificate_agent.report": {
    sequence: 1,
    signed_at: TIME,
    version: "1",
    results: [
      {
        endpoint_id: ID,
        version: 1,
        observed_at: TIME,
        observations: [
          {
            outcome: "failed",
            address: "10.0.0.7",
            timings: { dns_ms: 1.2, connect_ms: null, tls_ms: null },
            kind: "unreachable",
            reason: "connection_refused",
            detail: null,
          },
        ],
      },
    ],
    signature: `${"A".repeat(86)}==`,
  },
  "certificate_trust_store.create": { name: "Example", pem },
  "certificate_trust_store.update": { name: "Example" },
  "maintenance_window.create": { name: "Upgrade", starts_at: "2030-11-21T02:00:00Z", ends_at: "2030-11-21T04:00:00Z" },
  "maintenance_window.update": { name: "Upgrade" },
  "monitor.bulk_upsert": { items: [monitor] },
  "monitor.bulk_update": { ids: [ID], paused: true },
  "monitor.bulk_check": { tag: "production" },
  "monitor.create": monitor,
  "monitor.update": { paused: true },
  "notification_channel.create": { type: "webhook", name: "Example", settings: { url: "https://example.com/hook" } },
  "notification_channel.update": { enabled: false },
};

/** An example value for a schema, with all fields of an object, or with `lean` only the required ones. */
export function exampleOf(schema: Schema, lean: boolean, name = "", depth = 0): unknown {
  const whole = resolve(schema);
  if (whole.example !== undefined) return whole.example;
  if (whole.examples?.[0] !== undefined) return whole.examples[0];
  if (whole.const !== undefined) return whole.const;
  if (whole.enum !== undefined) return whole.enum[0];
  const choice = (whole.anyOf ?? whole.oneOf)?.find(({ type }) => type !== "null");
  if (choice !== undefined) return exampleOf(choice, lean, name, depth);
  if (whole.default !== undefined && whole.default !== null) return whole.default;
  const type = Array.isArray(whole.type) ? whole.type.find((each) => each !== "null") : whole.type;
  switch (type) {
    case "object":
      return objectExample(whole, lean, depth);
    case "array":
      if (name in names) return names[name];
      return whole.items === undefined || depth > 4 ? [] : [exampleOf(whole.items, lean, name, depth + 1)];
    case "integer":
    case "number":
      return Math.max(1, whole.minimum ?? 1);
    case "boolean":
      return true;
    case "string":
      return formats[whole.format ?? ""] ?? names[name] ?? "…";
    default:
      return null;
  }
}

function objectExample({ properties = {}, required = [] }: Schema, lean: boolean, depth: number): unknown {
  if (depth > 4) return {};
  const all = Object.entries(properties);
  const needed = all.filter(([name]) => required.includes(name));
  // An update whose fields are all optional shows at least one.
  const chosen = lean ? (needed.length > 0 || depth > 0 ? needed : all.slice(0, 1)) : all;
  return Object.fromEntries(chosen.map(([name, field]) => [name, exampleOf(field, lean, name, depth + 1)]));
}

/** The schema of JSON content, if there is one. */
export function jsonOf(content: Listed["requestBody"]): Schema | undefined {
  return content?.content?.["application/json"]?.schema;
}

/** The body of the example; undefined if the operation takes none. */
export function exampleBody(operation: Listed): unknown {
  const schema = jsonOf(operation.requestBody);
  if (schema === undefined) return undefined;
  const action = operation.operationId.replace("_", ".") as Action;
  const given = Object.entries(bodies).find(([name]) => name.replace(".", "_") === operation.operationId);
  return given?.[1] ?? bodies[action] ?? exampleOf(schema, true);
}

/** The operation as a shell command for the reader's installation. The secret is a variable, so no history contains it. */
export function exampleCurl(operation: Listed, baseUrl: string): string {
  const path = operation.path.replace(/\{(\w+)\}/g, ID);
  const query = operation.parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(schema, true, name)))}`);
  const url = `${baseUrl}${path}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const body = exampleBody(operation);
  const lines = [
    `curl ${operation.method === "GET" ? "" : `-X ${operation.method} `}"${url}"`,
    `-H "Authorization: Bearer $SECRET"`,
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(" \\\n  ");
}
