import {
  filterFields,
  filterNames,
  isFilter,
  type KnownValues,
  nameOf,
} from "@/components/audit-logs/filters/filter-fields";
import { parseFilter } from "@/components/audit-logs/filters/filter-values";

/** A filter in words: `status is not` and `404, 410`. */
interface FilterWords {
  label: string;
  words: string;
  /** Whether it only excludes values. */
  isNot: boolean;
  /** Its values; none of a filter that takes a single text. */
  values: readonly string[];
}

export function filterWords(name: string, text: string, known: KnownValues): FilterWords {
  const field = isFilter(name) ? filterFields[name] : { label: name, single: undefined };
  if (field.single === true) return { label: field.label, words: nameOf(name, text, known), isNot: false, values: [] };
  const { include, exclude } = parseFilter(text);
  const names = (values: string[]) => values.map((value) => nameOf(name, value, known));
  const isNot = include.length === 0 && exclude.length > 0;
  const words = isNot ? names(exclude) : [...names(include), ...names(exclude).map((each) => `not ${each}`)];
  return {
    label: isNot ? `${field.label} is not` : field.label,
    words: words.join(", "),
    isNot,
    values: [...include, ...exclude],
  };
}

/** Stored filters in display order: the database does not keep theirs. */
export function inDisplayOrder(filters: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const position = (name: string) => (isFilter(name) ? filterNames.indexOf(name) : filterNames.length);
  const set = Object.entries(filters).filter((each): each is [string, string] => each[1] !== undefined);
  return Object.fromEntries(set.sort(([one], [other]) => position(one) - position(other)));
}
