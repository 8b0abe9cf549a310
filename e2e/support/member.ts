import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { type Permission, systemPrincipal } from "@/lib/http/principal";
import { removeMemberByEmail, setMember } from "@/lib/organizations/set-member";

/** A signed-in person who is a member of an organization in addition to their own. */
export interface Member extends SignedIn {
  email: string;
  /** Takes effect with their next request. */
  permit: (permission: Permission) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** Adds a new person to an organization, with the verbs of the operator's commands. */
export async function newMember(server: Sealwatch, organizationId: string, permission: Permission): Promise<Member> {
  const session = await newSession(server);
  const [user] = await query<{ email: string }>(server, "app", "SELECT email FROM users WHERE id = $1", [
    session.userId,
  ]);
  const email = user?.email ?? "";
  const principal = systemPrincipal(organizationId);
  const permit = (permission: Permission) =>
    withAuditEvent({ action: "member.set", principal }, () => setMember(principal, { email, permission }));
  await permit(permission);
  return {
    ...session,
    email,
    permit,
    remove: () =>
      withAuditEvent({ action: "member.remove", principal }, () => removeMemberByEmail(principal, { email })),
  };
}
