/** A page's query, as Next gives it. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The query's values that are given once. */
export async function single(searchParams: SearchParams): Promise<Record<string, string>> {
  const entries = Object.entries(await searchParams);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""),
  );
}
