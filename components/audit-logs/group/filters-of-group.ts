import ipaddr from "ipaddr.js";
import { formatFilter, parseFilter } from "@/components/audit-logs/filters/filter-values";
import { filterOf, type GroupDimension } from "@/lib/audit-logs/group/dimensions";

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
    filters[name] = formatFilter({ include: dimension === "network" ? within(value, include) : [value], exclude });
  }
  return filters;
}

/** What addresses or networks have in common with a network. Without any, that is the network. */
function within(network: string, include: readonly string[]): string[] {
  const isWhole = include.length === 0 || include.some((each) => covers(each, network));
  return isWhole ? [network] : include.filter((each) => covers(network, each));
}

function covers(outer: string, inner: string): boolean {
  const [[network, outerBits], [address, innerBits]] = [rangeOf(outer), rangeOf(inner)];
  return network.kind() === address.kind() && outerBits <= innerBits && address.match(network, outerBits);
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes("/")) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
