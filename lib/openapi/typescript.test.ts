import { describe, expect, test } from "vitest";
import { typesOf } from "@/lib/openapi/typescript";

const answer = (schema: object) => ({
  "200": { content: { "application/json": { schema } } },
  "4XX": { $ref: "#/components/responses/Error" },
});
const one = (data: object) => answer({ type: "object", properties: { data } });

/** The types of an API with one operation, or one schema. */
const ofOperation = (operation: object, path = "/api/v1/things") =>
  typesOf({ paths: { [path]: { get: operation as never } }, components: { schemas: {} } });
const ofSchema = (schema: object) => typesOf({ paths: {}, components: { schemas: { Thing: schema as never } } });

describe("types of an OpenAPI document", () => {
  test.each([
    [{ type: "string", format: "uuid", pattern: "x" }, "string"],
    [{ type: "integer", minimum: 0 }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ anyOf: [{ type: "number" }, { type: "integer" }, { type: "null" }] }, "number | null"],
    [{ enum: ["a", 1] }, '"a" | 1'],
    [{ const: "x" }, '"x"'],
    [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
    [{ type: "array", items: { $ref: "#/components/schemas/Other" } }, "Other[]"],
    [{ type: "array" }, "unknown[]"],
    [{ type: "object", additionalProperties: { type: "number" } }, "{ [key: string]: number }"],
    [{ type: "object", additionalProperties: {} }, "{ [key: string]: unknown }"],
    [
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: {} },
      "{\n  a?: string;\n  [key: string]: unknown;\n}",
    ],
    [{ type: "object", properties: {}, additionalProperties: false }, "Record<never, never>"],
    [
      { allOf: [{ $ref: "#/components/schemas/A" }, { anyOf: [{ type: "null" }, { type: "string" }] }] },
      "A & (null | string)",
    ],
    [{ description: "Anything." }, "unknown"],
  ])("%j is %s", (schema, type) => {
    expect(ofSchema(schema)).toContain(`export type Thing = ${type};`);
  });

  test("an object's fields are optional unless required, have descriptions, and are quoted if necessary", () => {
    const properties = { id: { type: "string", description: "Its */ id." }, "x-y": { type: "number" } };
    expect(ofSchema({ type: "object", properties, required: ["id"] })).toContain(
      'export type Thing = {\n  /** Its *\\/ id. */\n  id: string;\n  "x-y"?: number;\n};',
    );
  });

  test("schemas without a matching type are refused", () => {
    expect(() => ofSchema({ not: { type: "string" } })).toThrow('no type matches {"not":{"type":"string"}}');
  });

  test("parameters and body form one input; the output is the response's data", () => {
    const operation = {
      summary: "Changes a thing.",
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string" } },
        { name: "dry", in: "query", required: false, description: "Try.", schema: { type: "boolean" } },
      ],
      requestBody: {
        content: { "application/json": { schema: { type: "object", properties: { a: { type: "null" } } } } },
      },
      responses: one({ type: "boolean" }),
    };
    expect(ofOperation(operation, "/api/v1/things/{id}")).toContain(`  /** Changes a thing. */
  "GET /things/{id}": {
    input: {
      id: string;
      /** Try. */
      dry?: boolean;
    } & {
      a?: null;
    };
    data: boolean;
    kind: "one";
  };`);
  });

  test("lists and raw responses are distinguished from single resources", () => {
    const list = { type: "object", properties: { data: { type: "array", items: { type: "string" } }, pagination: {} } };
    expect(ofOperation({ responses: answer(list) })).toMatch(
      /input: Record<never, never>;\n {4}data: string;\n {4}kind: "list";/,
    );
    const raw = { "200": { content: { "text/csv": {}, "application/json": {} } } };
    expect(ofOperation({ responses: raw })).toMatch(/data: Response;\n {4}kind: "raw";/);
  });
});
