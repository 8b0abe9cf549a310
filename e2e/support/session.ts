import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { Api, newAddress } from "@/e2e/support/api";
import { bind } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { cookieName, ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";
import { signIn } from "@/lib/sign-in/sign-in";

export interface SignedIn {
  userId: string;
  email: string;
  sessionId: string;
  /** Created by the first sign-in, as for every new person. */
  organizationId: string;
  cookie: string;
  /** A caller with the cookie that reads and writes like our own pages. */
  api: Api;
  /** The same person, working in another of their organizations. */
  in: (organizationId: string) => Api;
}

/** Signs a new person in, with the verb that runs after the identity provider has authenticated them. */
export async function newSession(server: Sealwatch): Promise<SignedIn> {
  bind(server);
  const subject = randomUUID();
  const person = {
    issuer: "https://id.test",
    subject,
    email: `${subject}@example.test`,
    name: `Person ${subject}`,
    isVerified: true,
  };
  const sessionId = await signIn(person);
  const [row] = await query<{ user_id: string; organization_id: string }>(
    server,
    "app",
    "SELECT user_id, organization_id FROM sessions JOIN memberships USING (user_id) WHERE id = $1",
    [sessionId],
  );
  if (row === undefined) throw new Error("the sign-in left no session");
  const cookie = await sessionCookie(server, sessionId);
  const api = new Api(server.url, { cookie, origin: server.url, "x-forwarded-for": newAddress() });
  return {
    userId: row.user_id,
    email: person.email,
    sessionId,
    organizationId: row.organization_id,
    cookie,
    api,
    in: (organizationId) => api.with({ cookie: `${cookie}; ${ORGANIZATION_COOKIE}=${organizationId}` }),
  };
}

/** The cookie that a browser has for a session, as `name=value`. */
export async function sessionCookie(server: Sealwatch, sessionId: string): Promise<string> {
  const token = await encode({ token: { sessionId }, secret: server.sessionSecret });
  return `${cookieName("session")}=${token}`;
}
