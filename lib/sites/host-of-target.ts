import { parseHost } from "@/lib/network/host";
import { checkedHost, hostOf } from "@/lib/uptime/target";

/** The host of a monitor's target in canonical form, for DNS the name that is looked up; null if it has none. */
export function hostOfTarget({ type, target }: { type: string; target: string }): string | null {
  try {
    if (type === "dns") return parseHost(target);
    return type === "http" ? parseHost(hostOf(new URL(target))) : checkedHost(type, target);
  } catch {
    return null;
  }
}

/** The host in a part of an address, in canonical form; null if it is not a host. */
export function hostOfPath(part: string): string | null {
  try {
    return parseHost(decodeURIComponent(part));
  } catch {
    return null;
  }
}

/** The address of a host's page. */
export function sitePath(host: string): string {
  return `/sites/${encodeURIComponent(host)}`;
}
