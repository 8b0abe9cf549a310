import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { findSession } from "@/lib/auth/find-session";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { acceptInvitation } from "@/lib/invitations/accept";
import type { InvitationSent } from "@/lib/invitations/contract";
import { setMember } from "@/lib/organizations/set-member";
import { signIn } from "@/lib/sign-in/sign-in";

const server = sharedServer();

/** A person who has created so many more organizations, and is a member of none. */
async function leaver(more: number): Promise<SignedIn> {
  const person = await newSession(server);
  const made = `INSERT INTO organizations (id, name, slug, created_at, created_by)
    SELECT own, 'Left', 'left-' || own, now(), $1 FROM (SELECT gen_random_uuid() AS own FROM generate_series(1, $2::integer)) AS ids`;
  await query(server, "app", made, [person.userId, more]);
  await query(server, "app", "DELETE FROM memberships WHERE user_id = $1", [person.userId]);
  return person;
}

/** Signs a person in again. */
const again = ({ email }: SignedIn) =>
  signIn({
    issuer: "https://id.test",
    subject: email.split("@")[0] ?? "",
    ...{ email, name: "Person", isVerified: true },
  });

async function createdBy({ userId }: SignedIn): Promise<number> {
  const text = "SELECT count(*)::integer AS count FROM organizations WHERE created_by = $1";
  return (await query<{ count: number }>(server, "app", text, [userId]))[0]?.count ?? Number.NaN;
}

/** Makes a person a member of so many more organizations. */
async function joinMany({ userId }: SignedIn, count: number): Promise<void> {
  const text = `WITH made AS (
      INSERT INTO organizations (id, name, slug, created_at)
      SELECT own, 'Many', 'joined-' || own, now() FROM (SELECT gen_random_uuid() AS own FROM generate_series(1, $2::integer)) AS ids
      RETURNING id
    ) INSERT INTO memberships (organization_id, user_id, permission, created_at) SELECT id, $1, 'read', now() FROM made`;
  await query(server, "app", text, [userId, count]);
}

async function membershipsOf({ userId }: SignedIn): Promise<number> {
  const text = "SELECT count(*)::integer AS count FROM memberships WHERE user_id = $1";
  return (await query<{ count: number }>(server, "app", text, [userId]))[0]?.count ?? Number.NaN;
}

test("a person who has created 20 organizations and left them gets no other by signing in, which is refused and recorded", async () => {
  const person = await leaver(19);
  await expect(again(person)).rejects.toMatchObject({ code: "TooManyOrganizations", isRecorded: true });
  expect(await createdBy(person)).toBe(20);
  const [event] = await until("the refusal is in the log", async () => {
    const text = "SELECT flags FROM audit_events WHERE action = 'session.sign_in' AND error_message LIKE $1";
    const found = await query<{ flags: string[] }>(server, "audit", text, [`${person.email} of subject%has created%`]);
    return found.length > 0 && found;
  });
  expect(event?.flags).toEqual(["sign_in_refused"]);
  const { id } = await newOrganization(server);
  const operator = systemPrincipal(id);
  await withAuditEvent({ action: "member.set", principal: operator }, () =>
    setMember(operator, { email: person.email, permission: "read" }),
  );
  expect((await findSession(await again(person)))?.organizations.map((each) => each.id)).toEqual([id]);
});

test("two sign-ins at the same time give a person who left 19 organizations one more", async () => {
  const person = await leaver(18);
  const sessions = await Promise.all([again(person), again(person)]);
  expect(new Set(sessions).size).toBe(2);
  expect([await createdBy(person), await membershipsOf(person)]).toEqual([20, 1]);
});

test("a person is a member of at most 200 organizations, however they join", async () => {
  const [person, first, second] = await Promise.all([
    newSession(server),
    newOrganization(server),
    newOrganization(server),
  ]);
  await joinMany(person, 199);
  const refused = { code: "CONFLICT", message: "A person can be a member of at most 200 organizations." };
  const actor = { type: "user", id: person.userId, name: "Person", email: person.email } as const;
  const invited = async ({ id, admin }: typeof first) => {
    const body = { email: person.email };
    const { data } = await admin.post<InvitationSent>(`/organizations/${id}/invitations`, body);
    const token = data.url?.split("/").at(-1) ?? "";
    return () =>
      withAuditEvent({ action: "invitation.accept" }, (event: AuditEventDraft) =>
        acceptInvitation(actor, event, { token }),
      );
  };
  const [acceptFirst, acceptSecond] = [await invited(first), await invited(second)];
  await expect(acceptFirst()).rejects.toMatchObject(refused);
  const operator = systemPrincipal(first.id);
  const set = () =>
    withAuditEvent({ action: "member.set", principal: operator }, () =>
      setMember(operator, { email: person.email, permission: "read" }),
    );
  await expect(set()).rejects.toMatchObject(refused);
  const created = await person.api.post("/organizations", { name: newId() });
  expect([created.status, created.error]).toMatchObject([409, refused]);
  expect([await membershipsOf(person), await createdBy(person)]).toEqual([200, 1]);
  // A refused acceptance does not use the invitation up. Of two concurrent ones, one finds the last place.
  await query(server, "app", "DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2", [
    person.userId,
    person.organizationId,
  ]);
  const both = await Promise.allSettled([acceptFirst(), acceptSecond()]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: refused });
  expect(await membershipsOf(person)).toBe(200);
});

test("sessions that are looked up together each find their person and all organizations, the first one first", async () => {
  const [one, other, { id }] = await Promise.all([newSession(server), newSession(server), newOrganization(server)]);
  const operator = systemPrincipal(id);
  await withAuditEvent({ action: "member.set", principal: operator }, () =>
    setMember(operator, { email: one.email, permission: "read" }),
  );
  await query(server, "app", "UPDATE organizations SET deletion_due_at = '2100-01-02T03:04:05.678Z' WHERE id = $1", [
    id,
  ]);
  const second = await again(one);
  const found = await Promise.all([
    findSession(one.sessionId),
    findSession(second, id),
    findSession(other.sessionId, id),
    findSession(newId()),
  ]);
  expect(found).toMatchObject([
    {
      principal: { organizationId: one.organizationId, permission: "admin", actor: { id: one.userId } },
      ...{ plan: "free", isDemonstration: false, deletionDueAt: null },
      organizations: [
        { id: one.organizationId, permission: "admin" },
        { id, permission: "read" },
      ],
    },
    {
      principal: { organizationId: id, permission: "read", actor: { id: one.userId, email: one.email } },
      deletionDueAt: new Date("2100-01-02T03:04:05.678Z"),
    },
    { principal: { organizationId: other.organizationId }, organizations: [{ id: other.organizationId }] },
    null,
  ]);
  await query(server, "app", "UPDATE organizations SET deletion_due_at = NULL WHERE id = $1", [id]);
});
