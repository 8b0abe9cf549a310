import * as z from "zod";
import { SHOWN_ONCE } from "@/lib/http/endpoint";
import { type VariantsOf, variantsOf } from "@/lib/http/schemas/documented";
import type { Json } from "@/lib/openapi/json";
import { describeProperty } from "@/lib/openapi/property-descriptions";

type Io = "input" | "output";
type ObjectSchema = Json & { properties?: Record<string, Json>; required?: string[] };

/** Marks an object schema with variants until they are written. */
const VARIANTS = "x-variants";

const pascal = (text: string) => text.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Converts schemas of contracts, and collects those that have names. */
export class Schemas {
  readonly components: Record<string, Json> = {};
  private readonly variants = new Map<string, VariantsOf>();

  /** A schema as JSON Schema; schemas with an id become components and are referenced. `owner` names it in lookups of descriptions. */
  of(schema: z.ZodType, io: Io, owner = ""): Json {
    const { $defs, $schema, ...root } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        const of = variantsOf(zodSchema);
        if (of === undefined) return;
        this.variants.set(of.name, of);
        (jsonSchema as Json)[VARIANTS] = of.name;
      },
    }) as Json & { $defs?: Record<string, Json>; $schema?: string };
    for (const [name, definition] of Object.entries($defs ?? {})) {
      this.components[name] = this.finished(withWithheld(definition), name, io) as Json;
    }
    return this.finished(withWithheld(root), owner, io) as Json;
  }

  /** The value with references into the document, descriptions and variants. */
  private finished(value: unknown, owner: string, io: Io): unknown {
    if (Array.isArray(value)) return value.map((each) => this.finished(each, owner, io));
    if (typeof value !== "object" || value === null) return value;
    const { [VARIANTS]: variants, ...schema } = withNamedKeys(value as ObjectSchema);
    // zod's expressions for formats take up to 500 characters, and say no more than the format.
    if (typeof schema.format === "string") delete schema.pattern;
    if (typeof schema.$ref === "string") schema.$ref = schema.$ref.replace("#/$defs/", "#/components/schemas/");
    const { properties, enum: values, default: usual, example, examples, ...rest } = schema;
    const done: Json = {
      ...Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, this.finished(inner, owner, io)])),
      ...(values !== undefined && { enum: values }),
      ...(usual !== undefined && { default: usual }),
      ...(example !== undefined && { example }),
      ...(examples !== undefined && { examples }),
    };
    if (properties !== undefined) {
      done.properties = Object.fromEntries(
        Object.entries(properties as Record<string, Json>).map(([name, property]) => {
          return [name, withDescription(this.finished(property, name, io) as Json, owner, name)];
        }),
      );
    }
    const of = typeof variants === "string" ? this.variants.get(variants) : undefined;
    return of === undefined ? done : this.withVariants(done as ObjectSchema, of);
  }

  /** A union by `type`, whose members become components; without a `type`, fields of which some may be given. */
  private withVariants(schema: ObjectSchema, { name, fields, omitted = {} }: VariantsOf): Json {
    const { properties = {}, required = [], ...rest } = schema;
    const types = Object.keys(Object.values(fields)[0] ?? {});
    // As accepted, also in responses: what an earlier release stored may lack fields that have a default.
    const fieldOf = (field: string, type: string): ObjectSchema => {
      const each = fields[field]?.[type];
      if (each === undefined) throw new Error(`${name} has no ${field} for ${type}`);
      return without(this.of(each, "input", `${type}`), omitted[type] ?? []);
    };
    const descriptionOf = (field: string) => properties[field]?.description;
    if (properties.type === undefined) {
      const anyOf = (field: string) => types.map((type) => ({ title: type, ...partial(fieldOf(field, type)) }));
      const open = Object.keys(fields).map((field) => [
        field,
        { description: descriptionOf(field), anyOf: anyOf(field) },
      ]);
      return { ...schema, properties: { ...properties, ...Object.fromEntries(open) } };
    }
    const mapping = Object.fromEntries(
      types.map((type) => {
        const own = Object.keys(fields).map((field) => [
          field,
          { ...fieldOf(field, type), description: descriptionOf(field) },
        ]);
        const needed = Object.keys(fields).filter((field) => fieldOf(field, type).required?.length);
        const isOne = { type: "string", enum: [type], description: properties.type?.description };
        const component = name + pascal(type);
        this.components[component] = {
          ...rest,
          properties: { ...properties, type: isOne, ...Object.fromEntries(own) },
          required: [...new Set([...required, ...needed])],
        };
        return [type, `#/components/schemas/${component}`];
      }),
    );
    return {
      oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
      discriminator: { propertyName: "type", mapping },
    };
  }
}

function withDescription(schema: Json, owner: string, name: string): Json {
  if (schema.description !== undefined && schema.description !== "") return schema;
  const description = describeProperty(owner, name);
  return description === undefined ? schema : { ...schema, description };
}

/** Replays omit secrets that are shown once, so those fields are not required in a response that has them. */
function withWithheld(schema: ObjectSchema): Json {
  const { properties = {}, required = [], ...rest } = schema;
  const secrets = Object.keys(properties).filter((name) => properties[name]?.[SHOWN_ONCE] === true);
  if (secrets.length === 0) return schema;
  const secret_withheld = {
    type: "boolean",
    enum: [true],
    description:
      "Present if this response is a replay for the same `Idempotency-Key`, which omits the secrets of the original response.",
  };
  return {
    ...rest,
    properties: { ...properties, secret_withheld },
    required: required.filter((name) => !secrets.includes(name)),
  };
}

/** A record whose keys are a closed list has those keys as properties. */
function withNamedKeys(schema: ObjectSchema): ObjectSchema {
  const keys = (schema.propertyNames as { enum?: string[] } | undefined)?.enum;
  const values = schema.additionalProperties;
  if (keys === undefined || typeof values !== "object" || values === null) return schema;
  const { propertyNames, ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(keys.map((key) => [key, values as Json])),
    additionalProperties: false,
  };
}

function without(schema: Json, names: readonly string[]): ObjectSchema {
  const { properties = {}, required = [], ...rest } = schema as ObjectSchema;
  const kept = Object.entries(properties).filter(([name]) => !names.includes(name));
  const needed = required.filter((name) => !names.includes(name));
  return { ...rest, properties: Object.fromEntries(kept), ...(needed.length > 0 && { required: needed }) };
}

/** The same fields, of which none is required or has a default. */
function partial({ required, properties = {}, ...rest }: ObjectSchema): Json {
  const optional = Object.entries(properties).map(([name, { default: _usual, ...field }]) => [name, field]);
  return { ...rest, properties: Object.fromEntries(optional) };
}
