import { decode, encode } from "next-auth/jwt";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { findPerson } from "@/lib/auth/find-person";
import { record } from "@/lib/auth/identify";
import { config, requireSetting } from "@/lib/config";
import { db, type Transaction } from "@/lib/db/app";
import type { Organization, User } from "@/lib/db/generated/app/client";
import { ApiError } from "@/lib/http/errors";
import { clientOf } from "@/lib/http/origin";
import { newId } from "@/lib/ids";
import { createOrganizationIn, mayCreateOrganization } from "@/lib/organizations/create";
import { auditRetentionDays } from "@/lib/plans";
import { applyGroups } from "@/lib/sign-in/apply-groups";
import { type RefusalCode, SignInRefused } from "@/lib/sign-in/sign-in-refused";
import { visible } from "@/lib/text/visible";
import { HOUR_MS } from "@/lib/time/units";

/** A person with data from the identity provider: the address is verified and in lower case. */
export interface Person {
  issuer: string;
  subject: string;
  email: string;
  name: string;
  /** Whether the issuer itself says that the address is verified. */
  isVerified: boolean;
  /** Their groups at the issuer, which decide on a membership; absent if groups are not used. */
  groups?: readonly string[] | undefined;
}

/** Refusals that are recorded with the sign-in, with their reasons. */
const refused = {
  EmailTaken: "The address belongs to another person.",
  NoRoom: "The organization has no room for another member.",
  NoGroup: "No group of the person gives access.",
  TooManyMemberships: "The person is a member of too many organizations.",
  TooManyOrganizations: "The person is a member nowhere, and has created too many organizations.",
} satisfies Partial<Record<RefusalCode, string>>;

/**
 * Opens a session for a person, identified by issuer and subject; never by the address, which may have been reassigned. A new person
 * becomes `admin` of their own organization. Ends the browser's previous session. Returns the new session's id. Throws SignInRefused if
 * the address belongs to another person, if groups decide and the person is a member nowhere or of too many organizations, or if they
 * have created too many and are a member nowhere.
 */
export async function signIn(vouched: Person, idToken: string | null = null, replaces: string | null = null) {
  const { isVerified, groups, ...rest } = vouched;
  const person = { ...rest, name: visible(rest.name) };
  const opened = await withAuditEvent({ action: "session.sign_in" }, async (event) => {
    Object.assign(event.row, clientOf());
    return auditedTransaction(async (tx): Promise<{ id: string } | keyof typeof refused> => {
      const now = event.occurredAt;
      await lockAddress(tx, person.email);
      const known = await findPerson(tx, person);
      const holder = await holderOfAddress(tx, person.email, known);
      if (holder !== null) {
        recordRefusal(event, `${person.email} of subject ${person.subject} belongs to user ${holder.userId}.`);
        if (holder.organization) {
          event.row.organization_id = holder.organization.id;
          event.row.retention_days = auditRetentionDays(holder.organization.plan);
        }
        return "EmailTaken";
      }
      // As it is stored: processes whose setting has the other spelling look for that one.
      const issuer = known?.issuer ?? person.issuer;
      const user = await tx.user.upsert({
        where: { issuer_subject: { issuer, subject: person.subject } },
        create: { id: newId(), ...person, issuer, createdAt: now },
        update: { email: person.email, name: person.name },
      });
      let changed: Organization | null = null;
      try {
        if (groups !== undefined) changed = await applyGroups(tx, event, user.id, groups);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        recordRefusal(event, error.message);
        return error.code === "CONFLICT" ? "TooManyMemberships" : "NoRoom";
      }
      if (groups !== undefined && (await tx.membership.count({ where: { userId: user.id } })) === 0) {
        if (changed !== null) {
          event.row.organization_id = changed.id;
          event.row.retention_days = auditRetentionDays(changed.plan);
        }
        recordRefusal(event, `None of the groups of ${person.email}, of subject ${person.subject}, gives access.`);
        return "NoGroup";
      }
      const first = await firstOrganization(tx, user.id, person.name, now);
      if (first === null) {
        const who = `${person.email} of subject ${person.subject}`;
        recordRefusal(event, `${who} is a member of no organization, and has created as many as a person can.`);
        return "TooManyOrganizations";
      }
      const actor = { type: "user", id: user.id, name: user.name, email: user.email } as const;
      // A changed membership belongs in the log of its organization.
      record(event, { organizationId: changed?.id ?? first.organizationId, actor }, changed?.plan ?? first.plan);
      if (replaces !== null) {
        await tx.session.updateMany({ where: { id: replaces, endedAt: null }, data: { endedAt: now, idToken: null } });
      }
      const id = newId();
      const expiresAt = new Date(now.getTime() + config().SESSION_HOURS * HOUR_MS);
      const sealed = idToken === null ? null : await seal(idToken, id);
      await tx.session.create({
        data: {
          ...{ id, userId: user.id, idToken: sealed, createdAt: now, seenAt: now, expiresAt },
          verifiedEmail: isVerified ? person.email : null,
        },
      });
      event.resource("session", id);
      event.flag("sign_in");
      return { id };
    });
  });
  if (typeof opened === "string") throw new SignInRefused(opened, refused[opened], true);
  return opened.id;
}

/** Serializes sign-ins with the same address. */
async function lockAddress(tx: Transaction, email: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`users.email:${email}`}, 0))`;
}

/** Another person with the same address, unless this person had it before. */
async function holderOfAddress(tx: Transaction, email: string, known: User | null) {
  if (known?.email === email) return null;
  const holder = await tx.user.findFirst({
    where: { email, ...(known && { NOT: { id: known.id } }) },
    include: { memberships: { include: { organization: true }, orderBy: { createdAt: "asc" }, take: 1 } },
  });
  return holder && { userId: holder.id, organization: holder.memberships[0]?.organization };
}

/** The person's first organization, which is created if they have none; null if they have created too many. */
async function firstOrganization(tx: Transaction, userId: string, name: string, now: Date) {
  const membership = await tx.membership.findFirst({
    where: { userId },
    orderBy: [{ createdAt: "asc" }, { organizationId: "asc" }],
    include: { organization: true },
  });
  if (membership !== null) {
    return { organizationId: membership.organizationId, plan: membership.organization.plan };
  }
  if (!(await mayCreateOrganization(tx, userId))) return null;
  const made = await createOrganizationIn(tx, `${name}’s organization`, now, userId);
  await tx.membership.create({ data: { organizationId: made.id, userId, permission: "admin", createdAt: now } });
  return { organizationId: made.id, plan: made.plan };
}

function recordRefusal(event: AuditEventDraft, reason: string): void {
  event.row.auth_type = "anonymous";
  event.row.error_message = reason;
  event.flag("sign_in_refused");
}

/** Records a refused sign-in with its reason; it cannot be attributed to an organization. */
export async function refuseSignIn(reason: string): Promise<void> {
  await withAuditEvent({ action: "session.sign_in" }, async (event) => {
    Object.assign(event.row, clientOf());
    recordRefusal(event, reason);
  });
}

/**
 * Ends a session: its cookie is invalid from the next request on. Returns null if it had already ended, else the ID token with which
 * it was opened, if still available.
 */
export async function endSession(sessionId: string): Promise<{ idToken: string | null } | null> {
  const session = await db().session.findUnique({
    where: { id: sessionId, endedAt: null },
    include: { user: { include: { memberships: { include: { organization: true }, orderBy: { createdAt: "asc" } } } } },
  });
  if (session === null) return null;
  const ended = await withAuditEvent({ action: "session.sign_out" }, async (event) => {
    Object.assign(event.row, clientOf());
    return auditedTransaction(async (tx) => {
      const { count } = await tx.session.updateMany({
        where: { id: sessionId, endedAt: null },
        data: { endedAt: event.occurredAt, idToken: null },
      });
      // If two requests end the session concurrently, only one of them succeeds.
      event.discarded = count === 0;
      if (event.discarded) return false;
      const [membership] = session.user.memberships;
      if (membership) {
        const { id, name, email } = session.user;
        const actor = { type: "user", id, name, email } as const;
        record(event, { organizationId: membership.organizationId, actor }, membership.organization.plan);
      }
      event.resource("session", sessionId);
      event.flag("sign_out");
      return true;
    });
  });
  if (!ended) return null;
  return { idToken: session.idToken && (await unseal(session.idToken, sessionId)) };
}

/** Encrypts an ID token, which is kept only for signing out of the identity provider, with SESSION_SECRET. */
async function seal(idToken: string, sessionId: string): Promise<string> {
  return encode({ token: { idToken }, secret: requireSetting("SESSION_SECRET"), salt: sessionId });
}

async function unseal(sealed: string, sessionId: string): Promise<string | null> {
  try {
    const token = await decode({ token: sealed, secret: requireSetting("SESSION_SECRET"), salt: sessionId });
    return typeof token?.idToken === "string" ? token.idToken : null;
  } catch {
    return null;
  }
}
