/** The query of a page, as Next passes it. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The parameters that are given exactly once and are not empty. */
export async function single(searchParams: SearchParams): Promise<Record<string, string>> {
  const entries = Object.entries(await searchParams);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""),
  );
}
