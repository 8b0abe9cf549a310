import { createHash } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { fillWithEndpoints } from "@/e2e/support/large-organization";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, eventsOf, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { unlessBusy, until } from "@/e2e/support/until";
import type { Permission } from "@/lib/http/principal";
import { NOBODY, newId } from "@/lib/ids";
import type { Member, Organization } from "@/lib/organizations/contract";
import { purgeOrganizations } from "@/lib/organizations/purge";
import { DAY_MS } from "@/lib/time/units";

const server = sharedServer();

/** Adds a person to an organization directly in the database. */
async function join(organizationId: string, { userId }: SignedIn, permission: Permission): Promise<void> {
  const text = "INSERT INTO memberships (organization_id, user_id, permission, created_at) VALUES ($1, $2, $3, now())";
  await query(server, "app", text, [organizationId, userId, permission]);
}

/** Runs `work` during a transaction; `commit` waits until something waits for it. */
async function during(statement: string, work: (commit: () => Promise<void>) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server.databases.app });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query(statement);
    await work(async () => {
      await until("something waits for the transaction", async () => {
        const waiting = "SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))";
        return (await client.query(waiting)).rows.length > 0;
      });
      await client.query("COMMIT");
    });
  } finally {
    await client.end();
  }
}

async function flagsOf(requestId: string): Promise<string[]> {
  return (await eventById(server, requestId)).flags;
}

test("a key sees its own organization, a person all of theirs, each with the permission there", async () => {
  const [{ id, admin, read }, person] = await Promise.all([newOrganization(server), newSession(server)]);
  await join(id, person, "read");
  const seen = async (api: typeof admin) =>
    (await api.get<Organization[]>("/organizations")).data.map((each) => [each.id, each.permission]);
  expect(await seen(admin)).toEqual([[id, "admin"]]);
  expect(await seen(read)).toEqual([[id, "read"]]);
  expect((await seen(person.api)).sort()).toEqual(
    [
      [id, "read"],
      [person.organizationId, "admin"],
    ].sort(),
  );
  const first = await person.api.get<Organization[]>("/organizations?limit=1");
  const cursor = first.pagination.next_cursor ?? "";
  const second = await person.api.get<Organization[]>(`/organizations?limit=1&cursor=${cursor}`);
  expect([...first.data, ...second.data].map((each) => each.id).sort()).toEqual([id, person.organizationId].sort());
  expect(second.pagination).toEqual({ next_cursor: null, has_more: false });
});

test("a person creates an organization and is its admin, and its log begins with that; a key cannot create one", async () => {
  const [person, { admin }] = await Promise.all([newSession(server), newOrganization(server)]);
  const made = await person.api.post<Organization>("/organizations", { name: "Made Here" });
  expect(made.status).toBe(201);
  expect(made.data).toMatchObject({ name: "Made Here", plan: "free", permission: "admin", deletion: null });
  expect(made.header("location")).toBe(`/api/v1/organizations/${made.data.id}`);
  expect(await eventsOf(server, made.data.id)).toMatchObject([
    { id: made.requestId, action: "organization.create", flags: ["member_added"], user_id: person.userId },
  ]);
  const { data } = await person.api.get<Member[]>(`/organizations/${made.data.id}/members`);
  expect(data).toMatchObject([{ user_id: person.userId, permission: "admin" }]);
  const refused = await admin.post("/organizations", { name: "By a key" });
  expect([refused.status, refused.error.code]).toEqual([403, "METHOD_NOT_ALLOWED"]);
  expect(await flagsOf(refused.requestId)).toEqual(["method_not_allowed"]);
});

test("a person can create 20 organizations, and not one more by two concurrent requests", async () => {
  const person = await newSession(server);
  const made = `INSERT INTO organizations (id, name, slug, created_at, created_by)
    SELECT own, 'Many', 'many-' || own, now(), $1 FROM (SELECT gen_random_uuid() AS own FROM generate_series(1, 18)) AS ids`;
  await query(server, "app", made, [person.userId]);
  const create = () => person.api.post<Organization>("/organizations", { name: newId() });
  const both = await Promise.all([create(), create()]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(both.find(({ status }) => status === 409)?.error).toMatchObject({
    code: "CONFLICT",
    message: "A person can create at most 20 organizations.",
  });
});

test("a slug that is taken, even by a creation in progress, gets a number, and after 5 random characters", async () => {
  const person = await newSession(server);
  const name = newId();
  const create = async () => (await person.api.post<Organization>("/organizations", { name })).data.slug;
  expect(await create()).toBe(name);
  await during(
    `INSERT INTO organizations (id, name, slug, created_at) SELECT own, 'Other', '${name}-2', now() FROM gen_random_uuid() AS own`,
    async (commit) => {
      const creating = create();
      await commit();
      expect(await creating).toBe(`${name}-3`);
    },
  );
  expect([await create(), await create()]).toEqual([`${name}-4`, `${name}-5`]);
  expect(await create()).toMatch(new RegExp(`^${name}-[0-9a-z]{6}$`));
});

test("a person acts in the organization of the path, with their permission there", async () => {
  const [person, elsewhere] = await Promise.all([newSession(server), newOrganization(server)]);
  await join(elsewhere.id, person, "read");
  const own = `/organizations/${person.organizationId}`;
  const inElsewhere = person.in(elsewhere.id);
  const changed = await inElsewhere.put<Organization>(own, { name: "Renamed" });
  expect(changed.data.name).toBe("Renamed");
  expect(await eventById(server, changed.requestId)).toMatchObject({
    organization_id: person.organizationId,
    flags: ["organization_updated"],
    details: { name: { to: "Renamed" } },
  });
  const refused = await person.api.put(`/organizations/${elsewhere.id}`, { name: "Not mine" });
  expect([refused.status, refused.error.code]).toEqual([403, "METHOD_NOT_ALLOWED"]);
  expect((await eventById(server, refused.requestId)).organization_id).toBe(elsewhere.id);
  expect((await inElsewhere.get<Organization>(`/organizations/${elsewhere.id}`)).data.permission).toBe("read");
});

test("another organization and its members are the same 404 as missing ones, for keys and people", async () => {
  const [one, other] = await Promise.all([newSession(server), newSession(server)]);
  const { admin, id } = await newOrganization(server);
  const member = (organization: string, user: string) => `/organizations/${organization}/members/${user}`;
  const answers = [
    await one.api.get(`/organizations/${other.organizationId}`),
    await one.api.get(`/organizations/${newId()}`),
    await one.api.put(`/organizations/${other.organizationId}`, { name: "Taken" }),
    await one.api.delete(`/organizations/${other.organizationId}`),
    await one.api.delete(member(other.organizationId, other.userId)),
    await one.api.delete(member(one.organizationId, other.userId)),
    await admin.put(member(id, other.userId), { permission: "read" }),
    await admin.put(member(other.organizationId, other.userId), { permission: "read" }),
  ];
  const refusals = new Set(answers.map(({ status, error }) => `${status} ${error.code} ${error.message}`));
  expect([...refusals]).toEqual(["404 NOT_FOUND There is no such resource."]);
  expect((await other.api.get<Organization>(`/organizations/${other.organizationId}`)).data.deletion).toBeNull();
});

test("a permission changes with the next request, and the event has the previous one", async () => {
  const [admin, member] = await Promise.all([newSession(server), newSession(server)]);
  const { organizationId } = admin;
  await join(organizationId, member, "read");
  const path = `/organizations/${organizationId}/members/${member.userId}`;
  const inIt = member.in(organizationId);
  expect((await inIt.post("/api-keys", { name: "Key" })).status).toBe(403);
  const changed = await admin.api.put<Member>(path, { permission: "admin" });
  expect(changed.data).toMatchObject({ user_id: member.userId, email: member.email, permission: "admin" });
  expect((await inIt.post("/api-keys", { name: "Key" })).status).toBe(201);
  expect(await eventById(server, changed.requestId)).toMatchObject({
    flags: ["member_changed"],
    resource_type: "member",
    resource_id: member.userId,
    details: { member: { email: member.email, permission: { from: "read", to: "admin" } } },
  });
  expect(await flagsOf((await admin.api.put(path, { permission: "admin" })).requestId)).toEqual([]);
});

test("an organization keeps an admin: the last one cannot be demoted or removed, even by two concurrent requests", async () => {
  const [one, two] = await Promise.all([newSession(server), newSession(server)]);
  const { organizationId } = one;
  const pathOf = ({ userId }: SignedIn) => `/organizations/${organizationId}/members/${userId}`;
  for (const answer of [await one.api.put(pathOf(one), { permission: "read" }), await one.api.delete(pathOf(one))]) {
    expect([answer.status, answer.error.code]).toEqual([409, "CONFLICT"]);
    expect(await flagsOf(answer.requestId)).toEqual([]);
  }
  await join(organizationId, two, "admin");
  const race = await Promise.all([
    one.api.put(pathOf(two), { permission: "read" }),
    two.in(organizationId).put(pathOf(one), { permission: "read" }),
  ]);
  expect(race.map(({ status }) => status).sort()[0]).toBe(200);
  const admins = async () =>
    (
      await query(server, "app", "SELECT FROM memberships WHERE organization_id = $1 AND permission = 'admin'", [
        organizationId,
      ])
    ).length;
  expect(await admins()).toBe(1);
  await query(server, "app", "UPDATE memberships SET permission = 'admin' WHERE organization_id = $1", [
    organizationId,
  ]);
  const leaving = await Promise.all([one.api.delete(pathOf(one)), two.in(organizationId).delete(pathOf(two))]);
  expect(leaving.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await admins()).toBe(1);
});

test("a removed member loses access with the next request; their session stays only if they have another organization", async () => {
  const [admin, leaver, other] = await Promise.all([newSession(server), newSession(server), newSession(server)]);
  const { organizationId } = admin;
  await join(organizationId, leaver, "admin");
  await join(organizationId, other, "read");
  await query(server, "app", "DELETE FROM memberships WHERE organization_id = $1", [other.organizationId]);
  const inIt = leaver.in(organizationId);
  const left = await inIt.delete<Member>(`/organizations/${organizationId}/members/${leaver.userId}`);
  expect(left.data.user_id).toBe(leaver.userId);
  expect(await flagsOf(left.requestId)).toEqual(["member_removed"]);
  expect((await inIt.get(`/organizations/${organizationId}`)).status).toBe(404);
  expect((await leaver.api.get("/api-keys")).status).toBe(200);

  expect((await other.api.get("/api-keys")).status).toBe(200);
  const removed = await admin.api.delete(`/organizations/${organizationId}/members/${other.userId}`);
  expect(await eventById(server, removed.requestId)).toMatchObject({
    details: { member: { email: other.email, permission: "read" } },
  });
  expect((await other.api.get("/api-keys")).status).toBe(401);
  await join(organizationId, other, "read");
  expect((await other.api.get("/api-keys")).status).toBe(401);
});

test("a deletion is due in 14 days, changes nothing until then, and can be cancelled", async () => {
  const { id, admin, read } = await newOrganization(server);
  const asked = await admin.delete<Organization>(`/organizations/${id}`);
  const due = Date.parse(asked.data.deletion?.due_at ?? "");
  expect(due - Date.parse(asked.data.deletion?.requested_at ?? "")).toBe(14 * DAY_MS);
  expect(asked.data.deletion?.requested_by).toBe("Admin");
  expect(await flagsOf(asked.requestId)).toEqual(["organization_updated"]);
  const again = await admin.delete<Organization>(`/organizations/${id}`);
  expect(again.data).toEqual(asked.data);
  expect(await flagsOf(again.requestId)).toEqual([]);
  expect((await read.get("/api-keys")).status).toBe(200);
  const restored = await admin.post<Organization>(`/organizations/${id}/restore`);
  expect(restored.data.deletion).toBeNull();
  expect(await flagsOf(restored.requestId)).toEqual(["organization_updated"]);
  expect(await flagsOf((await admin.post(`/organizations/${id}/restore`)).requestId)).toEqual([]);
});

test("while a subscription is active the organization is not deleted", async () => {
  const { id, admin } = await newOrganization(server);
  const insert = `INSERT INTO subscriptions (organization_id, customer_id, subscription_id, status, price_id, current_period_end,
    cancel_at_period_end, updated_at) VALUES ($1::uuid, $1::text, $1::text, 'active', 'price_team', now(), false, now())`;
  await query(server, "app", insert, [id]);
  const refused = await admin.delete(`/organizations/${id}`);
  expect([refused.status, refused.error.code]).toEqual([409, "CONFLICT"]);
  await query(server, "app", "UPDATE subscriptions SET status = 'canceled' WHERE organization_id = $1", [id]);
  expect((await admin.delete(`/organizations/${id}`)).status).toBe(200);
});

/** Tables of a database, without partitions, that contain data of organizations. */
async function tablesWith(database: "app" | "audit"): Promise<string[]> {
  const rows = await query<{ name: string }>(
    server,
    database,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'organization_id'`,
  );
  return rows.map(({ name }) => name);
}

/** The number of an organization's rows, by table. */
async function leftOf(id: string): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  for (const database of ["app", "audit"] as const) {
    for (const table of await tablesWith(database)) {
      const found = await query(server, database, `SELECT FROM ${table} WHERE organization_id = $1`, [id]);
      // The slot of its sealed log is never given again.
      if (found.length > 0 && table !== "audit_seal_logs") left[table] = found.length;
    }
  }
  return left;
}

test("after the grace period everything is deleted in both databases, and the operator's log says so", async () => {
  const [{ id, slug, admin, adminKey }, stranger, creator, both] = await Promise.all([
    newOrganization(server),
    newSession(server),
    newSession(server),
    newSession(server),
  ]);
  await query(server, "app", "DELETE FROM organizations WHERE created_by = $1", [stranger.userId]);
  await query(server, "app", "DELETE FROM memberships WHERE user_id = $1", [creator.userId]);
  await join(id, stranger, "admin");
  await join(id, creator, "admin");
  await join(id, both, "admin");
  await admin.post(`/organizations/${id}/invitations`, { email: "someone@example.test" });
  await admin.post("/certificates", { pem: (await makeCertificate({ name: "localhost", sans: ["localhost"] })).pem });
  await admin.post("/certificates/endpoints", { host: "127.0.0.1", port: await closedPort() });
  await admin.post("/uptime", { name: "Closed", type: "tcp", target: `127.0.0.1:${await closedPort()}` });
  await admin.delete(`/organizations/${id}`);
  const before = await leftOf(id);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(["api_keys", "audit_events", "audit_bodies", "certificate_endpoints", "invitations"]),
  );
  const never = new AbortController().signal;
  await purgeOrganizations(never);
  expect((await admin.get("/api-keys")).status).toBe(200);

  await query(server, "app", "UPDATE organizations SET deletion_due_at = now() WHERE id = $1", [id]);
  const late = await Promise.all([
    admin.post(`/organizations/${id}/restore`),
    admin.post("/audit-logs/holds", { name: "x", reason: "x" }),
  ]);
  expect(late.map(({ error }) => error.code)).toEqual(["CONFLICT", "CONFLICT"]);
  let turns = 0;
  await until("nothing is left but that the audit log is looked at for a while", async () => {
    await purgeOrganizations(never, () => turns++);
    return JSON.stringify(await leftOf(id)) === JSON.stringify({ organization_purges: 1 });
  });
  expect(turns).toBeGreaterThan(0);
  expect((await withKey(server, adminKey.secret).get("/api-keys")).error.code).toBe("INVALID_API_KEY");
  expect((await stranger.api.get("/api-keys")).status).toBe(401);
  expect((await both.api.get("/api-keys")).status).toBe(200);
  // The organization that the creator left counts as theirs as long as it exists.
  const left = await query(server, "app", "SELECT id FROM users WHERE id = ANY ($1)", [
    [stranger.userId, creator.userId],
  ]);
  expect(left).toEqual([{ id: creator.userId }]);
  expect((await creator.api.get("/api-keys")).status).toBe(401);
  const operators = await until("the purge is on record", async () => {
    const text =
      "SELECT details FROM audit_events WHERE organization_id = $1 AND action = 'organization.purge' AND resource_id = $2";
    const found = await query<{ details: object }>(server, "audit", text, [NOBODY, id]);
    return found.length > 0 && found;
  });
  expect(operators).toMatchObject([{ details: { slug, requested_by: "Admin" } }]);

  const older = "UPDATE organization_purges SET purged_at = now() - interval '2 hours' WHERE organization_id = $1";
  await query(server, "app", older, [id]);
  await until("nothing is left", async () => {
    await purgeOrganizations(never);
    return Object.keys(await leftOf(id)).length === 0;
  });
});

test("an organization that cannot be purged yet does not delay others, and has one event when it is purged", async () => {
  const [stuck, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
  await fillWithEndpoints(server, stuck.id, 30);
  const holder = new pg.Client({ connectionString: server.databases.app });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM certificates WHERE organization_id = $1 FOR UPDATE", [stuck.id]);
  const due = "UPDATE organizations SET deletion_due_at = now() - $2::interval WHERE id = $1";
  await query(server, "app", due, [stuck.id, "1 minute"]);
  await query(server, "app", due, [other.id, "0 minutes"]);
  const isThere = async ({ id }: { id: string }) =>
    (await query(server, "app", "SELECT FROM organizations WHERE id = $1", [id])).length > 0;
  const never = new AbortController().signal;
  await until("the other one is gone", async () => {
    await purgeOrganizations(never);
    return !(await isThere(other));
  });
  expect(await isThere(stuck)).toBe(true);
  const keys = "SELECT FROM api_keys WHERE organization_id = $1";
  await until("its first tables are empty", async () => (await query(server, "app", keys, [stuck.id])).length === 0);
  // Nobody can sign in while the rest is deleted.
  expect((await stuck.admin.get("/api-keys")).error.code).toBe("INVALID_API_KEY");
  await holder.end();
  await until("it is gone too", async () => {
    // Like several workers.
    await Promise.all([purgeOrganizations(never), purgeOrganizations(never)]);
    return !(await isThere(stuck));
  });
  for (const { id } of [stuck, other]) {
    const purges = () =>
      query(server, "audit", "SELECT FROM audit_events WHERE action = 'organization.purge' AND resource_id = $1", [id]);
    // The server's own worker may have purged it: its event follows the deletion.
    await until("its event is stored", async () => (await purges()).length > 0);
    expect(await purges()).toHaveLength(1);
  }
  const unfounded = "SELECT FROM audit_events WHERE action = 'organization.purge' AND resource_id IS NULL";
  expect(await query(server, "audit", unfounded)).toEqual([]);
});

test("a person who joins another organization while theirs is purged stays a member there", async () => {
  const [{ id }, elsewhere, person] = await Promise.all([
    newOrganization(server),
    newOrganization(server),
    newSession(server),
  ]);
  await join(id, person, "admin");
  await query(server, "app", "DELETE FROM organizations WHERE id = $1", [person.organizationId]);
  const joining = `INSERT INTO memberships (organization_id, user_id, permission, created_at)
    VALUES ('${elsewhere.id}', '${person.userId}', 'read', now())`;
  const never = new AbortController().signal;
  await during(joining, async (commit) => {
    // Not now: times are rounded to milliseconds, perhaps to one that has not come.
    const due = "UPDATE organizations SET deletion_due_at = now() - interval '1 second' WHERE id = $1";
    await query(server, "app", due, [id]);
    const purging = purgeOrganizations(never);
    await commit();
    await purging;
  });
  await until("the organization is gone", async () => {
    await purgeOrganizations(never);
    return (await query(server, "app", "SELECT FROM organizations WHERE id = $1", [id])).length === 0;
  });
  expect((await person.api.get<Organization[]>("/organizations")).data).toMatchObject([{ id: elsewhere.id }]);
});

test("an export has the organization's saved views and the caller's own", async () => {
  const { id, admin, newKey, read } = await newOrganization(server);
  const other = (await newKey({ permission: "admin" })).api;
  const save = (api: typeof admin, name: string, scope: string) =>
    api.post("/audit-logs/views", { name, scope, query: {} });
  for (const [api, name] of [
    [admin, "Mine"],
    [other, "Theirs"],
  ] as const)
    await save(api, name, "personal");
  await save(other, "Shared", "organization");
  const namesFor = async (api: typeof admin) => {
    const { text } = await unlessBusy(() => api.get(`/organizations/${id}/export`));
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { table: string; row: { name: string } });
    return lines.flatMap(({ table, row }) => (table === "audit_views" ? [row.name] : [])).sort();
  };
  expect(await namesFor(read)).toEqual(["Shared"]);
  expect(await namesFor(admin)).toEqual(["Mine", "Shared"]);
});

test("an export has everything, nothing of another organization, no secret, and shows that it is complete", async () => {
  const [{ id, admin, adminKey, read }, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
  const person = await newSession(server);
  await join(id, person, "read");
  const { data: invited } = await admin.post<{ url: string }>(`/organizations/${id}/invitations`, {
    email: "a@b.test",
  });
  const hook = { type: "webhook", name: "Hook", settings: { url: `http://127.0.0.1:${await closedPort()}/` } };
  const { data: channel } = await admin.post<{ signing_secret: string }>("/notification-channels", hook);
  const monitor = { name: "M", type: "http", target: "http://127.0.0.1:9/", headers: { "X-Auth": "hush-hush" } };
  expect((await admin.post("/uptime", monitor)).status).toBe(201);
  const answer = await unlessBusy(() => read.get(`/organizations/${id}/export`));
  expect(answer.header("content-type")).toContain("application/x-ndjson");
  expect(await eventById(server, answer.requestId)).toMatchObject({ flags: ["organization_exported"] });
  expect(answer.header("content-disposition")).toMatch(/^attachment; filename="sealwatch-organization-.*\.ndjson"$/);
  const lines = answer.text.trimEnd().split("\n");
  const trailer = JSON.parse(lines.pop() ?? "") as { export: { rows: number; sha256: string } };
  const hashed = createHash("sha256")
    .update(`${lines.join("\n")}\n`)
    .digest("hex");
  expect(trailer.export).toEqual({ rows: lines.length, sha256: hashed });
  const rows = lines.map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });
  const of = (name: string) => rows.filter(({ table }) => table === name).map(({ row }) => row);
  expect(of("organizations")).toMatchObject([{ id }]);
  expect(of("members")).toMatchObject([{ user_id: person.userId, email: person.email, permission: "read" }]);
  expect(of("api_keys")).toHaveLength(2);
  expect(of("invitations")).toMatchObject([{ email: "a@b.test" }]);
  expect(of("notification_channels")).toMatchObject([{ name: "Hook" }]);
  expect(of("alert_rules").length).toBeGreaterThan(0);
  const hash = createHash("sha256").update(adminKey.secret).digest("hex");
  const secrets = [adminKey.secret, hash, invited.url.split("/").at(-1) ?? "-", channel.signing_secret, "hush-hush"];
  for (const secret of [...secrets, other.id]) expect(answer.text).not.toContain(secret);
  const finished = await until("how it ended is on record", async () => {
    return (await eventsOf(server, id)).find(({ action }) => action === "organization.export_finished");
  });
  expect(finished).toMatchObject({ resource_id: answer.requestId, details: { rows: lines.length, complete: true } });
});
