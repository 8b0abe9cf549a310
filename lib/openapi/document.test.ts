import { describe, expect, test } from "vitest";
import { endpoints } from "@/lib/api/endpoints";
import { possibleErrors } from "@/lib/api/possible-errors";
import { errorStatus } from "@/lib/http/errors";
import { channelTypeLabels } from "@/lib/notification-channels/labels";
import { openApiDocument } from "@/lib/openapi/document";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Node = { [key: string]: Json };

const URL = "https://sealwatch.test";
const document = openApiDocument(URL) as Node;

/** Every object of the document with its path of keys. */
function* nodes(value: Json = document, path: string[] = []): Generator<{ node: Node; path: string[] }> {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) yield { node: value, path };
  for (const [key, child] of Object.entries(value)) yield* nodes(child, [...path, key]);
}

function at(...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (value, key) => (value !== null && typeof value === "object" ? (value as Node)[key] : undefined),
    document,
  );
}

const operation = ({ path, method }: (typeof endpoints)[number]) =>
  at("paths", `/api/v1${path}`, method.toLowerCase()) as Node;

describe("the OpenAPI document", () => {
  test("is plain JSON and deterministic", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    expect(openApiDocument(URL)).toEqual(document);
  });

  test("has all endpoints, and no others", () => {
    const described = Object.entries(document.paths as Node).flatMap(([path, methods]) =>
      Object.keys(methods as Node).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(endpoints.map(({ method, path }) => `${method} /api/v1${path}`).sort());
  });

  test("has no dangling references and no unused components", () => {
    const refs = [...nodes()].flatMap(({ node }) => (typeof node.$ref === "string" ? [node.$ref] : []));
    for (const ref of refs) {
      expect(ref).toMatch(/^#\/components\//);
      expect(at(...ref.slice(2).split("/")), ref).toBeTypeOf("object");
      expect(at(...ref.slice(2).split("/")), ref).not.toHaveProperty("$ref");
    }
    const schemas = Object.keys(at("components", "schemas") as Node);
    expect(schemas.filter((name) => !refs.includes(`#/components/schemas/${name}`))).toEqual([]);
  });

  test("has no traces of its generation", () => {
    for (const { node, path } of nodes()) {
      const inProperties = path.at(-1) === "properties";
      const leftovers = Object.keys(node).filter((key) => /^(\$defs|\$schema|definitions|~standard)$/.test(key));
      expect(leftovers, path.join("/")).toEqual([]);
      if (!inProperties) expect(node, path.join("/")).not.toHaveProperty("id");
    }
    expect(JSON.stringify(document)).not.toContain("$defs");
  });

  test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s has its parameters, body, response and errors",
    (_, endpoint) => {
      const { parameters, responses, requestBody, security, operationId } = operation(endpoint);
      const named = (parameters as Node[]).filter((each) => each.in === "path").map(({ name }) => name);
      expect(named).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(operationId).toMatch(/^[a-z_]+$/);
      const answers = responses as Node;
      const failures = possibleErrors(endpoint).map((code) => String(errorStatus[code]));
      expect(Object.keys(answers)).toEqual([...new Set([String(endpoint.status), ...failures])].sort());
      const success = answers[endpoint.status] as Node;
      expect(Object.keys(success.headers as Node)).toEqual(
        expect.arrayContaining(["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]),
      );
      expect(Object.keys(success.content as Node).length).toBeGreaterThan(0);
      if (endpoint.method === "GET") expect(requestBody).toBeUndefined();
      expect(security).toEqual(endpoint.public ? [{}, { apiKey: [] }] : undefined);
    },
  );

  test("has unique operation ids", () => {
    const ids = endpoints.map((endpoint) => operation(endpoint).operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("wraps lists with pagination, and single resources in data", () => {
    const content = (method: string, path: string, status: string) =>
      at("paths", path, method, "responses", status, "content", "application/json", "schema");
    expect(content("get", "/api/v1/api-keys", "200")).toEqual({
      type: "object",
      properties: {
        data: {
          type: "array",
          items: { $ref: "#/components/schemas/ApiKey" },
          description: "The items of this page.",
        },
        pagination: { $ref: "#/components/schemas/Pagination" },
      },
      required: ["data", "pagination"],
      additionalProperties: false,
    });
    expect(content("post", "/api/v1/api-keys", "201")).toMatchObject({
      properties: { data: { $ref: "#/components/schemas/ApiKeyWithSecret" } },
      required: ["data"],
    });
  });

  test("matches the server: fields with defaults are optional, unknown fields are refused", () => {
    const body = at("paths", "/api/v1/api-keys", "post", "requestBody", "content", "application/json", "schema");
    expect(body).toMatchObject({ required: ["name"], additionalProperties: false });
    const parameters = at("paths", "/api/v1/api-keys", "get", "parameters") as Node[];
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ["limit", false],
      ["cursor", false],
      ["sort", false],
      ["order", false],
    ]);
    expect(parameters[0]?.schema).toEqual({ type: "integer", minimum: 1, maximum: 200, default: 50 });
  });

  test("names the server, and its tags with descriptions", () => {
    expect(document.servers).toMatchObject([{ url: URL }]);
    const tags = document.tags as Node[];
    const used = new Set(endpoints.map(({ group }) => group));
    expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    for (const { name, description } of tags) expect(description, String(name)).toMatch(/\. \d+ requests per API key/);
  });

  test("describes every parameter and every field; `.describe()` in a contract or property-descriptions.ts adds one", () => {
    const missing: string[] = [];
    for (const { node, path } of nodes()) {
      for (const parameter of Array.isArray(node.parameters) ? (node.parameters as Node[]) : []) {
        if (!parameter.description) missing.push(`${path.join("/")} ${String(parameter.name)}`);
      }
      const isFields = path.at(-1) === "properties" && path.at(-2) !== "properties";
      if (!isFields || path.includes("responses")) continue;
      for (const [name, field] of Object.entries(node)) {
        if (!(field as Node).description) missing.push(`${path.join("/")}/${name}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test("a failure has the codes that its status can have for this operation, and its headers", () => {
    const failure = (method: string, path: string, status: string) => {
      const { $ref } = at("paths", `/api/v1${path}`, method, "responses", status) as { $ref: string };
      const { headers, content } = at(...$ref.slice(2).split("/")) as { headers: Node; content: Node };
      const [, narrowed] = (content["application/json"] as { schema: { allOf: Node[] } }).schema.allOf;
      return { headers: Object.keys(headers), codes: JSON.stringify(narrowed).match(/[A-Z_]{4,}/g) };
    };
    expect(failure("post", "/certificates/agents/{id}/reports", "409").codes).toEqual([
      "CONFLICT",
      "REPORT_EXPIRED",
      "REPORT_REPLAYED",
    ]);
    expect(failure("get", "/api-keys", "403").codes).toEqual(["OUT_OF_SCOPE", "IP_NOT_ALLOWED"]);
    expect(failure("get", "/api-keys", "429").headers).toContain("Retry-After");
    expect(failure("post", "/api-keys", "409").headers).toContain("Retry-After");
    expect(failure("put", "/api-keys/{id}", "409").headers).not.toContain("Retry-After");
    expect(failure("get", "/openapi.json", "401")).toMatchObject({
      headers: expect.arrayContaining(["WWW-Authenticate"]),
      codes: ["INVALID_API_KEY", "API_KEY_EXPIRED", "API_KEY_REVOKED"],
    });
    const statuses = (method: string, path: string) =>
      Object.keys(at("paths", `/api/v1${path}`, method, "responses") as Node);
    expect(statuses("get", "/api-keys")).not.toContain("404");
    expect(statuses("post", "/api-keys")).toContain("402");
    expect(statuses("put", "/api-keys/{id}")).toEqual(expect.arrayContaining(["409", "412", "413", "415"]));
  });

  test("has the request headers of each operation", () => {
    const headers = (method: string, path: string) =>
      (at("paths", `/api/v1${path}`, method, "parameters") as Node[])
        .filter((each) => each.in === "header")
        .map(({ name }) => name);
    expect(headers("post", "/api-keys")).toEqual(["Idempotency-Key"]);
    expect(headers("put", "/api-keys/{id}")).toEqual(["If-Match"]);
    expect(headers("post", "/api-keys/{id}/rotate")).toEqual(["Idempotency-Key", "If-Match"]);
    expect(headers("get", "/audit-logs/stream")).toEqual(["Last-Event-ID"]);
    expect(headers("post", "/billing/webhook")).toEqual(["Stripe-Signature"]);
  });

  test("a filter with a closed list is a list of its values, separated by commas", () => {
    const flag = (at("paths", "/api/v1/audit-logs", "get", "parameters") as Node[]).find(({ name }) => name === "flag");
    expect(flag).toMatchObject({ style: "form", explode: false, schema: { type: "array", maxItems: 50 } });
    expect(at("components", "schemas", "FlagFilter", "enum")).toEqual(
      expect.arrayContaining(["rate_limited", "!rate_limited"]),
    );
  });

  test("channels and destinations are unions by their type, without the secrets in responses", () => {
    const types = Object.keys(channelTypeLabels);
    const union = at("components", "schemas", "NotificationChannel") as { oneOf: Node[]; discriminator: Node };
    expect(union.oneOf).toHaveLength(types.length);
    expect(Object.keys(union.discriminator.mapping as Node).sort()).toEqual(types.sort());
    const settings = (name: string) => at("components", "schemas", name, "properties", "settings") as Node;
    expect(Object.keys(settings("NewNotificationChannelPagerduty").properties as Node)).toEqual([
      "routing_key",
      "api_url",
    ]);
    expect(settings("NewNotificationChannelPagerduty").required).toEqual(["routing_key"]);
    expect(Object.keys(settings("NotificationChannelPagerduty").properties as Node)).toEqual(["api_url"]);
    expect(at("components", "schemas", "NewDestinationSplunk", "required")).toContain("secrets");
    expect(at("components", "schemas", "NewDestinationHttps", "required")).not.toContain("secrets");
    const changes = at(
      "paths",
      "/api/v1/audit-logs/destinations/{id}",
      "put",
      "requestBody",
      "content",
      "application/json",
    );
    expect(JSON.stringify(changes)).not.toContain('"required"');
  });

  test("lists every error code", () => {
    const codes = at("components", "schemas", "Error", "properties", "error", "properties", "code", "enum");
    expect(codes).toEqual(Object.keys(errorStatus));
  });
});
