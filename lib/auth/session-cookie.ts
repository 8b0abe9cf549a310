import { decode } from "next-auth/jwt";
import { config, requireSetting } from "@/lib/config";

/** `__Secure-` where cookies travel over https only, as next-auth names them. */
export function sessionCookieName(): string {
  return `${config().PUBLIC_URL.startsWith("https:") ? "__Secure-" : ""}next-auth.session-token`;
}

/** Names the organization that a person with several works in; checked against their memberships at every request. */
export const ORGANIZATION_COOKIE = "sealwatch.organization";

/** The session that a signed cookie names, or null. Whether it still counts, the database says. */
export async function sessionIdOf(cookie: string): Promise<string | null> {
  try {
    const token = await decode({ token: cookie, secret: requireSetting("SESSION_SECRET") });
    return typeof token?.sessionId === "string" ? token.sessionId : null;
  } catch {
    return null;
  }
}
