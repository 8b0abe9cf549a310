import type { FormatName } from "@/lib/destinations/formats/names";
import type { DestinationType } from "@/lib/destinations/shapes";

/** A field of a kind of destination, as the form shows it. */
export interface KindField {
  part: "settings" | "secrets";
  name: string;
  label: string;
  control: "text" | "lines" | "number" | "choice" | "check";
  /** Of a choice. */
  choices: readonly { value: string; label: string }[];
  hint: string | null;
  placeholder: string | null;
  /** What it is if it is not given: a text, a number, a boolean, or null. */
  initial: unknown;
  /** Whether it can be left empty, which means `initial`. */
  isOptional: boolean;
  isNullable: boolean;
}

/** A kind of destination with what its form needs. */
export interface FormKind {
  type: DestinationType;
  label: string;
  isSigned: boolean;
  /** The default first. */
  formats: readonly { value: FormatName; label: string; hint: string | null }[];
  fields: readonly KindField[];
}
