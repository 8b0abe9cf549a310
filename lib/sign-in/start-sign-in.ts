import type { NextRequest } from "next/server";
import { refuseCrossSite } from "@/lib/auth/identify";
import { log } from "@/lib/log";
import { callNextAuth } from "@/lib/sign-in/call-next-auth";
import { refusalOf, signInPage } from "@/lib/sign-in/sign-in-refused";

/** Returns `{url}`: the identity provider's page, with state, PKCE and nonce in cookies, or our own page with an error. */
export async function startSignIn(request: NextRequest): Promise<Response> {
  // next-auth would forward a query to the identity provider.
  if (request.nextUrl.search !== "" || refuseCrossSite(Object.fromEntries(request.headers)) !== null) {
    return Response.json({ url: signInPage("NotStarted") }, { status: 403 });
  }
  try {
    const answer = await callNextAuth(request, ["signin", "oidc"], "state");
    const { url } = (await answer.clone().json()) as { url: string };
    if (/^https?:$/.test(new URL(url).protocol)) return answer;
    throw new Error("the authorization endpoint is not a web address");
  } catch (error) {
    const { code, reason } = refusalOf(error);
    log.warn({ code, reason }, "a sign-in could not be started");
    return Response.json({ url: signInPage(code) });
  }
}
