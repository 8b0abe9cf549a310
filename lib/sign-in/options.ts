import type { NextAuthOptions } from "next-auth";
import { withoutSlash } from "@/lib/auth/issuer";
import { safePath } from "@/lib/auth/safe-path";
import { type CookieUse, cookieName, cookieOptions, isHttps } from "@/lib/auth/session-cookie";
import { config, requireSetting } from "@/lib/config";
import { log } from "@/lib/log";
import { attempts } from "@/lib/sign-in/attempt";
import { signIn } from "@/lib/sign-in/sign-in";
import { refusalOf, SignInRefused } from "@/lib/sign-in/sign-in-refused";
import { groupsOf, personOf } from "@/lib/sign-in/vouched-person";

/** Timeout for the start of each response of the identity provider, in milliseconds. */
const PROVIDER_TIMEOUT_MS = 5_000;

function cookie(use: CookieUse) {
  return { name: cookieName(use), options: cookieOptions() };
}

/** The URL of the identity provider's metadata (OpenID Connect Discovery 1.0, 4). */
export function discoveryUrl(): string {
  return `${withoutSlash(requireSetting("OIDC_ISSUER"))}/.well-known/openid-configuration`;
}

/** next-auth for any OpenID Connect issuer. The cookie carries only the id of a row in `sessions`. */
export function authOptions(): NextAuthOptions {
  const issuer = requireSetting("OIDC_ISSUER");
  const { SESSION_HOURS, OIDC_EMAIL_VERIFIED, OIDC_GROUPS_CLAIM } = config();
  return {
    secret: requireSetting("SESSION_SECRET"),
    session: { strategy: "jwt", maxAge: SESSION_HOURS * 3600 },
    useSecureCookies: isHttps(),
    cookies: {
      sessionToken: cookie("session"),
      csrfToken: cookie("csrf"),
      callbackUrl: cookie("callback"),
      pkceCodeVerifier: cookie("pkce"),
      state: cookie("state"),
      nonce: cookie("nonce"),
    },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    providers: [
      {
        id: "oidc",
        name: "your identity provider",
        type: "oauth",
        wellKnown: discoveryUrl(),
        issuer,
        clientId: requireSetting("OIDC_CLIENT_ID"),
        clientSecret: requireSetting("OIDC_CLIENT_SECRET"),
        idToken: true,
        checks: ["pkce", "state", "nonce"],
        authorization: { params: { scope: "openid email profile" } },
        httpOptions: { timeout: PROVIDER_TIMEOUT_MS },
        profile: ({ sub }: { sub: string }) => ({ id: sub }),
      },
    ],
    callbacks: {
      redirect: async ({ url, baseUrl }) => baseUrl + safePath(url),
      async jwt({ token, account, profile }) {
        if (!account) return token;
        const attempt = attempts.getStore();
        if (attempt?.isOver) throw new SignInRefused("ProviderAway", "The identity provider took too long.");
        const person = personOf(profile, issuer, OIDC_EMAIL_VERIFIED);
        const groups = OIDC_GROUPS_CLAIM === undefined ? undefined : groupsOf(profile, OIDC_GROUPS_CLAIM);
        return { sessionId: await signIn({ ...person, groups }, account.id_token ?? null, attempt?.replaces ?? null) };
      },
    },
    logger: {
      error(code, details) {
        const error: unknown = details instanceof Error ? details : (details.error ?? details);
        const attempt = attempts.getStore();
        if (attempt) attempt.error ??= error;
        log.warn({ code, reason: refusalOf(error).reason }, "sign-in failed");
      },
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => {},
    },
  };
}
