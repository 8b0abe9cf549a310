import { inNetworks, parseNetwork } from "@/lib/networks";

/** Whether a whitelist in canonical form refuses an address. An empty one refuses none; any other refuses unknown addresses. */
export function refusedBy(whitelist: readonly string[]): (address: string | null) => boolean {
  if (whitelist.length === 0) return () => false;
  const networks = whitelist.map(parseNetwork);
  return (address) => address === null || !inNetworks(address, networks);
}
