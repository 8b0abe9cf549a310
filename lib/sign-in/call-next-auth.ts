import { cookies } from "next/headers";
import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { cookieName, sessionIdOf } from "@/lib/auth/session-cookie";
import { type Attempt, attempts } from "@/lib/sign-in/attempt";
import { authOptions } from "@/lib/sign-in/options";
import { refusalOf, SignInRefused } from "@/lib/sign-in/sign-in-refused";

/** Timeout for the three responses that a sign-in needs from the identity provider, including responses that never end. */
const TIMEOUT_MS = 20_000;

/**
 * Runs one of next-auth's endpoints. If `proof` is given, the response counts only if it sets that cookie. next-auth reports failures
 * only by a redirect, so the reason is taken from its logger. Throws SignInRefused.
 */
export async function callNextAuth(
  request: NextRequest,
  endpoint: string[],
  proof?: "state" | "session",
): Promise<Response> {
  const attempt: Attempt = { replaces: await sessionIdOf((await cookies()).get(cookieName("session"))?.value) };
  const context = { params: Promise.resolve({ nextauth: endpoint }) };
  const work = attempts.run(attempt, () => NextAuth(request, context, authOptions()) as Promise<Response>);
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      attempt.isOver = true;
      reject(new SignInRefused("ProviderAway", "The identity provider took too long."));
    }, TIMEOUT_MS);
  });
  const answer = await Promise.race([work, deadline]).finally(() => clearTimeout(timer));
  if (attempt.error !== undefined) throw refusalOf(attempt.error);
  const set = answer.headers.getSetCookie();
  if (proof && !set.some((cookie) => cookie.startsWith(`${cookieName(proof)}=`)))
    throw new SignInRefused("NotStarted", "The request does not match any sign-in page.");
  return answer;
}
