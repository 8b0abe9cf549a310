import type { KindField } from "@/components/destinations/form/kind-field";
import { sentNumber } from "@/components/requests/sent-number";

/** What is typed into the fields, by part and name. A checkbox is `true` or empty. */
export type Texts = Readonly<Record<string, string>>;

type Values = Record<string, unknown>;

/** The key of a field in `Texts`, and the path of its errors. */
export const pathOf = ({ part, name }: Pick<KindField, "part" | "name">) => `${part}.${name}`;

/** The texts of saved settings, or of a new destination. Secrets stay empty: they are never shown. */
export function textsOf(fields: readonly KindField[], settings: Values | null): Texts {
  return Object.fromEntries(
    fields.map((field) => {
      const value = field.part === "settings" ? (settings === null ? field.initial : settings[field.name]) : null;
      return [pathOf(field), value === null || value === undefined || value === false ? "" : String(value)];
    }),
  );
}

/** What the form sends. Empty secrets of a saved destination are left out, which keeps them; those in `removed` are null. */
export function valuesOf(
  fields: readonly KindField[],
  texts: Texts,
  { isNew, removed = [] }: { isNew: boolean; removed?: readonly string[] },
): { settings: Values; secrets: Values } {
  const part = (wanted: KindField["part"]) =>
    Object.fromEntries(
      fields.flatMap((field): [string, unknown][] => {
        if (field.part !== wanted) return [];
        if (removed.includes(field.name)) return [[field.name, null]];
        const typed = texts[pathOf(field)] ?? "";
        const text = field.control === "lines" && typed.trim() !== "" ? typed : typed.trim();
        if (wanted === "secrets" && text === "" && (!isNew || field.isNullable)) return [];
        return [[field.name, sentValue(field, text)]];
      }),
    );
  return { settings: part("settings"), secrets: part("secrets") };
}

function sentValue({ control, initial, isOptional }: KindField, text: string): unknown {
  if (control === "check") return text !== "";
  if (text === "" && isOptional) return initial;
  return control === "number" ? sentNumber(text) : text;
}
