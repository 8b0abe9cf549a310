export const INVENTORY = "/certificates/inventory";
/** The order without a choice. */
export const USUAL_SORT = "expiry";

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

/** The parts of a URL that make up its list: filters, order and page. */
export function viewOf(params: Record<string, string>): Record<string, string> {
  const { sort, order, cursor } = params;
  return { ...filtersOf(params), ...(sort && { sort }), ...(order && { order }), ...(cursor && { cursor }) };
}
