import type { z } from "zod";

/** The fields of an object whose shapes depend on its `type`: for each field, the schema of each type. */
type Variants = Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>;

export interface VariantsOf {
  /** Begins the names of the variants: `NotificationChannel` becomes `NotificationChannelEmail`, … */
  name: string;
  fields: Variants;
  /** Fields of each type that are accepted but not returned. */
  omitted?: Readonly<Record<string, readonly string[]>>;
}

const variants = new WeakMap<z.core.$ZodType, VariantsOf>();

/**
 * Lets the OpenAPI document show an object as a union by its `type`, or, if it has none, its fields as those of any type, of which some
 * may be given. Validation stays the schema's own.
 */
export function withVariants<Schema extends z.ZodType>(schema: Schema, of: VariantsOf): Schema {
  variants.set(schema, of);
  return schema;
}

/** How a schema depends on its `type`; undefined if it does not. */
export function variantsOf(schema: z.core.$ZodType): VariantsOf | undefined {
  return variants.get(schema);
}

/** Marks a parameter as a list, separated by commas, of these values. */
export const LISTED_VALUES = "x-listed-values";

export interface ListedValues {
  /** The name of the values in the document. */
  name: string;
  values: readonly string[];
  /** Most values in one list. */
  most: number;
}
