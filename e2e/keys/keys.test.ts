import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { anonymous, withKey } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import type { ApiKey, ApiKeyWithSecret } from "@/lib/api-keys/contract";
import { newSecret } from "@/lib/auth/secret";
import { idTime, NOBODY, newId } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const server = sharedServer();

const once = <Value>(make: () => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const aUse = once(async () => {
  const { admin, newKey } = await newOrganization(server);
  const key = await newKey();
  const { requestId } = await key.api.get("/api-keys", { headers: { "x-forwarded-for": "192.0.2.9" } });
  const lastUse = async () => {
    const { last_used_at, last_used_ip } = (await admin.get<ApiKey>(`/api-keys/${key.id}`)).data;
    return [last_used_at, last_used_ip];
  };
  return { key, lastUse, used: [new Date(idTime(requestId)).toISOString(), "192.0.2.9"] };
});

const aUseOfARotatedSecret = once(async () => {
  const { admin, newKey } = await newOrganization(server);
  const key = await newKey({ expiresAt: new Date(Date.now() + 60 * DAY_MS) });
  await key.api.get("/api-keys");
  const { last_used_at } = (await admin.get<ApiKey>(`/api-keys/${key.id}`)).data;
  await admin.post(`/api-keys/${key.id}/rotate`);
  const shown = async () => {
    const { risks, rotated_secret_used_at, last_used_at } = (await admin.get<ApiKey>(`/api-keys/${key.id}`)).data;
    return { risks, rotated_secret_used_at, last_used_at };
  };
  expect(await shown()).toEqual({ risks: [], rotated_secret_used_at: null, last_used_at });
  const refused = await key.api.get("/api-keys");
  const rotated_secret_used_at = new Date(idTime(refused.requestId)).toISOString();
  return { key, shown, used: { risks: ["rotated_secret_used"], rotated_secret_used_at, last_used_at } };
});

test("the last use of a key and its address are shown immediately", async () => {
  const { used, lastUse } = await aUse();
  expect(await lastUse()).toEqual(used);
});

test("the use of a rotated secret is a risk of its key immediately", async () => {
  const { used, shown } = await aUseOfARotatedSecret();
  expect(await shown()).toEqual(used);
});

describe("creating", () => {
  test("returns the secret, once, and the key's Location", async () => {
    const { admin, adminKey, id: organizationId } = await newOrganization(server);
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    const body = { name: " Deploy ", permission: "admin", ip_whitelist: ["10.0.0.0/8"], expires_at: expiresAt };
    const answer = await admin.post<ApiKeyWithSecret>("/api-keys", body);
    const { secret, ...key } = answer.data;
    expect(answer.status).toBe(201);
    expect(answer.header("location")).toBe(`/api/v1/api-keys/${key.id}`);
    expect(secret).toMatch(/^sw_[0-9A-Za-z]{46}$/);
    expect(key).toEqual({
      id: expect.any(String),
      name: "Deploy",
      permission: "admin",
      scope: null,
      ip_whitelist: ["10.0.0.0/8"],
      expires_at: expiresAt,
      status: "active",
      hint: `${secret.slice(0, 5)}…${secret.slice(-4)}`,
      created_at: expect.any(String),
      created_by: { type: "api_key", id: adminKey.id, name: "Admin" },
      last_used_at: null,
      last_used_ip: null,
      rotated_at: null,
      rotation_due_at: new Date(Date.parse(key.created_at) + 90 * DAY_MS).toISOString(),
      rotated_secret_used_at: null,
      revoked_at: null,
      risks: ["expires_soon"],
    });
    expect((await admin.get<ApiKey>(`/api-keys/${key.id}`)).data).toEqual(key);
    expect(await eventById(server, answer.requestId)).toMatchObject({
      organization_id: organizationId,
      flags: ["key_created"],
      resource_type: "api_key",
      resource_id: key.id,
      api_key_id: adminKey.id,
    });
  });

  test("gives read permission without whitelist and expiration by default", async () => {
    const { admin } = await newOrganization(server);
    const { permission, ip_whitelist, expires_at } = (await admin.post<ApiKey>("/api-keys", { name: "x" })).data;
    expect([permission, ip_whitelist, expires_at]).toEqual(["read", [], null]);
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ name: "a\nb" }, "name"],
    [{ name: 7 }, "name"],
    [{ name: "x", permission: "owner" }, "permission"],
    [{ name: "x", expires_at: new Date(Date.now() - 1000).toISOString() }, "expires_at"],
    [{ name: "x", expires_at: "tomorrow" }, "expires_at"],
    [{ name: "x", expires_at: "9999-12-31T23:59:59-01:00" }, "expires_at"],
    [{ name: "x", ip_whitelist: "10.0.0.1" }, "ip_whitelist"],
    [{ name: "x", ip_whitelist: ["10.0.0.1", "10.0.0.256"] }, "ip_whitelist.1"],
    [{ name: "x", ip_whitelist: ["10.0.0.1/8"] }, "ip_whitelist.0"],
    [{ name: "x", ip_whitelist: Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`) }, "ip_whitelist"],
  ])("refuses %j", async (body, path) => {
    const { admin } = await newOrganization(server);
    const answer = await admin.post("/api-keys", body);
    expect(answer.status).toBe(400);
    expect(answer.error.issues?.map((issue) => issue.path)).toEqual([path]);
    expect((await eventById(server, answer.requestId)).flags).toEqual([]);
  });

  test("stores a whitelist in canonical form, and suggests the intended network", async () => {
    const { admin } = await newOrganization(server);
    const ip_whitelist = ["::ffff:192.0.2.7", "2001:DB8:0::/32", "192.0.2.7", "192.0.2.0/24"];
    const { data } = await admin.post<ApiKey>("/api-keys", { name: "x", ip_whitelist });
    expect(data.ip_whitelist).toEqual(["192.0.2.7", "2001:db8::/32", "192.0.2.0/24"]);
    const refused = await admin.post("/api-keys", { name: "x", ip_whitelist: ["192.0.2.7/24"] });
    expect(refused.error.message).toContain("192.0.2.0/24");
  });
});

test("the list is newest first, in pages that do not overlap", async () => {
  const { admin, newKey } = await newOrganization(server);
  for (const name of ["one", "two", "three"]) await newKey({ name });
  const names: string[] = [];
  let query: string | null = "limit=2";
  while (query !== null) {
    const page: Answer<ApiKey[]> = await admin.get<ApiKey[]>(`/api-keys?${query}`);
    names.push(...page.data.map(({ name }) => name));
    const { next_cursor, has_more } = page.pagination;
    expect(has_more).toBe(next_cursor !== null);
    query = next_cursor === null ? null : `limit=2&cursor=${next_cursor}`;
  }
  expect(names).toEqual(["three", "two", "one", "Read", "Admin"]);
  for (const wrong of [
    "limit=0",
    "limit=201",
    "limit=x",
    "cursor=x",
    `cursor=${Buffer.from("[1,2]").toString("base64url")}`,
  ])
    expect((await admin.get(`/api-keys?${wrong}`)).status, wrong).toBe(400);
});

describe("updating", () => {
  test("changes only the given fields, from the next request on", async () => {
    const { admin, newKey } = await newOrganization(server);
    const key = await newKey({ permission: "admin", name: "Before" });
    const before = (await admin.get<ApiKey>(`/api-keys/${key.id}`)).data;
    const answer = await admin.put<ApiKey>(`/api-keys/${key.id}`, { permission: "read" });
    expect(answer.data).toEqual({ ...before, permission: "read", risks: ["no_expiration"] });
    expect((await eventById(server, answer.requestId)).flags).toEqual(["key_updated"]);
    const same = await admin.put<ApiKey>(`/api-keys/${key.id}`, { permission: "read" });
    expect(same.data).toEqual(answer.data);
    expect(await eventById(server, same.requestId)).toMatchObject({ flags: [], is_security_event: false });
    expect((await key.api.post("/api-keys", { name: "x" })).error.code).toBe("METHOD_NOT_ALLOWED");
    await admin.put(`/api-keys/${key.id}`, { ip_whitelist: ["192.0.2.1"] });
    expect((await key.api.get("/api-keys")).error.code).toBe("IP_NOT_ALLOWED");
    await admin.put(`/api-keys/${key.id}`, { ip_whitelist: [], name: "After" });
    expect((await admin.get<ApiKey>(`/api-keys/${key.id}`)).data).toEqual({
      ...before,
      permission: "read",
      name: "After",
      last_used_at: expect.any(String),
      last_used_ip: "127.0.0.1",
      risks: ["no_expiration"],
    });
  });

  test("can set an earlier expiration, and remove it again", async () => {
    const { admin, newKey } = await newOrganization(server);
    const key = await newKey();
    let leftMs = 350;
    // Longer each time, so that a slow machine can use the key before it expires.
    const soon = await until("the key is used before it expires", async () => {
      leftMs *= 2;
      const at = new Date(Date.now() + leftMs).toISOString();
      const changed = await admin.put<ApiKey>(`/api-keys/${key.id}`, { expires_at: at });
      if (Date.now() < Date.parse(at)) expect(changed.data.expires_at).toBe(at);
      return changed.status === 200 && (await key.api.get("/api-keys")).status === 200 && at;
    });
    const refused = await until("the key expires", async () => {
      const answer = await key.api.get("/api-keys");
      return answer.status !== 200 && answer;
    });
    expect(refused.error.code).toBe("API_KEY_EXPIRED");
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(soon));
    expect((await admin.get<ApiKey>(`/api-keys/${key.id}`)).data.status).toBe("expired");
    await admin.put(`/api-keys/${key.id}`, { expires_at: null });
    expect((await key.api.get("/api-keys")).status).toBe(200);
  });
});

describe("revoking", () => {
  test("takes effect with the next request; the record stays", async () => {
    const { admin, newKey } = await newOrganization(server);
    const key = await newKey();
    expect((await key.api.get("/api-keys")).status).toBe(200);
    const answer = await admin.delete<ApiKey>(`/api-keys/${key.id}`);
    expect(answer.data).toMatchObject({ id: key.id, status: "revoked", revoked_at: expect.any(String) });
    expect((await key.api.get("/api-keys")).error.code).toBe("API_KEY_REVOKED");
    expect((await eventById(server, answer.requestId)).flags).toEqual(["key_revoked"]);
    const again = await admin.delete<ApiKey>(`/api-keys/${key.id}`);
    expect(again.data).toEqual(answer.data);
    expect((await eventById(server, again.requestId)).flags).toEqual([]);
    expect((await admin.put(`/api-keys/${key.id}`, { name: "x" })).error.code).toBe("CONFLICT");
    expect((await admin.post(`/api-keys/${key.id}/rotate`)).error.code).toBe("CONFLICT");
  });

  test("a key can revoke itself", async () => {
    const { admin, adminKey } = await newOrganization(server);
    expect((await admin.delete<ApiKey>(`/api-keys/${adminKey.id}`)).data.status).toBe("revoked");
    expect((await admin.get("/api-keys")).error.code).toBe("API_KEY_REVOKED");
  });
});

describe("rotating", () => {
  test("refuses the old secret from the next request on, and shows who still uses it", async () => {
    const { id: organizationId, admin, newKey } = await newOrganization(server);
    const key = await newKey({ name: "Worker" });
    const answer = await admin.post<ApiKeyWithSecret>(`/api-keys/${key.id}/rotate`);
    const refused = await key.api.get("/api-keys");
    const { secret, hint, rotated_at, rotation_due_at } = answer.data;
    expect(answer.status).toBe(200);
    expect(secret).not.toBe(key.secret);
    expect(Date.parse(rotation_due_at) - Date.parse(rotated_at ?? "")).toBe(90 * DAY_MS);
    expect([refused.status, refused.error.code]).toEqual([401, "API_KEY_REVOKED"]);
    expect((await withKey(server, secret).get("/api-keys")).status).toBe(200);
    expect((await eventById(server, answer.requestId)).flags).toEqual(["key_rotated"]);
    expect(await eventById(server, refused.requestId)).toMatchObject({
      organization_id: organizationId,
      auth_type: "api_key",
      api_key_id: key.id,
      api_key_name: "Worker",
      api_key_hint: key.hint,
      flags: ["rotated_secret"],
      status_code: 401,
    });
    expect(hint).not.toBe(key.hint);
  });

  test("a key can rotate itself", async () => {
    const { admin, adminKey } = await newOrganization(server);
    const { secret } = (await admin.post<ApiKeyWithSecret>(`/api-keys/${adminKey.id}/rotate`)).data;
    expect((await admin.get("/api-keys")).error.code).toBe("API_KEY_REVOKED");
    expect((await withKey(server, secret).get("/api-keys")).status).toBe(200);
  });

  test("leaves one valid secret, even in a race", async () => {
    const { admin, newKey } = await newOrganization(server);
    const key = await newKey();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => admin.post<ApiKeyWithSecret>(`/api-keys/${key.id}/rotate`)),
    );
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status }) => status !== 200);
    expect(won.length).toBeGreaterThan(0);
    expect(lost.map(({ error }) => error.code)).toEqual(lost.map(() => "CONFLICT"));
    const tries = await Promise.all(
      [key.secret, ...won.map(({ data }) => data.secret)].map((secret) => withKey(server, secret).get("/api-keys")),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { requestId } of won) expect((await eventById(server, requestId)).flags).toEqual(["key_rotated"]);
    for (const { requestId } of lost) expect((await eventById(server, requestId)).flags).toEqual([]);
  });

  test("never restores a key in a race with a revocation", async () => {
    const { admin, newKey } = await newOrganization(server);
    const keys = await Promise.all(Array.from({ length: 5 }, () => newKey()));
    for (const key of keys) {
      const [rotated] = await Promise.all([
        admin.post<ApiKeyWithSecret>(`/api-keys/${key.id}/rotate`),
        admin.delete(`/api-keys/${key.id}`),
      ]);
      const secret = rotated.status === 200 ? rotated.data.secret : key.secret;
      expect((await withKey(server, secret).get("/api-keys")).error.code).toBe("API_KEY_REVOKED");
    }
  });
});

describe("a key that is refused", () => {
  test("because it expired, is refused and flagged in its organization's log", async () => {
    const { id, newKey } = await newOrganization(server);
    const key = await newKey({ expiresAt: new Date(Date.now() - 1) });
    const answer = await key.api.get("/api-keys");
    expect([answer.status, answer.error.code]).toEqual([401, "API_KEY_EXPIRED"]);
    expect(answer.header("www-authenticate")).toBe('Bearer error="invalid_token"');
    const event = await eventById(server, answer.requestId);
    expect(event).toMatchObject({ organization_id: id, api_key_id: key.id, flags: ["expired_key"] });
  });

  test("because it was revoked, likewise", async () => {
    const { id, admin, newKey } = await newOrganization(server);
    const key = await newKey();
    await admin.delete(`/api-keys/${key.id}`);
    const answer = await key.api.get("/api-keys");
    expect([answer.status, answer.error.code]).toEqual([401, "API_KEY_REVOKED"]);
    const event = await eventById(server, answer.requestId);
    expect(event).toMatchObject({ organization_id: id, api_key_id: key.id, flags: ["revoked_key"] });
  });

  test("because it is unknown, has no organization", async () => {
    const answer = await anonymous(server).get("/api-keys", { headers: { authorization: `Bearer ${newSecret()}` } });
    expect([answer.status, answer.error.code]).toEqual([401, "INVALID_API_KEY"]);
    const event = await eventById(server, answer.requestId);
    expect(event).toMatchObject({ organization_id: NOBODY, api_key_id: null, flags: ["invalid_credentials"] });
  });
});

test("another organization's key does not exist for any method", async () => {
  const [mine, other] = [await newOrganization(server), await newOrganization(server)];
  const key = await other.newKey();
  for (const [method, path] of [
    ["GET", ""],
    ["PUT", ""],
    ["DELETE", ""],
    ["POST", "/rotate"],
  ] as const) {
    const answers = [key.id, newId()].map((id) =>
      mine.admin.request(method, `/api-keys/${id}${path}`, method === "PUT" ? { name: "x" } : undefined),
    );
    for (const { status, error } of await Promise.all(answers))
      expect([status, error.code]).toEqual([404, "NOT_FOUND"]);
  }
  expect((await key.api.get("/api-keys")).status).toBe(200);
});

test("a secret is in its own response and nowhere else", async () => {
  const { admin } = await newOrganization(server);
  const created = (await admin.post<ApiKeyWithSecret>("/api-keys", { name: "x" })).data;
  await withKey(server, created.secret).get("/api-keys");
  const rotated = (await admin.post<ApiKeyWithSecret>(`/api-keys/${created.id}/rotate`)).data;
  await withKey(server, created.secret).get("/api-keys");
  await withKey(server, rotated.secret).get("/api-keys");
  const answers = await Promise.all(
    ["/api-keys", `/api-keys/${created.id}`, "/audit-logs", "/audit-logs/security-events"].map((path) =>
      admin.get(path),
    ),
  );
  const output = server.output();
  // Only the random part, so that every form of it is found.
  const randoms = [created, rotated].map(({ secret }) => secret.slice(5, -6));
  for (const random of randoms) {
    for (const answer of answers) expect(answer.text).not.toContain(random);
    expect(output.stdout + output.stderr).not.toContain(random);
  }
  const patterns = randoms.map((random) => `%${random}%`);
  for (const database of ["app", "audit"] as const) {
    const tables = await query<{ name: string }>(
      server,
      database,
      "SELECT c.oid::regclass::text AS name FROM pg_class c WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('public', 'partitions')",
    );
    const search = async ({ name }: { name: string }) => {
      const found = await query(server, database, `SELECT 1 FROM ${name} t WHERE t::text LIKE ANY ($1::text[])`, [
        patterns,
      ])
        // A day that has expired may be dropped meanwhile.
        .catch((error: { code?: string }) => (error.code === "42P01" ? [] : Promise.reject(error)));
      expect(found, `${name} of the ${database} database`).toEqual([]);
    };
    await Promise.all(tables.map(search));
  }
  const [stored] = await query<{ hash: Buffer }>(
    server,
    "app",
    "SELECT hash FROM api_key_secrets WHERE api_key_id = $1 AND retired_at IS NULL",
    [created.id],
  );
  expect(stored?.hash).toEqual(createHash("sha256").update(rotated.secret).digest());
});

// Last, because their writing was waited for during all other tests.
test("the last use of a key and its address are written within half a minute", async () => {
  const { key, used, lastUse } = await aUse();
  await until("the last use is written", async () => {
    const rows = await query(server, "app", "SELECT 1 FROM api_keys WHERE id = $1 AND last_used_at IS NOT NULL", [
      key.id,
    ]);
    return rows.length > 0;
  });
  expect(await lastUse()).toEqual(used);
});

test("the use of a rotated secret is a risk of its key after it was written, too", async () => {
  const { key, used, shown } = await aUseOfARotatedSecret();
  await until("it is written", async () => {
    const sql = "SELECT rotated_secret_used_at AS at FROM api_keys WHERE id = $1";
    const [row] = await query<{ at: Date | null }>(server, "app", sql, [key.id]);
    return row?.at?.toISOString() === used.rotated_secret_used_at;
  });
  expect(await shown()).toEqual(used);
});
