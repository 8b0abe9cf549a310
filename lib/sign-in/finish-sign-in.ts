import { cookies } from "next/headers";
import type { NextRequest } from "next/server";
import { safePath } from "@/lib/auth/safe-path";
import { cookieName, deleteCookie } from "@/lib/auth/session-cookie";
import { logFailure } from "@/lib/db/outage-log";
import { callNextAuth } from "@/lib/sign-in/call-next-auth";
import { refuseSignIn } from "@/lib/sign-in/sign-in";
import { refusalOf, SignInRefused, signInPage } from "@/lib/sign-in/sign-in-refused";

/** Handles the return from the identity provider: opens a session and redirects to the requested page, or to the sign-in page with an error. */
export async function finishSignIn(request: NextRequest): Promise<Response> {
  const jar = await cookies();
  try {
    if (!jar.has(cookieName("state")))
      throw new SignInRefused("NotStarted", "No sign-in is in progress in this browser.");
    const error = request.nextUrl.searchParams.get("error");
    if (error !== null) throw refusedByProvider(error);
    return await callNextAuth(request, ["callback", "oidc"], "session");
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused.isRecorded) {
      await refuseSignIn(refused.reason).catch((failure: unknown) => {
        logFailure("a refused sign-in could not be recorded", failure);
      });
    }
    const headers = new Headers({
      Location: signInPage(refused.code, safePath(jar.get(cookieName("callback"))?.value)),
    });
    // State, PKCE and nonce are used up, whatever the outcome.
    for (const use of ["state", "pkce", "nonce"] as const) headers.append("Set-Cookie", deleteCookie(cookieName(use)));
    return new Response(null, { status: 303, headers });
  }
}

/** OAuth 2.0 (RFC 6749, 4.1.2.1) and OpenID Connect Core 1.0, 3.1.2.6 define closed lists of errors, which extensions may add to. */
function refusedByProvider(error: string): SignInRefused {
  const word = /^[a-z_]{1,40}$/.test(error) ? error : "an unknown error";
  const code = word === "access_denied" ? "Declined" : "ProviderError";
  return new SignInRefused(code, `The identity provider returned ${word}.`);
}
