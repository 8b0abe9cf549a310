import type { Socket } from "node:net";
import { config } from "@/lib/config";
import { parseAddress } from "@/lib/http/client-address";
import { inNetworks } from "@/lib/networks";
import { isBarred } from "@/lib/rate-limits/abusive-addresses";
import { limitedAddress } from "@/lib/rate-limits/limit";

/** Open connections of each address, as rate limits count addresses. */
const open = new Map<string, number>();

/**
 * Whether a new connection is served. One address has so many at most, and none while it floods us without a valid credential;
 * trusted proxies, which stand for many, have as many as they like.
 */
export function admitConnection(socket: Socket, peer: string): boolean {
  const { TRUSTED_PROXIES, CONNECTIONS_PER_ADDRESS } = config();
  const client = parseAddress(peer);
  if (client !== null && inNetworks(client, TRUSTED_PROXIES)) return true;
  const address = limitedAddress(client);
  const count = open.get(address) ?? 0;
  if (count >= CONNECTIONS_PER_ADDRESS || isBarred(client)) return false;
  open.set(address, count + 1);
  socket.once("close", () => {
    const left = (open.get(address) ?? 1) - 1;
    if (left > 0) open.set(address, left);
    else open.delete(address);
  });
  return true;
}
