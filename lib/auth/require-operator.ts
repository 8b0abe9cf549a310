import { notFound } from "next/navigation";
import type { FoundSession } from "@/lib/auth/find-session";
import { currentSession } from "@/lib/auth/session";

/** The first line of the operator's page and its layout: everybody else, also without a session, gets 404. */
export async function requireOperator(): Promise<FoundSession> {
  const session = await currentSession();
  if (session === null || !session.isOperator) notFound();
  return session;
}
