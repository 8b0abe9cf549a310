import { knownOf } from "@/components/audit-logs/filters/completion/closed-values";
import {
  type FilterName,
  filterFields,
  filterNames,
  isFilter,
  type KnownValues,
} from "@/components/audit-logs/filters/filter-fields";
import { formatFilter, parseFilter } from "@/components/audit-logs/filters/filter-values";

/**
 * Parses the text of the filter box. `name:value` pairs with known names are filters (`-name:` and `!value` exclude, quotes
 * hold a value with spaces together); the rest is text to search for. Keys and users can be given by name.
 */
export function parseSearch(text: string, known: KnownValues): Record<string, string> {
  const words: string[] = [];
  const found: Record<string, string> = {};
  for (const [word] of text.matchAll(/(?:-?[a-z_]+:)?"[^"]*"|\S+/g)) {
    const [, minus, typed = "", value = ""] = /^(-?)([a-z_]+):(.+)$/.exec(word) ?? [];
    const name = isFilter(typed) ? typed : filterNames.find((each) => filterFields[each].label === typed);
    if (name === undefined) words.push(word);
    else found[name] = parseValues(name, value.replace(/^"|"$/g, ""), minus === "-", known);
  }
  return words.length > 0 ? { ...found, q: words.join(" ") } : found;
}

/** The text of a filter from typed values; `isExcluded` excludes all of them. Keys and users can be given by name. */
export function parseValues(name: FilterName, text: string, isExcluded: boolean, known: KnownValues): string {
  if (filterFields[name].single) return text;
  const names = new Map(knownOf(name, known).map(({ value, label }) => [label?.toLowerCase(), value]));
  const named = (values: string[]) => values.map((value) => names.get(value.toLowerCase()) ?? value);
  const { include, exclude } = parseFilter(text);
  const values = isExcluded
    ? { include: [], exclude: named([...include, ...exclude]) }
    : { include: named(include), exclude: named(exclude) };
  return formatFilter(values) ?? text;
}
