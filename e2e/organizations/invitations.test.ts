import { expect, test } from "vitest";
import { type Api, newAddress } from "@/e2e/support/api";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { systemPrincipal } from "@/lib/http/principal";
import type { Invitation, InvitationSent } from "@/lib/invitations/contract";
import type { Member } from "@/lib/organizations/contract";
import { removeMemberByEmail, setMember } from "@/lib/organizations/set-member";
import { plans } from "@/lib/plans";

const server = sharedServer();

interface ActionResponse {
  data?: { organization_id: string };
  error?: { code: string; message: string; request_id: string };
}

/** Sends a self-service action of a person, like our own pages. */
async function sendSelfServiceAction(path: string, { cookie }: { cookie: string }, body: unknown, origin = server.url) {
  const answer = await fetch(`${server.url}/api/auth/${path}`, {
    method: "POST",
    // Its own address: these routes are limited by address.
    headers: { cookie, origin, "content-type": "application/json", "x-forwarded-for": newAddress() },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...((await answer.json()) as ActionResponse) };
}

const accept = (person: { cookie: string }, token: string, origin?: string) =>
  sendSelfServiceAction("accept-invitation", person, { token }, origin);

const tokenOf = ({ url }: InvitationSent) => url?.split("/").at(-1) ?? "";

async function invite(admin: Api, organizationId: string, email: string, permission?: string) {
  const body = { email, ...(permission !== undefined && { permission }) };
  const answer = await admin.post<InvitationSent>(`/organizations/${organizationId}/invitations`, body);
  return { ...answer.data, token: tokenOf(answer.data), requestId: answer.requestId };
}

const emailsIn = async (admin: Api, id: string) =>
  (await admin.get<Member[]>(`/organizations/${id}/members`)).data.map(({ email }) => email);

test.each(["jörg@example.test", "ada@bücher.example", "ada@intranet", "a..b@example.test"])(
  "an address with which people can sign in can be invited: %s",
  async (email) => {
    const { id, admin } = await newOrganization(server);
    expect(await invite(admin, id, ` ${email.toUpperCase()}`)).toMatchObject({ email, status: "pending" });
  },
);

test.each(["ada", "ada@", "a b@example.test", "a@b@example.test", "a\u202eb@example.test", "a\u0007@example.test"])(
  "what is no address cannot be invited: %j",
  async (email) => {
    const { id, admin } = await newOrganization(server);
    const { status, error } = await admin.post(`/organizations/${id}/invitations`, { email });
    expect([status, error.issues?.[0]?.path]).toEqual([400, "email"]);
  },
);

test("a person with the verified address accepts by the link, once; the link is shown once and stored as a hash", async () => {
  const [{ id, admin }, guest] = await Promise.all([newOrganization(server), newSession(server)]);
  const made = await invite(admin, id, guest.email.toUpperCase(), "admin");
  expect(made).toMatchObject({ email: guest.email, permission: "admin", status: "pending", emailed: false });
  expect(made.url).toBe(`${server.url}/invitations/${made.token}`);
  expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(7 * 86_400_000);
  expect(await eventById(server, made.requestId)).toMatchObject({
    flags: ["organization_updated"],
    resource_type: "invitation",
    resource_id: made.id,
  });
  const listed = await admin.get<Invitation[]>(`/organizations/${id}/invitations`);
  expect(listed.data).toMatchObject([{ id: made.id, email: guest.email }]);
  expect(listed.text).not.toContain(made.token);
  const [row] = await query(server, "app", "SELECT invitations::text AS text FROM invitations WHERE id = $1", [
    made.id,
  ]);
  expect(row?.text).not.toContain(made.token);

  expect(await accept(guest, made.token)).toEqual({ status: 200, data: { organization_id: id } });
  const { data } = await guest.in(id).get<Member[]>(`/organizations/${id}/members`);
  expect(data).toMatchObject([{ user_id: guest.userId, permission: "admin" }]);
  const [event] = (await admin.get<{ id: string }[]>(`/audit-logs?action=invitation.accept`)).data;
  expect(await eventById(server, event?.id ?? "")).toMatchObject({
    organization_id: id,
    flags: ["member_added"],
    user_id: guest.userId,
    auth_type: "session",
    method: null,
    resource_id: guest.userId,
  });
  const again = await accept(guest, made.token);
  expect([again.status, again.error?.code]).toEqual([404, "NOT_FOUND"]);
  expect((await admin.get<Invitation[]>(`/organizations/${id}/invitations`)).data).toEqual([]);
});

test("another person's link does not add a member, and the organization's log names who tried", async () => {
  const [{ id, admin }, guest, other] = await Promise.all([
    newOrganization(server),
    newSession(server),
    newSession(server),
  ]);
  const made = await invite(admin, id, guest.email);
  const refused = await accept(other, made.token);
  expect([refused.status, refused.error?.code]).toEqual([409, "CONFLICT"]);
  expect(await eventById(server, refused.error?.request_id ?? "")).toMatchObject({
    organization_id: id,
    user_id: other.userId,
    error_code: "CONFLICT",
    flags: [],
  });
  expect(await emailsIn(admin, id)).toEqual([]);
  expect((await accept(guest, made.token)).status).toBe(200);
});

test("an expired, replaced or withdrawn link does not work", async () => {
  const [{ id, admin }, guest] = await Promise.all([newOrganization(server), newSession(server)]);
  const replaced = await invite(admin, id, guest.email);
  const expired = await invite(admin, id, guest.email, "admin");
  await query(server, "app", "UPDATE invitations SET expires_at = now() WHERE id = $1", [expired.id]);
  const { data } = await admin.get<Invitation[]>(`/organizations/${id}/invitations`);
  expect(data).toMatchObject([{ id: expired.id, status: "expired" }]);
  for (const { token } of [replaced, expired, { token: "guessed" }]) {
    expect((await accept(guest, token)).status).toBe(404);
  }
  const withdrawn = await invite(admin, id, guest.email);
  const path = `/organizations/${id}/invitations/${withdrawn.id}`;
  const answer = await admin.delete<Invitation>(path);
  expect(answer.data.id).toBe(withdrawn.id);
  expect((await eventById(server, answer.requestId)).flags).toEqual(["organization_updated"]);
  expect((await accept(guest, withdrawn.token)).status).toBe(404);
  expect((await admin.delete(path)).status).toBe(404);
  expect(await emailsIn(admin, id)).toEqual([]);
});

test("an invitation does not outlive the membership of its address, however that began or ended", async () => {
  const [{ id, admin }, earlier, guest] = await Promise.all([
    newOrganization(server),
    newOrganization(server),
    newSession(server),
  ]);
  const operator = systemPrincipal(id);
  const unused = await invite(admin, id, guest.email);
  await withAuditEvent({ action: "member.set", principal: operator }, () =>
    setMember(operator, { email: guest.email, permission: "read" }),
  );
  expect((await admin.get<Invitation[]>(`/organizations/${id}/invitations`)).data).toEqual([]);
  // Earlier releases kept it.
  const kept = await invite(earlier.admin, earlier.id, guest.email);
  const member =
    "INSERT INTO memberships (organization_id, user_id, permission, created_at) VALUES ($1, $2, 'read', now())";
  await query(server, "app", member, [earlier.id, guest.userId]);
  for (const organization of [id, earlier.id]) {
    const principal = systemPrincipal(organization);
    await withAuditEvent({ action: "member.remove", principal }, () =>
      removeMemberByEmail(principal, { email: guest.email }),
    );
  }
  for (const { token } of [unused, kept]) expect((await accept(guest, token)).status).toBe(404);
});

test("of two people who use a link at the same time, one becomes a member, once", async () => {
  const [{ id, admin }, guest] = await Promise.all([newOrganization(server), newSession(server)]);
  const { token } = await invite(admin, id, guest.email);
  const race = await Promise.all([accept(guest, token), accept(guest, token)]);
  expect(race.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect(await emailsIn(admin, id)).toEqual([guest.email]);
});

test("a member with read permission may join elsewhere and leave, but not invite", async () => {
  const [{ id, admin }, guest, second] = await Promise.all([
    newOrganization(server),
    newSession(server),
    newOrganization(server),
  ]);
  await query(server, "app", "DELETE FROM memberships WHERE user_id = $1", [guest.userId]);
  const text =
    "INSERT INTO memberships (organization_id, user_id, permission, created_at) VALUES ($1, $2, 'read', now())";
  await query(server, "app", text, [id, guest.userId]);
  const refused = await guest.api.post(`/organizations/${id}/invitations`, { email: "x@example.test" });
  expect([refused.status, refused.error.code]).toEqual([403, "METHOD_NOT_ALLOWED"]);
  const { token } = await invite(second.admin, second.id, guest.email);
  expect((await accept(guest, token)).status).toBe(200);
  expect((await sendSelfServiceAction("leave-organization", guest, { organization_id: id })).status).toBe(200);
  expect(await emailsIn(admin, id)).toEqual([]);
  const [event] = (await admin.get<{ id: string }[]>("/audit-logs?action=member.leave")).data;
  expect((await eventById(server, event?.id ?? "")).flags).toEqual(["member_removed"]);
  expect((await sendSelfServiceAction("leave-organization", guest, { organization_id: id })).status).toBe(404);
  expect((await guest.api.get("/api-keys")).status).toBe(200);
});

test("the last admin cannot leave, and nobody joins or leaves from another site or without a session", async () => {
  const [person, { id, admin }] = await Promise.all([newSession(server), newOrganization(server)]);
  const body = { organization_id: person.organizationId };
  expect((await sendSelfServiceAction("leave-organization", person, body)).error?.code).toBe("CONFLICT");
  const { token } = await invite(admin, id, person.email);
  const crossSite = await accept(person, token, "https://evil.test");
  expect([crossSite.status, crossSite.error?.code]).toEqual([403, "CROSS_SITE_REQUEST"]);
  expect((await eventById(server, crossSite.error?.request_id ?? "")).flags).toEqual(["cross_site_request"]);
  const nobody = await accept({ cookie: "" }, token);
  expect([nobody.status, nobody.error?.code]).toEqual([401, "UNAUTHENTICATED"]);
  expect(await emailsIn(admin, id)).toEqual([]);
});

test("a member cannot be invited, and pending invitations count like members", async () => {
  const [owner, { id, admin }] = await Promise.all([newSession(server), newOrganization(server)]);
  const path = `/organizations/${owner.organizationId}/invitations`;
  expect((await owner.api.post(path, { email: owner.email })).error.code).toBe("CONFLICT");
  expect((await owner.api.post(path, { email: "nobody" })).error.issues?.[0]?.path).toBe("email");
  const room = plans.free.members;
  for (let n = 0; n < room; n++) await invite(admin, id, `guest-${n}@example.test`);
  const refused = await admin.post(`/organizations/${id}/invitations`, { email: "more@example.test" });
  expect([refused.status, refused.error]).toMatchObject([
    402,
    {
      code: "PLAN_LIMIT_REACHED",
      message: `The plan "free" allows ${room} members; ${room} are in use, with ${room} pending invitations.`,
      limit: room,
      used: room,
    },
  ]);
  const replaced = await admin.post(`/organizations/${id}/invitations`, { email: "guest-0@example.test" });
  expect(replaced.status).toBe(201);
});

test("the plan's limit applies when an invitation is accepted, too", async () => {
  const [{ id, admin }, guest] = await Promise.all([newOrganization(server), newSession(server)]);
  const { token } = await invite(admin, id, guest.email);
  const others: SignedIn[] = [];
  for (let n = 0; n < plans.free.members; n++) others.push(await newSession(server));
  const text =
    "INSERT INTO memberships (organization_id, user_id, permission, created_at) SELECT $1, unnest($2::uuid[]), 'read', now()";
  await query(server, "app", text, [id, others.map(({ userId }) => userId)]);
  expect((await accept(guest, token)).error?.code).toBe("PLAN_LIMIT_REACHED");
  await query(server, "app", "DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2", [
    others[0]?.userId,
    id,
  ]);
  expect((await accept(guest, token)).status).toBe(200);
});
