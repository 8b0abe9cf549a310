import { describe, expect, test } from "vitest";
import { exampleBody, exampleCurl, exampleOf } from "@/components/api-reference/example";
import { fieldsOf, operations, typeWords } from "@/components/api-reference/schema";
import { endpoints } from "@/lib/api/endpoints";
import { API_PREFIX } from "@/lib/http/endpoint";

/** A PEM placeholder is not a certificate, and Stripe defines the body of webhook events. */
const NOT_OURS = /"pem"|^\{\}$/;

describe("the reference's examples", () => {
  const withBody = operations().flatMap((operation) => {
    const body = exampleBody(operation);
    return body === undefined ? [] : [[`${operation.method} ${operation.path}`, body] as const];
  });

  test.each(withBody)("%s would be accepted", (name, body) => {
    const endpoint = endpoints.find(({ method, path }) => `${method} ${API_PREFIX}${path}` === name);
    if (NOT_OURS.test(JSON.stringify(body))) return;
    expect(endpoint?.body.safeParse(body).error).toBeUndefined();
  });

  test("have the reader's base URL and a method, but no secret", () => {
    const create = operations().find(({ operationId }) => operationId === "api_key_create");
    if (create === undefined) throw new Error("there is no api_key_create");
    expect(exampleCurl(create, "https://watch.example.org")).toBe(
      `curl -X POST "https://watch.example.org/api/v1/api-keys" \\
  -H "Authorization: Bearer $SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{"name":"Example"}'`,
    );
  });
});

describe("a schema", () => {
  test.each([
    [{ type: "string", format: "uuid" }, "string (uuid)"],
    [{ enum: ["a", "b"] }, '"a" or "b"'],
    [{ type: "array", items: { $ref: "#/components/schemas/ApiKey" } }, "list of ApiKey"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
    [{}, "anything"],
  ])("%j is %s in words", (schema, words) => {
    expect(typeWords(schema)).toBe(words);
  });

  test("lists its fields, nested ones below their parent", () => {
    const schema = {
      properties: { a: { properties: { b: { type: "string" } } }, c: { type: "null" } },
      required: ["c"],
    };
    expect(fieldsOf(schema).map(({ path, required }) => [path, required])).toEqual([
      ["a", false],
      ["a.b", false],
      ["c", true],
    ]);
  });

  test("has an example of all fields, or of the required ones", () => {
    const schema = { type: "object", properties: { a: { type: "integer" }, b: { type: "boolean" } }, required: ["a"] };
    expect(exampleOf(schema, false)).toEqual({ a: 1, b: true });
    expect(exampleOf(schema, true)).toEqual({ a: 1 });
  });
});
