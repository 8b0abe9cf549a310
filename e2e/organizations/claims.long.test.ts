import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { query, type StoredEvent } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { MaliciousProvider } from "@/e2e/support/stand-ins/malicious-provider";
import { until } from "@/e2e/support/until";
import { Visitor } from "@/e2e/support/visitor";
import { newId } from "@/lib/ids";

const ORIGIN = "https://sealwatch.test";
const OPERATOR = "ops@example.test";
const GROUPS = ["admins of sealwatch", "readers"] as const;
const MANAGED = newId();
const provider = new MaliciousProvider();
let server: Sealwatch;
let managed: { id: string; slug: string };

beforeAll(async () => {
  await provider.up();
  server = await startSealwatch({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: MaliciousProvider.clientId,
    OIDC_CLIENT_SECRET: MaliciousProvider.clientSecret,
    OIDC_EMAIL_VERIFIED: "assumed",
    OIDC_GROUPS_CLAIM: "groups",
    OIDC_GROUPS_ORGANIZATION: MANAGED,
    OIDC_ADMIN_GROUPS: GROUPS[0],
    OIDC_READ_GROUPS: `${GROUPS[1]},others`,
    OPERATORS: `someone@example.test, ${OPERATOR.toUpperCase()}`,
    PUBLIC_URL: ORIGIN,
    TRUSTED_PROXIES: "127.0.0.1/32",
  });
  managed = await server.cli("org", "create", "--name", "Staff");
  expect(managed.slug).toBe("staff");
  await query(server, "app", "UPDATE organizations SET id = $1 WHERE id = $2", [MANAGED, managed.id]);
  managed.id = MANAGED;
});
afterAll(async () => {
  await server.destroy();
  await provider.down();
});

/** A person with claims in a new browser, in which they sign in. Returns where they arrive. */
async function arrive(claims: Record<string, unknown>): Promise<{ visitor: Visitor; at: string }> {
  provider.person = claims;
  const visitor = new Visitor(server, ORIGIN);
  return { visitor, at: await visitor.signIn() };
}

const someone = (more: Record<string, unknown> = {}) => ({ ...MaliciousProvider.newPerson(), ...more });

async function membershipsOf(email: unknown): Promise<{ slug: string; permission: string }[]> {
  return query(
    server,
    "app",
    `SELECT o.slug, m.permission FROM memberships m JOIN organizations o ON o.id = m.organization_id
     JOIN users u ON u.id = m.user_id WHERE u.email = $1 ORDER BY m.created_at`,
    [email],
  );
}

async function signInsOf(email: unknown): Promise<StoredEvent[]> {
  return query(
    server,
    "audit",
    "SELECT * FROM audit_events WHERE action = 'session.sign_in' AND (user_email = $1 OR error_message LIKE '%' || $1 || '%') ORDER BY id",
    [email],
  );
}

describe("groups of the identity provider", () => {
  test("make a new person a member with their permission, and of no other organization", async () => {
    const [admin, reader] = [someone({ groups: ["x", ...GROUPS] }), someone({ groups: GROUPS[1] })];
    const { visitor, at } = await arrive(admin);
    expect(at).toBe("/");
    expect(await membershipsOf(admin.email)).toEqual([{ slug: "staff", permission: "admin" }]);
    expect((await visitor.api.post("/api-keys", { name: "K" })).status).toBe(201);
    const { visitor: other } = await arrive(reader);
    expect(await membershipsOf(reader.email)).toEqual([{ slug: "staff", permission: "read" }]);
    expect((await other.api.get("/api-keys")).status).toBe(200);
    expect((await other.api.post("/api-keys", { name: "K" })).status).toBe(403);
    const [event] = await until("the sign-in is in the log", async () => {
      const found = await signInsOf(admin.email);
      return found.length > 0 && found;
    });
    expect(event).toMatchObject({
      organization_id: managed.id,
      flags: expect.arrayContaining(["member_added", "sign_in"]),
    });
  });

  test("change the permission at the next sign-in, in every session of the person", async () => {
    const person = someone({ groups: [GROUPS[0]] });
    const { visitor } = await arrive(person);
    await arrive({ ...person, groups: [GROUPS[1]] });
    expect(await membershipsOf(person.email)).toEqual([{ slug: "staff", permission: "read" }]);
    expect((await visitor.api.post("/api-keys", { name: "K" })).status).toBe(403);
    await arrive({ ...person, groups: [GROUPS[0]] });
    expect((await visitor.api.post("/api-keys", { name: "K" })).status).toBe(201);
  });

  test.each([
    ["other groups", ["strangers", "ADMINS OF SEALWATCH", "readers "]],
    ["no groups", []],
    ["no claim", undefined],
    ["a claim of another kind", { "admins of sealwatch": true }],
  ])("end access at the next sign-in with %s, which is refused and recorded", async (_, groups) => {
    const person = someone({ groups: [GROUPS[0]] });
    const { visitor } = await arrive(person);
    const { at } = await arrive({ ...person, groups });
    expect(at).toContain("/sign-in?error=NoGroup");
    expect(await membershipsOf(person.email)).toEqual([]);
    expect((await visitor.api.get("/api-keys")).status).toBe(401);
    const events = await until("both sign-ins are in the log", async () => {
      const found = await signInsOf(person.email);
      return found.length === 2 && found;
    });
    expect(events[1]).toMatchObject({
      organization_id: managed.id,
      flags: expect.arrayContaining(["member_removed", "sign_in_refused"]),
    });
  });

  test("may leave no admin, and do not touch other organizations", async () => {
    const person = someone({ groups: [GROUPS[0]] });
    const { visitor } = await arrive(person);
    const own = await visitor.api.post<{ id: string; slug: string }>("/organizations", { name: "Own" });
    expect(own.status).toBe(201);
    await query(
      server,
      "app",
      "DELETE FROM memberships WHERE organization_id = $1 AND permission = 'admin' AND user_id <> (SELECT id FROM users WHERE email = $2)",
      [managed.id, person.email],
    );
    const { at } = await arrive({ ...person, groups: [] });
    expect(at).toBe("/");
    expect(await membershipsOf(person.email)).toEqual([{ slug: own.data.slug, permission: "admin" }]);
  });

  test("give no access to a person who is in none, and who gets no organization of their own", async () => {
    const person = someone();
    const { at } = await arrive(person);
    expect(at).toContain("/sign-in?error=NoGroup");
    expect(await membershipsOf(person.email)).toEqual([]);
  });

  test("refuse a member for whom the plan has no room, without an organization of their own", async () => {
    await query(
      server,
      "app",
      `WITH made AS (INSERT INTO users (id, issuer, subject, email, name, created_at)
         SELECT gen_random_uuid(), 'x', 'filler ' || n, 'filler' || n || '@example.test', 'F', now() FROM generate_series(1, 100) n RETURNING id)
       INSERT INTO memberships (organization_id, user_id, permission, created_at) SELECT $1, id, 'read', now() FROM made`,
      [managed.id],
    );
    const person = someone({ groups: [GROUPS[1]] });
    const { at } = await arrive(person);
    await query(server, "app", "DELETE FROM users WHERE subject LIKE 'filler %'", []);
    expect(at).toContain("/sign-in?error=NoRoom");
    expect(await membershipsOf(person.email)).toEqual([]);
  });

  test("refuse somebody who is a member of as many organizations as a person can be", async () => {
    const person = someone({ groups: [GROUPS[1]] });
    await arrive(person);
    await arrive({ ...person, groups: [] });
    await query(
      server,
      "app",
      `WITH made AS (INSERT INTO organizations (id, name, slug, created_at)
         SELECT own, 'Many', own::text, now() FROM (SELECT gen_random_uuid() AS own FROM generate_series(1, 200)) AS ids RETURNING id)
       INSERT INTO memberships (organization_id, user_id, permission, created_at)
       SELECT made.id, u.id, 'read', now() FROM made, users u WHERE u.email = $1`,
      [person.email],
    );
    expect((await arrive(person)).at).toContain("/sign-in?error=TooManyMemberships");
    expect(await membershipsOf(person.email)).toHaveLength(200);
    await query(server, "app", "DELETE FROM organizations WHERE name = 'Many'", []);
    expect((await arrive(person)).at).toBe("/");
  });
});

describe("the operator's page", () => {
  const page = (visitor: Visitor) => visitor.request("GET", "/operator");

  test("shows the installation to a person whom OPERATORS names and the issuer verified", async () => {
    const { visitor } = await arrive(someone({ email: OPERATOR, groups: [GROUPS[1]] }));
    const shown = await until("the worker has said what its jobs did", async () => {
      const answer = await page(visitor);
      return answer.text.includes("audit-logs.ship-outbox") && answer;
    });
    expect(shown.status).toBe(200);
    for (const text of ["Processes", "worker", "Outbox", "Sealing", "Streams", "Databases", "PostgreSQL", "Staff"])
      expect(shown.text).toContain(text);
    expect(shown.text).not.toContain("could not be read");
    expect((await visitor.request("GET", "/")).text).toContain('\\"isOperator\\":true');
  });

  test.each([
    ["an admin whom it does not name", { groups: [GROUPS[0]] }],
    ["a member whose named address is assumed to be verified", { email: OPERATOR, email_verified: undefined }],
    ["a member whose address only looks like a named one", { email: `x${OPERATOR}` }],
    ["a member who calls themselves like one", { name: OPERATOR, preferred_username: OPERATOR }],
  ])("is 404 for %s", async (_, claims) => {
    // The address belongs to one person only.
    await query(server, "app", "UPDATE users SET email = 'former@example.test' WHERE email = $1", [OPERATOR]);
    const { visitor, at } = await arrive(someone({ groups: [GROUPS[1]], ...claims }));
    expect(at).toBe("/");
    const answer = await page(visitor);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toMatch(/ship-outbox|Staff<|Organizations by events/);
    expect((await visitor.request("GET", "/")).text).toContain('\\"isOperator\\":false');
  });

  test("is 404 without a session, and for the router's own requests", async () => {
    expect((await page(new Visitor(server, ORIGIN))).status).toBe(404);
    const { visitor } = await arrive(someone({ groups: [GROUPS[0]] }));
    const flight = await visitor.request("GET", "/operator?_rsc=1", undefined, { rsc: "1" });
    expect(flight.text).not.toMatch(/ship-outbox|Organizations by events/);
  });

  test("ends with the address: another verified address in a later session is not taken from an older one", async () => {
    await query(server, "app", "UPDATE users SET email = 'former@example.test' WHERE email = $1", [OPERATOR]);
    const person = someone({ groups: [GROUPS[1]] });
    const { visitor } = await arrive(person);
    await arrive({ ...person, email: OPERATOR, email_verified: undefined });
    expect((await page(visitor)).status).toBe(404);
  });

  test("shows the other parts while the audit database is unavailable", async () => {
    await query(server, "app", "UPDATE users SET email = 'former@example.test' WHERE email = $1", [OPERATOR]);
    const { visitor } = await arrive(someone({ email: OPERATOR, groups: [GROUPS[1]] }));
    await query(server, "app", "ALTER DATABASE sealwatch_audit ALLOW_CONNECTIONS false", []);
    await query(
      server,
      "app",
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'sealwatch_audit'",
      [],
    );
    const answer = await page(visitor);
    await query(server, "app", "ALTER DATABASE sealwatch_audit ALLOW_CONNECTIONS true", []);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("could not be read");
    expect(answer.text).toContain("worker");
  });
});
