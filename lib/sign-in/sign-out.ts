import { cookies } from "next/headers";
import type { NextRequest } from "next/server";
import * as z from "zod";
import { refuseCrossSite } from "@/lib/auth/identify";
import { cookieName, deleteCookie, sessionIdOf } from "@/lib/auth/session-cookie";
import { config, requireSetting } from "@/lib/config";
import { log } from "@/lib/log";
import { discoveryUrl } from "@/lib/sign-in/options";
import { endSession } from "@/lib/sign-in/sign-in";
import { signInPage } from "@/lib/sign-in/sign-in-refused";

const DISCOVERY_TIMEOUT_MS = 3_000;

const discoveryShape = z.object({ end_session_endpoint: z.url({ protocol: /^https?$/ }).optional() });

/** Ends the session and returns `{url}`: the page where the identity provider ends its own session, if it supports that. */
export async function signOut(request: NextRequest): Promise<Response> {
  const refusal = refuseCrossSite(Object.fromEntries(request.headers));
  if (refusal !== null) return Response.json({ error: { message: refusal.error.message } }, { status: 403 });
  const sessionId = await sessionIdOf((await cookies()).get(cookieName("session"))?.value);
  const ended = sessionId === null ? null : await endSession(sessionId);
  const url = ended === null ? "/sign-in" : await providersSignOut(ended.idToken);
  const headers = { "Set-Cookie": deleteCookie(cookieName("session")), "Cache-Control": "no-store" };
  return Response.json({ url }, { headers });
}

/**
 * The URL at which the identity provider ends its session and returns to our sign-in page (OpenID Connect RP-Initiated Logout 1.0, 2);
 * our own page if it does not support that or cannot be reached.
 */
async function providersSignOut(idToken: string | null): Promise<string> {
  try {
    const answer = await fetch(discoveryUrl(), {
      cache: "no-store",
      signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
    });
    const { end_session_endpoint } = discoveryShape.parse(await answer.json());
    if (end_session_endpoint === undefined) return "/sign-in";
    const url = new URL(end_session_endpoint);
    if (idToken !== null) url.searchParams.set("id_token_hint", idToken);
    url.searchParams.set("client_id", requireSetting("OIDC_CLIENT_ID"));
    url.searchParams.set("post_logout_redirect_uri", `${config().PUBLIC_URL}/sign-in`);
    return url.href;
  } catch (error) {
    log.warn({ err: error }, "the identity provider could not be reached to end its session");
    return signInPage("StillSignedIn");
  }
}
