import { describe, expect, test } from "vitest";
import { anonymous } from "@/e2e/support/api";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, query, whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import type { ApiKey } from "@/lib/api-keys/contract";
import { NOBODY, newId } from "@/lib/ids";
import { endSession } from "@/lib/sign-in/sign-in";

const server = sharedServer();

function setPermission({ userId, organizationId }: SignedIn, permission: string) {
  const sql = "UPDATE memberships SET permission = $3 WHERE user_id = $1 AND organization_id = $2";
  return query(server, "app", sql, [userId, organizationId, permission]);
}

describe("a session", () => {
  test("of a new person belongs to the admin of an organization without keys", async () => {
    const { api, organizationId, userId, sessionId } = await newSession(server);
    const answer = await api.get<ApiKey[]>("/api-keys");
    expect(answer.data).toEqual([]);
    expect(await eventById(server, answer.requestId)).toMatchObject({
      organization_id: organizationId,
      auth_type: "session",
      user_id: userId,
      user_email: expect.stringContaining("@example.test"),
      api_key_id: null,
      rate_limit_remaining: 60,
    });
    const created = await api.post<ApiKey>("/api-keys", { name: "First" });
    expect(created.data.created_by).toMatchObject({ type: "user", id: userId });
    expect(await eventById(server, created.requestId)).toMatchObject({ auth_type: "session", flags: ["key_created"] });
    const [signIn] = await query<{ flags: string[]; organization_id: string }>(
      server,
      "audit",
      "SELECT flags, organization_id FROM audit_events WHERE resource_id = $1",
      [sessionId],
    );
    expect(signIn).toEqual({ flags: ["sign_in"], organization_id: organizationId });
  });

  test("sees the organization's data, and no other's", async () => {
    const { api } = await newSession(server);
    const other = await newOrganization(server);
    expect((await api.get(`/api-keys/${other.adminKey.id}`)).status).toBe(404);
    const theirs = await other.admin.get("/api-keys");
    expect((await api.get(`/audit-logs/${theirs.requestId}`)).status).toBe(404);
  });

  test("ends with the next request when the member is removed", async () => {
    const session = await newSession(server);
    expect((await session.api.get("/api-keys")).status).toBe(200);
    await query(server, "app", "DELETE FROM memberships WHERE user_id = $1", [session.userId]);
    for (const answer of [await session.api.get("/api-keys"), await session.api.post("/api-keys", { name: "x" })]) {
      expect([answer.status, answer.error.code]).toEqual([401, "UNAUTHENTICATED"]);
    }
  });

  test("of a read member allows only GET, like a read key", async () => {
    const session = await newSession(server);
    const { read } = await newOrganization(server);
    await setPermission(session, "read");
    expect((await session.api.get("/api-keys")).status).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "PROPFIND"]) {
      for (const path of ["/api-keys", "/nowhere"]) {
        const [mine, key] = await Promise.all([session.api.request(method, path), read.request(method, path)]);
        expect(mine.status).toBe(403);
        expect(mine.text.replace(mine.requestId, "")).toBe(key.text.replace(key.requestId, ""));
        expect((await eventById(server, mine.requestId)).flags).toEqual(["method_not_allowed"]);
      }
    }
    await setPermission(session, "admin");
    expect((await session.api.post("/api-keys", { name: "x" })).status).toBe(201);
  });

  test("that is signed out several times at once ends once, with one event", async () => {
    const { sessionId, organizationId } = await newSession(server);
    const answers = await Promise.all(Array.from({ length: 6 }, () => endSession(sessionId)));
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    const events = async () => {
      await whenDelivered(server, organizationId);
      const text = "SELECT FROM audit_events WHERE action = 'session.sign_out' AND resource_id = $1";
      return query(server, "audit", text, [sessionId]);
    };
    expect(await events()).toHaveLength(1);
    expect(await endSession(sessionId)).toBeNull();
    expect(await events()).toHaveLength(1);
  });

  test("that ended or expired is 401", async () => {
    const ended = await newSession(server);
    await query(server, "app", "UPDATE sessions SET ended_at = now() WHERE id = $1", [ended.sessionId]);
    const expired = await newSession(server);
    await query(server, "app", "UPDATE sessions SET expires_at = now() WHERE id = $1", [expired.sessionId]);
    for (const { api } of [ended, expired]) {
      const answer = await api.get("/api-keys");
      expect([answer.status, answer.error.code, answer.header("www-authenticate")]).toEqual([
        401,
        "UNAUTHENTICATED",
        "Bearer",
      ]);
    }
  });

  test("ends two hours after its last use, and a request counts as use", async () => {
    const unusedFor = ({ sessionId }: SignedIn, minutes: number) =>
      query(server, "app", "UPDATE sessions SET seen_at = now() - make_interval(mins => $2) WHERE id = $1", [
        sessionId,
        minutes,
      ]);
    const [idle, used] = [await newSession(server), await newSession(server)];
    await unusedFor(idle, 121);
    await unusedFor(used, 119);
    expect((await idle.api.get("/api-keys")).error.code).toBe("UNAUTHENTICATED");
    expect((await used.api.get("/api-keys")).status).toBe(200);
    const sql = "SELECT 1 FROM sessions WHERE id = $1 AND seen_at > now() - interval '1 minute'";
    await until("the use is noted", async () => (await query(server, "app", sql, [used.sessionId])).length === 1);
    await unusedFor(used, 121);
    expect((await used.api.post("/api-keys", { name: "x" })).status).toBe(401);
  });

  test.each(["", "garbage", "a.b.c.d.e", "%00", "x".repeat(4000)])("cookie %j is refused", async (value) => {
    const cookie = `sealwatch.session=${value}`;
    const answer = await anonymous(server).get("/api-keys", { headers: { cookie } });
    expect([answer.status, answer.error.code]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test("is not accepted under another cookie name", async () => {
    const { cookie } = await newSession(server);
    const token = cookie.slice(cookie.indexOf("=") + 1);
    for (const name of ["__Host-sealwatch.session", "next-auth.session-token", "session", "sealwatch.session.0"]) {
      const answer = await anonymous(server).get("/api-keys", { headers: { cookie: `${name}=${token}` } });
      expect(answer.status).toBe(401);
    }
  });
});

describe("a write with a session comes from our own pages", () => {
  const own = server.url;
  const allowed: Record<string, string>[] = [
    { origin: own },
    { origin: own, "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "same-origin" },
  ];
  const refused: Record<string, string>[] = [
    {},
    { origin: "https://evil.test" },
    { origin: "null" },
    { origin: `${own}.evil.test` },
    { origin: own.replace("127.0.0.1", "localhost") },
    { origin: own, "sec-fetch-site": "cross-site" },
    { origin: own, "sec-fetch-site": "same-site" },
    { origin: own, "sec-fetch-site": "none" },
    { origin: "https://evil.test", "sec-fetch-site": "same-origin" },
    { referer: `${own}/api-keys` },
  ];

  test.each(allowed)("%j does", async (headers) => {
    const { cookie } = await newSession(server);
    const answer = await anonymous(server).post("/api-keys", { name: "x" }, { headers: { ...headers, cookie } });
    expect(answer.status).toBe(201);
  });

  test.each(refused)("%j does not", async (headers) => {
    const { cookie, organizationId, api } = await newSession(server);
    const answer = await anonymous(server).post("/api-keys", { name: "x" }, { headers: { ...headers, cookie } });
    expect([answer.status, answer.error.code]).toEqual([403, "CROSS_SITE_REQUEST"]);
    expect(await eventById(server, answer.requestId)).toMatchObject({
      organization_id: organizationId,
      flags: ["cross_site_request"],
      is_security_event: true,
    });
    expect((await api.get("/api-keys")).data).toEqual([]);
    // Reads are allowed, because other sites cannot see the response.
    expect((await anonymous(server).get("/api-keys", { headers: { ...headers, cookie } })).status).toBe(200);
  });
});

describe("a person in several organizations", () => {
  test("works in the organization of the cookie, with their permission there", async () => {
    const session = await newSession(server);
    const other = await newOrganization(server);
    const join =
      "INSERT INTO memberships (organization_id, user_id, permission, created_at) VALUES ($1, $2, 'read', now())";
    await query(server, "app", join, [other.id, session.userId]);

    const first = await session.api.get("/api-keys");
    expect((await eventById(server, first.requestId)).organization_id).toBe(session.organizationId);
    const there = session.in(other.id);
    const switched = await there.get<ApiKey[]>("/api-keys");
    expect(switched.data.map(({ name }) => name)).toEqual(["Read", "Admin"]);
    expect((await eventById(server, switched.requestId)).organization_id).toBe(other.id);
    expect((await there.post("/api-keys", { name: "x" })).error.code).toBe("METHOD_NOT_ALLOWED");
    expect((await session.api.post("/api-keys", { name: "x" })).status).toBe(201);
  });

  test("works in the organization of the header, whatever the cookie says, but on a path in that of the path", async () => {
    const session = await newSession(server);
    const other = await newOrganization(server);
    const join =
      "INSERT INTO memberships (organization_id, user_id, permission, created_at) VALUES ($1, $2, 'admin', now())";
    await query(server, "app", join, [other.id, session.userId]);

    const page = { headers: { "sealwatch-organization": session.organizationId } };
    const elsewhere = session.in(other.id);
    const made = await elsewhere.post<ApiKey>("/api-keys", { name: "For the page" }, page);
    expect((await eventById(server, made.requestId)).organization_id).toBe(session.organizationId);
    expect((await session.api.get<ApiKey[]>("/api-keys")).data.map(({ name }) => name)).toEqual(["For the page"]);
    const renamed = await elsewhere.put(`/organizations/${other.id}`, { name: "By its path" }, page);
    expect((await eventById(server, renamed.requestId)).organization_id).toBe(other.id);
    const byKey = await other.admin.get<ApiKey[]>("/api-keys", page);
    expect((await eventById(server, byKey.requestId)).organization_id).toBe(other.id);
  });

  test("changes nothing elsewhere if they are not a member of the organization of the header", async () => {
    const [session, other] = await Promise.all([newSession(server), newOrganization(server)]);
    for (const id of [other.id, newId(), "nonsense", ""]) {
      const headers = { "sealwatch-organization": id };
      const refused = await session.api.post("/api-keys", { name: "Lost" }, { headers });
      expect([refused.status, refused.error]).toMatchObject([
        400,
        { code: "INVALID_REQUEST", issues: [{ path: "Sealwatch-Organization" }] },
      ]);
      expect(await eventById(server, refused.requestId)).toMatchObject({
        organization_id: NOBODY,
        auth_type: "session",
        user_id: session.userId,
        error_code: "INVALID_REQUEST",
      });
    }
    expect((await session.api.get("/api-keys")).data).toEqual([]);
  });

  test("cannot select an organization without being a member", async () => {
    const session = await newSession(server);
    const other = await newOrganization(server);
    for (const id of [other.id, "nonsense", ""]) {
      const answer = await session.in(id).get("/api-keys");
      expect((await eventById(server, answer.requestId)).organization_id).toBe(session.organizationId);
    }
  });
});
