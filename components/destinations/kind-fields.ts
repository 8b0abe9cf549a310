import * as z from "zod";
import type { FormKind, KindField } from "@/components/destinations/form/kind-field";
import { kindWords } from "@/components/destinations/kinds";
import { formatLabels } from "@/lib/destinations/formats/names";
import { type DestinationType, shapeOf } from "@/lib/destinations/shapes";
import { capitalized } from "@/lib/text/labels";

/** Texts that may be this long have several lines. */
const LONG_TEXT = 10_000;

/** The part of a JSON schema of a field that its form needs. */
interface FieldSchema {
  type?: string;
  enum?: readonly string[];
  anyOf?: readonly FieldSchema[];
  default?: unknown;
  description?: string;
  maxLength?: number;
}

/** A kind with its fields, as the form shows them. For the server: it reads the schemas, which the browser does not load. */
export function formKindOf(type: DestinationType): FormKind {
  const shape = shapeOf(type);
  return {
    type,
    label: shape.label,
    isSigned: shape.isSigned ?? false,
    formats: shape.formats.map((value) => {
      const [label = value, hint] = formatLabels[value].split(": ");
      return { value, label, hint: hint === undefined ? null : `${capitalized(hint)}.` };
    }),
    fields: inFormOrder(
      type,
      (["settings", "secrets"] as const).flatMap((part) => {
        const { properties = {} } = z.toJSONSchema(shape[part], { io: "input" });
        return Object.entries(properties).map(([name, schema]) => fieldOf(type, part, name, schema as FieldSchema));
      }),
    ),
  };
}

/** Settings, each with the secrets that belong to it, and then the other secrets. */
function inFormOrder(type: DestinationType, fields: readonly KindField[]): KindField[] {
  const { behind = {} } = kindWords[type];
  const placed = fields.filter(({ part, name }) => part === "secrets" && behind[name] !== undefined);
  return fields
    .filter((field) => !placed.includes(field))
    .flatMap((field) => [field, ...placed.filter(({ name }) => behind[name] === field.name)]);
}

function fieldOf(type: DestinationType, part: KindField["part"], name: string, schema: FieldSchema): KindField {
  const { labels = {}, choices = {}, hints = {}, placeholders = {} } = kindWords[type];
  const present = schema.anyOf?.find((each) => each.type !== "null") ?? schema;
  const isNullable = schema.anyOf?.some((each) => each.type === "null") ?? false;
  return {
    ...{ part, name, isNullable },
    label: labels[name] ?? labelOf(name),
    control: controlOf(present),
    choices: (present.enum ?? []).map((value) => ({ value, label: choices[value] ?? value })),
    hint: hints[name] ?? (schema.description ?? present.description)?.replaceAll("`", "") ?? null,
    placeholder: placeholders[name] ?? null,
    initial: schema.default ?? null,
    isOptional: schema.default !== undefined,
  };
}

function controlOf({ type, enum: choices, maxLength = 0 }: FieldSchema): KindField["control"] {
  if (choices !== undefined) return "choice";
  if (type === "boolean") return "check";
  if (type === "integer" || type === "number") return "number";
  return maxLength >= LONG_TEXT ? "lines" : "text";
}

const ABBREVIATIONS = new Set(["api", "id", "ca", "url", "tls"]);

/** `intake_url` is `Intake URL`. */
function labelOf(name: string): string {
  const words = name.split("_").map((word) => (ABBREVIATIONS.has(word) ? word.toUpperCase() : word));
  return capitalized(words.join(" "));
}
