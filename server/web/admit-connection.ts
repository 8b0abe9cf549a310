import type { Socket } from "node:net";
import { config } from "@/lib/config";
import { parseAddress } from "@/lib/http/client-address";
import { inNetworks } from "@/lib/networks";
import { isBarred } from "@/lib/rate-limits/abusive-addresses";
import { limitedAddress } from "@/lib/rate-limits/limit";

/** Open connections by address, in the form that rate limits use. */
const open = new Map<string, number>();

/**
 * Whether to serve a new connection. An address has a maximum number of connections, and none while it floods the server without
 * a valid credential. Trusted proxies have no maximum, because they serve many clients.
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
