import { isDeepStrictEqual } from "node:util";

type Json = null | boolean | number | string | Json[] | Node;
type Node = { [key: string]: Json };

const PREFIX = "/api/v1";
/** Keywords that describe a value without constraining its type. */
const ANNOTATIONS = new Set(["description", "example", "default", "format"]);

/**
 * The types of an API from its OpenAPI document: one for each schema, and `Operations`, which maps `METHOD /path` to input and
 * output. Throws if a schema has no matching type.
 */
export function typesOf(document: Node): string {
  const schemas = Object.entries(nodeOf(nodeOf(document.components).schemas))
    .filter(([name]) => name !== "Error")
    .map(([name, schema]) => `export type ${name} = ${typeOf(nodeOf(schema), "")};\n`);
  const operations = Object.entries(nodeOf(document.paths)).flatMap(([path, methods]) =>
    Object.entries(nodeOf(methods)).map(([method, operation]) => operationOf(method, path, nodeOf(operation))),
  );
  return `${schemas.join("\n")}\nexport interface Operations {\n${operations.join("\n")}\n}\n`;
}

function operationOf(method: string, path: string, operation: Node): string {
  const inUrl = ((operation.parameters ?? []) as Node[]).filter((parameter) => parameter.in !== "header");
  const parameters = inUrl.map((parameter) => ({
    ...nodeOf(parameter.schema),
    ...(parameter.description !== undefined && { description: parameter.description }),
    name: String(parameter.name),
    required: parameter.required === true,
  }));
  const sent = [
    parameters.length > 0 &&
      objectOf(
        parameters.map(({ name, required, ...schema }) => [name, schema as Node, required]),
        "    ",
      ),
    operation.requestBody && typeOf(schemaIn(nodeOf(operation.requestBody)) ?? {}, "    "),
  ].filter(Boolean);
  const [, success] = Object.entries(nodeOf(operation.responses)).find(([status]) => /^2\d\d$/.test(status)) ?? [];
  const [kind, data] = answerOf(nodeOf(success ?? null));
  const key = `${method.toUpperCase()} ${path.slice(PREFIX.length)}`;
  return `${comment(operation.summary, "  ")}  ${JSON.stringify(key)}: {
    input: ${sent.join(" & ") || "Record<never, never>"};
    data: ${data};
    kind: "${kind}";
  };`;
}

/** The kind of a response, `{data}`, a page of a list or raw, and the type of its data. */
function answerOf(success: Node): ["one" | "list" | "raw", string] {
  const properties = nodeOf(schemaIn(success)?.properties ?? {});
  if (properties.data === undefined) return ["raw", "Response"];
  const data = nodeOf(properties.data);
  return properties.pagination ? ["list", typeOf(nodeOf(data.items), "    ")] : ["one", typeOf(data, "    ")];
}

function schemaIn(holder: Node): Node | undefined {
  const json = nodeOf(holder.content)["application/json"];
  return json === undefined ? undefined : (nodeOf(json).schema as Node | undefined);
}

function typeOf(schema: Node, indent: string): string {
  if (typeof schema.$ref === "string") return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if ("const" in schema) return JSON.stringify(schema.const);
  const listed = schema.enum as Json[] | undefined;
  if (listed) return listed.map((value) => JSON.stringify(value)).join(" | ");
  const choices = (schema.anyOf ?? schema.oneOf) as Node[] | undefined;
  if (choices) return union(choices.map((choice) => typeOf(choice, indent)));
  const all = schema.allOf as Node[] | undefined;
  if (all) return all.map((part) => parenthesized(typeOf(part, indent))).join(" & ");
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `${parenthesized(typeOf(nodeOf(schema.items ?? {}), indent))}[]`;
    case "object":
      return recordOf(schema, indent);
  }
  if (Object.keys(schema).every((key) => ANNOTATIONS.has(key))) return "unknown";
  throw new Error(`no type matches ${JSON.stringify(schema)}`);
}

function recordOf(schema: Node, indent: string): string {
  const required = new Set((schema.required ?? []) as string[]);
  const properties = Object.entries(nodeOf(schema.properties ?? {}));
  if (properties.length > 0) {
    return objectOf(
      properties.map(([name, property]) => [name, nodeOf(property), required.has(name)]),
      indent,
      isDeepStrictEqual(schema.additionalProperties, {}),
    );
  }
  const values = schema.additionalProperties;
  if (values === false) return "Record<never, never>";
  const value =
    values === undefined || isDeepStrictEqual(values, {}) || values === true
      ? "unknown"
      : typeOf(nodeOf(values), indent);
  return `{ [key: string]: ${value} }`;
}

function objectOf(
  properties: [name: string, schema: Node, required: boolean][],
  indent: string,
  hasMore = false,
): string {
  const inner = `${indent}  `;
  const lines = properties.map(([name, schema, required]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(schema.description, inner)}${inner}${key}${required ? "" : "?"}: ${typeOf(schema, inner)};`;
  });
  const more = hasMore ? [`${inner}[key: string]: unknown;`] : [];
  return `{\n${[...lines, ...more].join("\n")}\n${indent}}`;
}

function union(types: string[]): string {
  return [...new Set(types)].join(" | ");
}

function parenthesized(type: string): string {
  return /[|&]/.test(type) && !type.startsWith("{") ? `(${type})` : type;
}

function comment(text: Json | undefined, indent: string): string {
  if (typeof text !== "string") return "";
  return `${indent}/** ${text.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/")} */\n`;
}

function nodeOf(value: Json | undefined): Node {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new Error(`expected an object, not ${JSON.stringify(value)}`);
  }
  return value;
}
