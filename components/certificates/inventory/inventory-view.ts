/** What the inventory can be narrowed by, as it stands in its address: the API's own filters. */
const names = ["name", "issuer", "key_type", "finding", "expires_before", "expires_after", "sha256", "unused"] as const;

export type InventoryFilter = (typeof names)[number];

/** The filters that an address asks for, as they were written. */
export function filtersOf(params: Record<string, string>): Partial<Record<InventoryFilter, string>> {
  return Object.fromEntries(names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
}

/** The address of the inventory with these parameters; those that are empty, and the usual order, are left out. */
export function inventoryHref(params: Record<string, string>): string {
  const kept = Object.entries(params).filter(
    ([name, value]) => value !== "" && !(name === "sort" && value === "expiry"),
  );
  return kept.length === 0 ? "/certificates/inventory" : `/certificates/inventory?${new URLSearchParams(kept)}`;
}
