import { inNetworks, parseNetwork } from "@/lib/networks";

/** Whether a whitelist in canonical form refuses an address. An empty one refuses none, any other an address that is not known. */
export function refusedBy(whitelist: readonly string[]): (address: string | null) => boolean {
  if (whitelist.length === 0) return () => false;
  const networks = whitelist.map(parseNetwork);
  return (address) => address === null || !inNetworks(address, networks);
}
