import { config } from "@/lib/config";
import { openApiDocument } from "@/lib/openapi/document";

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  /** The members of `oneOf` differ in the fields that belong to this one. */
  discriminator?: { propertyName: string };
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  operationId: string;
  summary: string;
  /** The whole summary, then access and limits in a paragraph of their own. */
  description: string;
  tags: string[];
  parameters: {
    name: string;
    in: "path" | "query" | "header";
    required: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: Content;
  responses: Record<string, Content & { description?: string }>;
  security?: unknown[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Listed extends Operation {
  method: string;
  path: string;
}

/** Cached: the document does not change while the process runs. */
let made: { operations: Listed[]; schemas: Record<string, Schema> } | undefined;

function read() {
  if (made === undefined) {
    const { paths, components } = openApiDocument(config().PUBLIC_URL) as unknown as Document;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
    made = { operations, schemas: components.schemas };
  }
  return made;
}

/** Every operation, in the document's order. */
export function operations(): Listed[] {
  return read().operations;
}

/** Resolves references, and merges `allOf` and unions by a field. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return { ...resolve(read().schemas[name] ?? {}), ...(schema.description && { description: schema.description }) };
  }
  if (schema.discriminator !== undefined) return merged((schema.oneOf ?? []).map(resolve));
  if (schema.allOf === undefined) return schema;
  const { allOf, ...rest } = schema;
  const parts = [...allOf.map(resolve), rest];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** One object for the members of a union: a field that differs between them has the choice of all. */
function merged(members: Schema[]): Schema {
  const [first = {}] = members;
  const properties = Object.entries(first.properties ?? {}).map(([name, field]): [string, Schema] => {
    const fields = members.flatMap(({ properties }) => properties?.[name] ?? []);
    if (new Set(fields.map((each) => JSON.stringify(each))).size === 1) return [name, field];
    const { description } = field;
    const shared = description === undefined ? {} : { description };
    if (fields.every((each) => each.enum))
      return [name, { ...shared, enum: fields.flatMap((each) => each.enum ?? []) }];
    return [name, { ...shared, anyOf: fields }];
  });
  return { ...first, properties: Object.fromEntries(properties) };
}

/** A named list with more values is shown by its name. */
const MOST_VALUES = 12;

/** The type in words: `string (uuid)`, `"a" or "b"`, `list of Thing`. */
export function typeWords(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const { enum: listed } = resolve(schema);
    const isShort = listed !== undefined && listed.length <= MOST_VALUES;
    return isShort ? typeWords({ enum: listed }) : (schema.$ref.split("/").at(-1) ?? "object");
  }
  const { const: only, enum: values, type, format, items, anyOf, oneOf, allOf } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" or ");
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeWords))].join(" or ");
  if (allOf !== undefined) return allOf.map(typeWords).join(" and ");
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") return items === undefined ? "list" : `list of ${typeWords(items)}`;
  if (type === undefined) return "anything";
  return format === undefined ? type : `${type} (${format})`;
}

interface FieldRow {
  /** The dotted path from the top; `[]` means each item of a list. */
  path: string;
  type: string;
  required: boolean;
  description: string;
}

const DEEPEST = 3;

/** The fields of an object, nested ones below their parent. */
export function fieldsOf(schema: Schema, prefix = "", depth = 0): FieldRow[] {
  const { properties = {}, required = [] } = resolve(schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const whole = resolve(field);
    const row = {
      path,
      type: typeWords(field),
      required: required.includes(name),
      description: field.description ?? whole.description ?? "",
    };
    if (depth >= DEEPEST) return [row];
    const items = whole.items && resolve(whole.items);
    const within = items?.properties
      ? fieldsOf(items, `${path}[].`, depth + 1)
      : fieldsOf(whole, `${path}.`, depth + 1);
    return [row, ...within];
  });
}
