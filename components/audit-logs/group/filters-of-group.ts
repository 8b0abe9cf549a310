import { formatFilter, parseFilter } from "@/components/audit-logs/filters/filter-values";
import { filterOf, type GroupDimension } from "@/lib/audit-logs/group/dimensions";
import { parseNetwork } from "@/lib/networks";

/**
 * The filters, by name, that find the entries of a group in a list with the filters of `params`. Null if no filter does: an entry
 * has several flags, and a filter finds those with any of its values.
 */
export function filtersOfGroup(
  by: readonly GroupDimension[],
  values: readonly string[],
  params: Record<string, string>,
): Record<string, string | null> | null {
  const filters: Record<string, string | null> = {};
  for (const [at, dimension] of by.entries()) {
    // Both are the filter `ip`, and the address is in the network.
    if (dimension === "network" && by.includes("ip")) continue;
    const name = filterOf(dimension);
    const { include, exclude } = parseFilter(params[name]);
    const value = values[at] ?? "";
    if (dimension === "flag" && include.length > 0 && !include.includes(value)) return null;
    const chosen = dimension === "network" ? within(value, include) : [value];
    // An entry has one value of every other dimension, which is none of the excluded ones.
    const isOneOfSeveral = dimension === "flag" || dimension === "network";
    filters[name] = formatFilter({ include: chosen, exclude: isOneOfSeveral ? exclude : [] });
  }
  return filters;
}

/** What addresses or networks have in common with a network. Without any, that is the network. */
function within(network: string, include: readonly string[]): string[] {
  const narrower = include.some((each) => covers(each, network)) ? [] : include.filter((each) => covers(network, each));
  return narrower.length === 0 ? [network] : narrower;
}

function covers(outer: string, inner: string): boolean {
  const [[network, outerBits], [address, innerBits]] = [parseNetwork(outer), parseNetwork(inner)];
  return network.kind() === address.kind() && outerBits <= innerBits && address.match(network, outerBits);
}
