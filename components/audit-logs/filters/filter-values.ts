/** What one filter asks: any of `include`, and none of `exclude`. */
export interface Asked {
  include: string[];
  exclude: string[];
}

/** A filter's text taken apart, as the API does it. */
export function asked(text: string | undefined): Asked {
  const values = (text ?? "").split(",").map((value) => value.trim());
  return {
    include: values.filter((value) => value !== "" && !value.startsWith("!")),
    exclude: values.flatMap((value) => (/^!./.test(value) ? [value.slice(1)] : [])),
  };
}

/** The text that asks for it; null where nothing is asked. */
export function written({ include, exclude }: Asked): string | null {
  return [...include, ...exclude.map((value) => `!${value}`)].join(",") || null;
}

/** The filter with one value more to be any of, or to be none of. */
export function withValue(text: string | undefined, value: string, isExcluded: boolean): string | null {
  const { include, exclude } = asked(text);
  const without = {
    include: include.filter((each) => each !== value),
    exclude: exclude.filter((each) => each !== value),
  };
  return written({
    include: isExcluded ? without.include : [...without.include, value],
    exclude: isExcluded ? [...without.exclude, value] : without.exclude,
  });
}

/** The filter without a value. */
export function withoutValue(text: string | undefined, value: string): string | null {
  const { include, exclude } = asked(text);
  return written({
    include: include.filter((each) => each !== value),
    exclude: exclude.filter((each) => each !== value),
  });
}

/** "is" to "is not" and back. */
export function inverted(text: string): string | null {
  const { include, exclude } = asked(text);
  return written({ include: exclude, exclude: include });
}

/** The filter that takes this value alone; a value that the API would take apart is asked for by what cannot be mistaken. */
export function only(value: string, isExcluded: boolean): string {
  return `${isExcluded ? "!" : ""}${value}`;
}
