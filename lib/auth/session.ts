import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { type FoundSession, findSession } from "@/lib/auth/find-session";
import { cookieName, ORGANIZATION_COOKIE, sessionIdOf } from "@/lib/auth/session-cookie";
import { signInPath } from "@/lib/auth/sign-in-path";
import { arrivals } from "@/lib/http/arrival";
import { ORGANIZATION_HEADER } from "@/lib/http/page-organization";
import type { Principal } from "@/lib/http/principal";
import { setSpanAttributes } from "@/lib/tracing/span";

/** The signed-in person, read once per page; null if nobody is signed in. */
export const currentSession = cache(async (): Promise<FoundSession | null> => {
  const jar = await cookies();
  return readSession(jar, jar.get(ORGANIZATION_COOKIE)?.value);
});

/**
 * For a route from which a page reads more of what it shows: the session, in the organization that the page names because another tab
 * may have selected another. Without one, the status to answer: 401, or 403 if the person is not a member of it any more.
 */
export async function pageSession(request: Request): Promise<FoundSession | 401 | 403> {
  const [jar, named] = [await cookies(), request.headers.get(ORGANIZATION_HEADER)];
  const found = await readSession(jar, named ?? jar.get(ORGANIZATION_COOKIE)?.value);
  if (found === null) return 401;
  return named === null || named === found.principal.organizationId ? found : 403;
}

async function readSession(jar: Awaited<ReturnType<typeof cookies>>, wanted = ""): Promise<FoundSession | null> {
  const sessionId = await sessionIdOf(jar.get(cookieName("session"))?.value);
  const found = sessionId === null ? null : await findSession(sessionId, wanted);
  if (found !== null) setSpanAttributes({ "sealwatch.organization_id": found.principal.organizationId });
  return found;
}

/** The first line of every dashboard page: returns the principal or redirects to the sign-in page, which leads back to the page. */
export async function requirePrincipal(): Promise<Principal> {
  return (await requireSession()).principal;
}

/** Like `requirePrincipal`, with the organizations that the person can switch to. */
export async function requireSession(): Promise<FoundSession> {
  const session = await currentSession();
  if (session === null) redirect(signInPath(arrivals.getStore()?.target ?? "/"));
  return session;
}
