import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { type Permission, systemPrincipal } from "@/lib/http/principal";
import { removeMemberByEmail, setMember } from "@/lib/organizations/set-member";

/** Someone who signed in and is a member of an organization besides their own. */
export interface Member extends SignedIn {
  email: string;
  /** From their next request on. */
  permit: (permission: Permission) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** Makes somebody new a member of an organization, by the verbs that the operator's commands run. */
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
