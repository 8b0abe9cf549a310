/** The inventory's filters, named in the URL as in the API. */
const names = [
  "name",
  "issuer",
  "key_type",
  "usage",
  "finding",
  "expires_before",
  "expires_after",
  "sha256",
  "unused",
] as const;

export type InventoryFilter = (typeof names)[number];

/** The filters in a URL, unparsed. */
export function filtersOf(params: Record<string, string>): Partial<Record<InventoryFilter, string>> {
  return Object.fromEntries(names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
}

/** The inventory's URL with these parameters, without empty ones and the default order. */
export function inventoryHref(params: Record<string, string>): string {
  const kept = Object.entries(params).filter(
    ([name, value]) => value !== "" && !(name === "sort" && value === "expiry"),
  );
  return kept.length === 0 ? "/certificates/inventory" : `/certificates/inventory?${new URLSearchParams(kept)}`;
}
