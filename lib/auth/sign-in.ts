import { clientOf } from "@/lib/api/origin";
import { change } from "@/lib/audit-logs/change";
import { recorded } from "@/lib/audit-logs/close";
import { record } from "@/lib/auth/identify";
import type { Transaction } from "@/lib/db/app";
import { newId } from "@/lib/ids";
import { createOrganizationIn } from "@/lib/organizations/create";

/** A person as the identity provider vouches for them. */
export interface Person {
  issuer: string;
  subject: string;
  email: string;
  name: string;
}

/**
 * Opens a session for a person, known by issuer and subject. Someone unknown becomes `admin` of an organization of their
 * own. Returns the session's id.
 */
export async function signIn(person: Person, seconds: number): Promise<string> {
  return recorded({ action: "session.sign_in" }, async (event) => {
    Object.assign(event.row, clientOf());
    return change(async (tx) => {
      const now = event.occurredAt;
      const user = await tx.user.upsert({
        where: { issuer_subject: { issuer: person.issuer, subject: person.subject } },
        create: { id: newId(), ...person, createdAt: now },
        update: { email: person.email, name: person.name },
      });
      const { organizationId, plan } = await firstOrganization(tx, user.id, person.name, now);
      const actor = { type: "user", id: user.id, name: user.name, email: user.email } as const;
      record(event, { organizationId, actor }, plan);
      const session = await tx.session.create({
        data: { id: newId(), userId: user.id, createdAt: now, expiresAt: new Date(now.getTime() + seconds * 1000) },
      });
      event.resource("session", session.id);
      event.flag("sign_in");
      return session.id;
    });
  });
}

async function firstOrganization(tx: Transaction, userId: string, name: string, now: Date) {
  const membership = await tx.membership.findFirst({
    where: { userId },
    orderBy: [{ createdAt: "asc" }, { organizationId: "asc" }],
    include: { organization: true },
  });
  if (membership !== null) {
    return { organizationId: membership.organizationId, plan: membership.organization.plan };
  }
  const made = await createOrganizationIn(tx, `${name}’s organization`, now);
  await tx.membership.create({ data: { organizationId: made.id, userId, permission: "admin", createdAt: now } });
  return { organizationId: made.id, plan: made.plan };
}

/** Records that a sign-in was refused, and why; no organization can be named. */
export async function refuseSignIn(reason: string): Promise<void> {
  await recorded({ action: "session.sign_in" }, async (event) => {
    Object.assign(event.row, clientOf());
    event.row.auth_type = "anonymous";
    event.row.error_message = reason;
    event.flag("sign_in_refused");
  });
}

/** Ends a session: its cookie is worth nothing from the next request on. */
export async function endSession(sessionId: string): Promise<void> {
  await recorded({ action: "session.sign_out" }, async (event) => {
    Object.assign(event.row, clientOf());
    await change(async (tx) => {
      const session = await tx.session.update({
        where: { id: sessionId },
        data: { endedAt: event.occurredAt },
        include: {
          user: { include: { memberships: { include: { organization: true }, orderBy: { createdAt: "asc" } } } },
        },
      });
      const [membership] = session.user.memberships;
      if (membership) {
        const { id, name, email } = session.user;
        const actor = { type: "user", id, name, email } as const;
        record(event, { organizationId: membership.organizationId, actor }, membership.organization.plan);
      }
      event.resource("session", sessionId);
      event.flag("sign_out");
    });
  });
}
