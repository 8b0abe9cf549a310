import { decode } from "next-auth/jwt";
import { config, requireSetting } from "@/lib/config";

/** Whether people reach us by https: then cookies travel by nothing else. */
export function isHttps(): boolean {
  return config().PUBLIC_URL.startsWith("https:");
}

export type CookieUse = "session" | "csrf" | "callback" | "pkce" | "state" | "nonce";

/**
 * The full name of a cookie that only we may set: by https `__Host-`, which a browser takes from this very host alone
 * (RFC 6265bis, 4.1.3.2). A name of our own, because cookies know no ports and other things run on 127.0.0.1.
 */
export function cookieName(name: CookieUse): string {
  return `${isHttps() ? "__Host-" : ""}sealwatch.${name}`;
}

/** What every cookie of the sign-in carries: not for scripts, and not sent along with what other sites ask for. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps() } as const;
}

/** A `Set-Cookie` that takes a cookie away. */
export function forgetCookie(name: string): string {
  return `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isHttps() ? "; Secure" : ""}`;
}

/** Names the organization that a person with several works in; checked against their memberships at every request. */
export const ORGANIZATION_COOKIE = "sealwatch.organization";

/** The session that a signed cookie names, or null. Whether it still counts, the database says. */
export async function sessionIdOf(cookie: string | undefined): Promise<string | null> {
  if (cookie === undefined) return null;
  try {
    const token = await decode({ token: cookie, secret: requireSetting("SESSION_SECRET") });
    return typeof token?.sessionId === "string" ? token.sessionId : null;
  } catch {
    return null;
  }
}
