import { decode } from "next-auth/jwt";
import { config, requireSetting } from "@/lib/config";

/** Whether the public URL uses https; cookies are then sent only by https. */
export function isHttps(): boolean {
  return config().PUBLIC_URL.startsWith("https:");
}

export type CookieUse = "session" | "csrf" | "callback" | "pkce" | "state" | "nonce";

/**
 * The full name of a cookie. With https it has the prefix `__Host-`, which browsers accept only from this exact host (RFC 6265bis,
 * 4.1.3.2). The name is specific to Sealwatch, because cookies ignore ports and other services run on 127.0.0.1.
 */
export function cookieName(name: CookieUse): string {
  return `${isHttps() ? "__Host-" : ""}sealwatch.${name}`;
}

/** Attributes of all sign-in cookies: not readable by scripts, and not sent with requests from other sites. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: isHttps() } as const;
}

/** A `Set-Cookie` header that deletes a cookie. */
export function deleteCookie(name: string): string {
  return `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${isHttps() ? "; Secure" : ""}`;
}

/** The cookie with the organization that a person has selected; checked against their memberships for every request. */
export const ORGANIZATION_COOKIE = "sealwatch.organization";

/** The session id in a signed cookie, or null. The database decides whether the session is still valid. */
export async function sessionIdOf(cookie: string | undefined): Promise<string | null> {
  if (cookie === undefined) return null;
  try {
    const token = await decode({ token: cookie, secret: requireSetting("SESSION_SECRET") });
    return typeof token?.sessionId === "string" ? token.sessionId : null;
  } catch {
    return null;
  }
}
