import type { IncomingMessage, ServerResponse } from "node:http";
import { config } from "@/lib/config";
import { clientAddress } from "@/lib/http/client-address";
import { checkWindow, limitedAddress, rateLimited } from "@/lib/rate-limits/limit";

/** Requests of one address to the sign-in and sign-out routes in 60 seconds; a sign-in takes three. */
const MAX_A_MINUTE = 100;

/** Whether a target is a sign-in or sign-out route, which people use before they have a credential. */
export function isSignIn(target: string): boolean {
  return /^\/api\/auth(?:[/?#]|$)/i.test(target);
}

/**
 * Refuses a request to such a route if its address is over the limit: with JSON, or with text if a browser returns from the
 * identity provider. Returns false if the request may be served. Refusals here are not recorded.
 */
export async function refuseSignIn(message: IncomingMessage, response: ServerResponse, peer: string): Promise<boolean> {
  const forwarded = message.headersDistinct["x-forwarded-for"]?.join(",") ?? null;
  const address = clientAddress(peer, forwarded, config().TRUSTED_PROXIES);
  const limit = await checkWindow("sign-in", MAX_A_MINUTE, limitedAddress(address), true);
  if (limit.admitted) return false;
  const { code, message: text, details } = rateLimited(limit);
  const isPage = message.headers.accept?.includes("text/html") ?? false;
  response.writeHead(429, {
    "Retry-After": String(limit.retryAfter),
    "Cache-Control": "no-store",
    "Content-Type": isPage ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
    Connection: "close",
  });
  response.end(
    isPage
      ? `Too many sign-ins from your address. ${text}`
      : JSON.stringify({ error: { code, message: text, ...details } }),
  );
  return true;
}
