import type { IncomingMessage } from "node:http";
import { config } from "@/lib/config";
import { arrivals } from "@/lib/http/arrival";
import { clientAddress } from "@/lib/http/client-address";
import { countryOf } from "@/lib/http/country";

/** The address of a request's client, which trusted proxies pass on; null if it is unknown. */
export function addressOf(message: IncomingMessage, peer: string): string | null {
  const forwarded = message.headersDistinct["x-forwarded-for"]?.join(",") ?? null;
  return clientAddress(peer, forwarded, config().TRUSTED_PROXIES);
}

/** Address, country and user agent of the client of the current request; nulls outside a request. */
export function clientOf(): { ip_address: string | null; country: string | null; user_agent: string | null } {
  const arrival = arrivals.getStore();
  if (arrival === undefined) return { ip_address: null, country: null, user_agent: null };
  const { message, peer } = arrival;
  const ip_address = addressOf(message, peer);
  return { ip_address, country: countryOf(ip_address), user_agent: message.headers["user-agent"] ?? null };
}
