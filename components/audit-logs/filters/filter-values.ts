import { splitValues, writeValue } from "@/lib/text/value-list";

/** The values of one filter: any of `include`, and none of `exclude`. */
interface FilterValues {
  include: string[];
  exclude: string[];
}

/** Parses a filter's text as the API does. */
export function parseFilter(text: string | undefined): FilterValues {
  const values = splitValues(text ?? "").filter(({ value }) => value !== "");
  return {
    include: values.flatMap(({ value, isExcluded }) => (isExcluded ? [] : [value])),
    exclude: values.flatMap(({ value, isExcluded }) => (isExcluded ? [value] : [])),
  };
}

/** The text of a filter; null if it has no values. */
export function formatFilter({ include, exclude }: FilterValues): string | null {
  const written = [
    ...include.map((value) => writeValue(value, false)),
    ...exclude.map((value) => writeValue(value, true)),
  ];
  return written.join(",") || null;
}

/** Adds a value to the filter, included or excluded. */
export function withValue(text: string | undefined, value: string, isExcluded: boolean): string | null {
  const { include, exclude } = parseFilter(text);
  const without = {
    include: include.filter((each) => each !== value),
    exclude: exclude.filter((each) => each !== value),
  };
  return formatFilter({
    include: isExcluded ? without.include : [...without.include, value],
    exclude: isExcluded ? [...without.exclude, value] : without.exclude,
  });
}

/** Removes a value from the filter. */
export function withoutValue(text: string | undefined, value: string): string | null {
  const { include, exclude } = parseFilter(text);
  return formatFilter({
    include: include.filter((each) => each !== value),
    exclude: exclude.filter((each) => each !== value),
  });
}

/** Swaps "is" and "is not". */
export function invertFilter(text: string): string | null {
  const { include, exclude } = parseFilter(text);
  return formatFilter({ include: exclude, exclude: include });
}
