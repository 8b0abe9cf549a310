import {
  filterFields,
  filterNames,
  isFilter,
  type KnownValues,
  knownOf,
} from "@/components/audit-logs/filters/filter-fields";

/** What may come next: a filter to give a value to, a value, or text to look for. */
export type Suggestion =
  | { kind: "field"; name: string; words: string; hint: string }
  | { kind: "value"; name: string; value: string; isExcluded: boolean; words: string; hint: string }
  | { kind: "text"; text: string };

const MAX_VALUES = 60;
/** Of each filter, while none is named. */
const MAX_OF_EACH = 4;

/** `status:!4` taken apart: the filter that is being given a value, and what was typed of it. */
export function typedFilter(text: string): { name: string; isExcluded: boolean; typed: string } | null {
  const [, minus = "", name = "", not = "", typed = ""] = /^(-?)([a-z_]+):(!?)(.*)$/.exec(text.trimStart()) ?? [];
  const found = isFilter(name) ? name : filterNames.find((each) => filterFields[each].label === name);
  return found === undefined ? null : { name: found, isExcluded: minus !== "" || not !== "", typed: typed.trim() };
}

/** What fits what has been typed, the likeliest first. */
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
  // Of several values, the last one is being typed.
  const last = typed.split(",").at(-1)?.trim() ?? "";
  const found = knownOf(name, known)
    .filter(({ value, label = "" }) => fits(last.toLowerCase(), value, label))
    .slice(0, MAX_VALUES)
    .map((each) => toSuggestion(name, each, isExcluded));
  const isListed = found.some((each) => each.value === last);
  // What has ids is chosen by its name.
  const isClosed = filterFields[name].values !== undefined || name === "api_key_id" || name === "user_id";
  const isFree = last !== "" && !isListed && !isClosed && (name !== "country" || /^[A-Z]{2}$/.test(last));
  return isFree ? [...found, toSuggestion(name, { value: last }, isExcluded)] : found;
}

function someOf(name: keyof typeof filterFields, typed: string, known: KnownValues): Suggestion[] {
  return knownOf(name, known)
    .filter(({ value, label = "" }) => fits(typed, value, name === "flag" ? "" : label))
    .slice(0, MAX_OF_EACH)
    .map((each) => toSuggestion(name, each, false));
}

function toSuggestion(
  name: keyof typeof filterFields,
  { value, label }: { value: string; label?: string },
  isExcluded: boolean,
) {
  const isNamed = label !== undefined && name !== "flag" && name !== "country";
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
