import {
  filterFields,
  filterNames,
  isFilter,
  type KnownValues,
  knownOf,
} from "@/components/audit-logs/filters/filter-fields";

/** A suggestion: a filter name, a value of a filter, or text to search for. */
export type Suggestion =
  | { kind: "field"; name: string; words: string; hint: string }
  | { kind: "value"; name: string; value: string; isExcluded: boolean; words: string; hint: string }
  | { kind: "text"; text: string };

const MAX_VALUES = 60;
/** Values per filter while no filter is named. */
const MAX_OF_EACH = 4;

/** Parses `status:!4` into the filter and the typed part of its value. */
export function typedFilter(text: string): { name: string; isExcluded: boolean; typed: string } | null {
  const [, minus = "", name = "", not = "", typed = ""] = /^(-?)([a-z_]+):(!?)(.*)$/.exec(text.trimStart()) ?? [];
  const found = isFilter(name) ? name : filterNames.find((each) => filterFields[each].label === name);
  return found === undefined ? null : { name: found, isExcluded: minus !== "" || not !== "", typed: typed.trim() };
}

/** Suggestions that match the typed text, the most likely first. */
export function suggest(text: string, known: KnownValues): Suggestion[] {
  const named = typedFilter(text);
  if (named !== null) return valuesOf(named, known);
  const typed = text.trim().toLowerCase();
  const fields = filterNames.filter((name) => name !== "q" && fits(typed, name, filterFields[name].label)).map(field);
  if (typed === "") return fields;
  const values = typed.length < 2 ? [] : filterNames.flatMap((name) => someOf(name, typed, known));
  return [...fields, ...values, { kind: "text", text: text.trim() }];
}

function field(name: keyof typeof filterFields): Suggestion {
  const { label, hint } = filterFields[name];
  return { kind: "field", name, words: label, hint };
}

function valuesOf({ name, isExcluded, typed }: NonNullable<ReturnType<typeof typedFilter>>, known: KnownValues) {
  if (!isFilter(name)) return [];
  // The last of several values is the one being typed.
  const last = typed.split(",").at(-1)?.trim() ?? "";
  const found = knownOf(name, known)
    .filter(({ value, label = "" }) => fits(last.toLowerCase(), value, label))
    .slice(0, MAX_VALUES)
    .map((each) => toSuggestion(name, each, isExcluded));
  const isListed = found.some((each) => each.value === last);
  // Filters by ID are completed by name only.
  const isClosed = filterFields[name].values !== undefined || name === "api_key_id" || name === "user_id";
  const isFree = last !== "" && !isListed && !isClosed && (name !== "country" || /^[A-Z]{2}$/.test(last));
  return isFree ? [...found, toSuggestion(name, { value: last }, isExcluded)] : found;
}

function someOf(name: keyof typeof filterFields, typed: string, known: KnownValues): Suggestion[] {
  return knownOf(name, known)
    .filter(({ value, label = "" }) => fits(typed, value, label))
    .slice(0, MAX_OF_EACH)
    .map((each) => toSuggestion(name, each, false));
}

function toSuggestion(
  name: keyof typeof filterFields,
  { value, label }: { value: string; label?: string },
  isExcluded: boolean,
) {
  const isNamed = label !== undefined && name !== "country";
  return {
    kind: "value" as const,
    name,
    value,
    isExcluded,
    words: isNamed ? label : value,
    hint: isNamed ? "" : (label ?? ""),
  };
}

function fits(typed: string, ...texts: string[]): boolean {
  return texts.some((text) => text.toLowerCase().includes(typed));
}
