import { describe, expect, test } from "vitest";
import { endpoints } from "@/lib/api/endpoints";
import { errorStatus } from "@/lib/http/errors";
import { openApiDocument } from "@/lib/openapi/document";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Node = { [key: string]: Json };

const document = openApiDocument() as Node;

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
    expect(openApiDocument()).toEqual(document);
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
      expect(Object.keys(answers).sort()).toEqual([String(endpoint.status), "4XX", "5XX"].sort());
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
        data: { type: "array", items: { $ref: "#/components/schemas/ApiKey" } },
        pagination: {
          type: "object",
          properties: { next_cursor: { type: ["string", "null"] }, has_more: { type: "boolean" } },
          required: ["next_cursor", "has_more"],
          additionalProperties: false,
        },
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

  test("lists every error code", () => {
    const codes = at("components", "schemas", "Error", "properties", "error", "properties", "code", "enum");
    expect(codes).toEqual(Object.keys(errorStatus));
  });
});
