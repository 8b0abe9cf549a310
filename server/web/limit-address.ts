import type { IncomingMessage, ServerResponse } from "node:http";
import { errorResponse } from "@/lib/api/respond";
import { parseCookies } from "@/lib/auth/identify";
import { cookieName, sessionIdOf } from "@/lib/auth/session-cookie";
import { addressOf } from "@/lib/http/origin";
import { newId } from "@/lib/ids";
import { checkWindow, limitedAddress, rateLimited } from "@/lib/rate-limits/limit";
import { limitsItself } from "@/server/web/dispatch";
import type { RequestGroup } from "@/server/web/measure-response";

/** Requests of one address in 60 seconds. A sign-in takes three. */
const limits = {
  "sign-in": { perMinute: 100, what: "sign-ins" },
  pages: { perMinute: 300, what: "requests" },
} as const;

/** Whether a target is a sign-in or sign-out route, which people use before they have a credential. */
function isSignIn(target: string): boolean {
  return /^\/api\/auth(?:[/?#]|$)/i.test(target);
}

/** The limit that a request outside of the API counts against: of sign-ins, or of pages unless a session requests one. */
async function limitOf(
  { headers }: IncomingMessage,
  target: string,
  group: RequestGroup,
): Promise<keyof typeof limits | null> {
  if (isSignIn(target)) return "sign-in";
  if (group !== "pages" || limitsItself(target)) return null;
  const cookie = parseCookies(headers.cookie ?? "").get(cookieName("session"));
  return (await sessionIdOf(cookie)) === null ? "pages" : null;
}

/**
 * Refuses a request outside of the API if its address is over the limit: with text for a browser's page, with JSON otherwise. Returns
 * false if the request may be served. Refusals here are not recorded.
 */
export async function refuseAddress(
  message: IncomingMessage,
  response: ServerResponse,
  { target, group, peer }: { target: string; group: RequestGroup; peer: string },
): Promise<boolean> {
  const name = await limitOf(message, target, group);
  if (name === null) return false;
  const { perMinute, what } = limits[name];
  const limit = await checkWindow(name, perMinute, limitedAddress(addressOf(message, peer)), true);
  if (limit.admitted) return false;
  const refusal = rateLimited(limit);
  const isPage = message.headers.accept?.includes("text/html") ?? false;
  const answer = errorResponse(refusal, newId(), message.method ?? "");
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    "Cache-Control": "no-store",
    ...(isPage && { "content-type": "text/plain; charset=utf-8" }),
    Connection: "close",
  });
  response.end(isPage ? `Too many ${what} from your address. ${refusal.message}` : await answer.text());
  return true;
}
