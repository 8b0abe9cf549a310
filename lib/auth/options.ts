import type { NextAuthOptions } from "next-auth";
import { endSession, refuseSignIn, signIn } from "@/lib/auth/sign-in";
import { config, requireSetting } from "@/lib/config";
import { log } from "@/lib/log";

/** How long a session lasts, in seconds. */
export const SESSION_SECONDS = 12 * 60 * 60;

interface Profile {
  sub?: string;
  email?: string;
  name?: string;
  preferred_username?: string;
}

/** next-auth for any OpenID Connect issuer. The cookie carries only the id of a row in `sessions`. */
export function authOptions(): NextAuthOptions {
  const issuer = requireSetting("OIDC_ISSUER");
  return {
    secret: requireSetting("SESSION_SECRET"),
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    useSecureCookies: config().PUBLIC_URL.startsWith("https:"),
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    providers: [
      {
        id: "oidc",
        name: "your identity provider",
        type: "oauth",
        wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
        issuer,
        clientId: requireSetting("OIDC_CLIENT_ID"),
        clientSecret: requireSetting("OIDC_CLIENT_SECRET"),
        idToken: true,
        checks: ["pkce", "state", "nonce"],
        authorization: { params: { scope: "openid email profile" } },
        profile: (profile: Profile) => ({
          id: profile.sub ?? "",
          email: profile.email ?? null,
          name: profile.name ?? profile.preferred_username ?? profile.email ?? null,
        }),
      },
    ],
    callbacks: {
      async signIn({ user }) {
        if (user.id && user.email) return true;
        await refuseSignIn("The identity provider gave no subject or no e-mail address.");
        return "/sign-in?error=NoEmail";
      },
      async jwt({ token, user, account }) {
        if (!account || !user) return token;
        const email = user.email ?? "";
        const sessionId = await signIn({ issuer, subject: user.id, email, name: user.name ?? email }, SESSION_SECONDS);
        return { sessionId };
      },
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sessionId === "string") await endSession(token.sessionId);
      },
    },
    logger: {
      error: (code, details) => log.error({ code, details }, "sign-in failed"),
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => {},
    },
  };
}
