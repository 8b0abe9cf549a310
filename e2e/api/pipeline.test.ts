import { brotliDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { anonymous, newAddress } from "@/e2e/support/api";
import { send } from "@/e2e/support/http";
import { newOrganization } from "@/e2e/support/organization";
import { hangUp, openRequest, rawRequest } from "@/e2e/support/raw";
import { eventById, eventsOf, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import type { ApiKey } from "@/lib/api-keys/contract";
import { newSecret } from "@/lib/auth/secret";
import { groupLimits } from "@/lib/http/groups";
import { NOBODY, newId } from "@/lib/ids";

const server = sharedServer();
const organization = await newOrganization(server);
const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "TRACE", "M-SEARCH", "HEAD"];

/** A separate `admin` key: unknown routes share one group with 30 requests a minute. */
async function anAdmin() {
  const key = await organization.newKey({ permission: "admin" });
  return { ...key, headers: { authorization: `Bearer ${key.secret}` } };
}

describe("any method", () => {
  test.each(METHODS)("%s on a path that does not exist is 404, and one event", async (method) => {
    const { api } = await anAdmin();
    const answer = await api.request(method, "/nowhere");
    expect(answer.status).toBe(404);
    expect(answer.text === "").toBe(method === "HEAD");
    const event = await eventById(server, answer.requestId);
    expect(event).toMatchObject({
      organization_id: organization.id,
      method,
      path: "/api/v1/nowhere",
      route: null,
      action: null,
      status_code: 404,
      error_code: "NOT_FOUND",
    });
  });

  test.each(METHODS.slice(4))("%s on a path without this method is 405 with the supported methods", async (method) => {
    const { api, id } = await anAdmin();
    const answer = await api.request(method, `/api-keys/${id}`);
    expect(answer.status).toBe(405);
    expect(answer.header("allow")).toBe("GET, PUT, DELETE");
    const event = await eventById(server, answer.requestId);
    expect(event).toMatchObject({ method, route: "/api/v1/api-keys/{id}", status_code: 405 });
  });

  test("the response to HEAD never has a body", async () => {
    const { api } = await anAdmin();
    for (const path of ["/nowhere", "/api-keys", "/audit-logs"]) {
      const answer = await api.request("HEAD", path);
      expect([answer.status >= 400, answer.bytes.length]).toEqual([true, 0]);
      expect(answer.header("x-ratelimit-limit")).toMatch(/^\d+$/);
    }
  });
});

test("concurrent requests do not affect each other", async () => {
  const { api } = await newSession(server);
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) => api.post<{ id: string }>("/api-keys", { name: `Key ${n}` })),
  );
  const ids = made.map(({ data }) => data.id);
  const asked = Array.from({ length: 10 }, () => ids).flat();
  const answers = await Promise.all(
    asked.flatMap((id) => [
      api.get<{ id: string }>(`/api-keys/${id}`),
      api.get(`/api-keys?limit=${ids.indexOf(id) + 1}`),
    ]),
  );
  for (const [n, id] of asked.entries()) {
    const [one, list] = answers.slice(2 * n, 2 * n + 2);
    expect(one?.data).toMatchObject({ id });
    expect(list?.data).toHaveLength(ids.indexOf(id) + 1);
  }
});

test("a response is compressed if the client accepts it", async () => {
  const { api } = await newSession(server);
  const packed = await api.with({ "accept-encoding": "br" }).get("/openapi.json");
  expect(packed.header("content-encoding")).toBe("br");
  expect(brotliDecompressSync(packed.bytes).toString()).toBe((await api.get("/openapi.json")).text);
});

describe("an almost valid path", () => {
  const id = newId();
  const paths = [
    "",
    "/",
    "//",
    "/api-keys/",
    "//api-keys",
    "/api-keys//",
    `/api-keys/${id}/`,
    "/api%2dkeys",
    "/API-KEYS",
  ];
  const odd = [
    "/%",
    "/%zz",
    "/api-keys/%",
    "/api-keys/%2e%2e",
    "/../v1/api-keys",
    "/-",
    "/api-keys.json",
    "/[[...path]]",
  ];
  const ids = ["/api-keys/1", `/api-keys/${id.toUpperCase()}`, `/api-keys/${id}x`, `/api-keys/%20${id}`];

  test.each([...paths, ...odd, ...ids])("/api/v1%s is 404 and recorded as sent", async (path) => {
    const { api } = await anAdmin();
    const answer = await api.get(path);
    expect([answer.status, answer.error]).toEqual([
      404,
      { code: "NOT_FOUND", message: "There is no such resource.", request_id: answer.requestId },
    ]);
    expect((await eventById(server, answer.requestId)).path).toBe(`/api/v1${path}`);
  });

  test.each(["/foo/../api/v1/api-keys", "/%2e/api/v1/api-keys", "/api\\v1/api-keys", "/./api/v1/api-keys"])(
    "%s does not bypass the pipeline",
    async (target) => {
      const { headers } = await anAdmin();
      for (const method of ["GET", "PROPFIND"]) {
        const answer = await send(server.url, { method, target, headers });
        expect(answer.status).toBe(404);
        expect(await eventById(server, answer.requestId)).toMatchObject({ method, path: target, status_code: 404 });
      }
    },
  );

  test.each(["/api/v1x", "/api", "/%61pi/v1/api-keys", "/api%2fv1/api-keys", "/API/v1/api-keys"])(
    "%s does not belong to the API",
    async (target) => {
      const { headers } = await anAdmin();
      const answer = await send(server.url, { method: "GET", target, headers });
      expect(answer.status).toBe(404);
      expect(answer.headers["x-request-id"]).toBeUndefined();
    },
  );
});

describe("a body", () => {
  const cases: [string, unknown, Record<string, string>, number, string][] = [
    ["is cut JSON", '{"name":', {}, 400, "body"],
    ["is not UTF-8", Buffer.from('{"name":"\xff"}', "latin1"), {}, 400, "body"],
    ["is an array", "[]", {}, 400, "body"],
    ["is a string", '"name"', {}, 400, "body"],
    ["is null", "null", {}, 400, "body"],
    ["is empty", "", {}, 400, "name"],
    ["has an unknown field", { name: "x", secret: "mine" }, {}, 400, "secret"],
    ["hides a prototype", '{"name":"x","__proto__":{"permission":"admin"}}', {}, 400, "__proto__"],
    ["is a form", "name=x", { "content-type": "application/x-www-form-urlencoded" }, 415, ""],
    ["is text", '{"name":"x"}', { "content-type": "text/plain" }, 415, ""],
    ["is nearly JSON by its type", '{"name":"x"}', { "content-type": "application/jsonx" }, 415, ""],
  ];

  test.each(cases)("that %s is refused", async (_, body, headers, status, path) => {
    const answer = await organization.admin.post("/api-keys", body, { headers });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.error.code).toBe(status === 415 ? "UNSUPPORTED_MEDIA_TYPE" : "INVALID_REQUEST");
    if (path !== "") expect(answer.error.issues?.map((issue) => issue.path)).toEqual([path]);
  });

  test("may name its charset, and may be missing if no field is required", async () => {
    const type = { "content-type": "application/json; charset=utf-8" };
    expect((await organization.admin.post("/api-keys", { name: "x" }, { headers: type })).status).toBe(201);
    const { id } = await organization.newKey();
    expect((await organization.admin.post(`/api-keys/${id}/rotate`)).status).toBe(200);
  });

  test("of a GET is refused", async () => {
    const answer = await organization.admin.request("GET", "/api-keys", "{}");
    expect([answer.status, answer.error.issues?.[0]?.path]).toEqual([400, "body"]);
  });

  test("has an issue for each invalid field", async () => {
    const body = { name: "", permission: "root", ip_whitelist: ["10.0.0.0/8", "nowhere"], expires_at: "yesterday" };
    const answer = await organization.admin.post("/api-keys?what=1", body);
    const paths = answer.error.issues?.map(({ path }) => path);
    expect(paths?.sort()).toEqual(["expires_at", "ip_whitelist.1", "name", "permission", "what"]);
  });
});

/** The head of a request that creates a key, with further headers. */
const head = (secret: string, more: string) =>
  `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;

describe("a body that is too large", () => {
  test("is refused without being read if its declared size is too large", async () => {
    const { secret } = await anAdmin();
    const answer = await rawRequest(server, head(secret, "Content-Length: 5000000"));
    expect(answer?.status).toBe(413);
    const event = await eventById(server, answer?.headers["x-request-id"] ?? "");
    expect(event).toMatchObject({ status_code: 413, error_code: "BODY_TOO_LARGE", body_size: 5_000_000, body: null });
  });

  test("is refused when it exceeds the limit while it is read", async () => {
    const { secret } = await anAdmin();
    const chunk = "x".repeat(64 * 1024);
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(17);
    const answer = await rawRequest(server, `${head(secret, "Transfer-Encoding: chunked")}${chunks}0\r\n\r\n`);
    expect(answer?.status).toBe(413);
    const event = await eventById(server, answer?.headers["x-request-id"] ?? "");
    expect(event).toMatchObject({ status_code: 413, body_size: null, body: null });
  });

  test.each([
    ["cut off by its sender", "Content-Length: 100", '{"name":'],
    ["in chunks that are none", "Transfer-Encoding: chunked", "ZZ\r\n"],
  ])("or %s is recorded with 499, and changes nothing", async (_, header, part) => {
    const alone = await newOrganization(server);
    const { secret } = await alone.newKey({ permission: "admin" });
    const before = (await eventsOf(server, alone.id)).length;
    await hangUp(server, head(secret, header) + part);
    const events = await until("the event of the cut body", async () => {
      const all = await eventsOf(server, alone.id);
      return all.length > before && all;
    });
    expect(events.length).toBe(before + 1);
    expect(events.at(-1)).toMatchObject({
      method: "POST",
      route: "/api/v1/api-keys",
      status_code: 499,
      error_code: "CLIENT_CLOSED_REQUEST",
      auth_type: "api_key",
    });
    expect((await alone.admin.get<unknown[]>("/api-keys")).data).toHaveLength(3);
  });
});

describe("a body that is cut off does not avoid the checks of the credential:", () => {
  const cutOff = async (secret: string, address: string) => {
    const mark = newId();
    const headers = `Content-Length: 100\r\nUser-Agent: ${mark}\r\nX-Forwarded-For: ${address}`;
    await hangUp(server, `${head(secret, headers)}{"name":`);
    return until("the event of the cut body", async () => {
      const sql = "SELECT id FROM audit_events WHERE user_agent = $1";
      const [event] = await query<{ id: string }>(server, "audit", sql, [mark]);
      return event && eventById(server, event.id);
    });
  };
  const closed = { status_code: 499, error_code: "CLIENT_CLOSED_REQUEST" };

  test("a made-up key is flagged, and counts against the limit of its address", async () => {
    const address = newAddress();
    expect(await cutOff(newSecret(), address)).toMatchObject({ ...closed, flags: ["invalid_credentials"] });
    const next = await anonymous(server).with({ "x-forwarded-for": address }).post("/api-keys");
    expect(next.header("x-ratelimit-remaining")).toBe(String(groupLimits.api_keys - 2));
  });

  test("a rotated secret and a revoked key are flagged", async () => {
    const { admin, newKey } = await newOrganization(server);
    const key = await newKey({ permission: "admin" });
    await admin.post(`/api-keys/${key.id}/rotate`);
    expect(await cutOff(key.secret, newAddress())).toMatchObject({ ...closed, flags: ["rotated_secret"] });
    await admin.delete(`/api-keys/${key.id}`);
    expect(await cutOff(key.secret, newAddress())).toMatchObject({ ...closed, flags: ["revoked_key"] });
  });

  test("the limit of a key counts it", async () => {
    const { newKey } = await newOrganization(server);
    const key = await newKey({ permission: "admin" });
    const limit = groupLimits.api_keys;
    expect(await cutOff(key.secret, newAddress())).toMatchObject({
      ...closed,
      flags: [],
      rate_limit_remaining: limit - 1,
    });
    expect((await key.api.get("/api-keys")).header("x-ratelimit-remaining")).toBe(String(limit - 2));
  });
});

test("a refusal that ends while the body arrives leaves no flag in the event", async () => {
  const { admin, newKey } = await newOrganization(server);
  const key = await newKey({ permission: "admin", ip: ["192.0.2.1"] });
  const body = '{"items":[{}],"dry_run":true}';
  const start = head(key.secret, `Content-Length: ${body.length}`).replace("/api-keys ", "/uptime/bulk ");
  const request = openRequest(server, start);
  // Answered after the other one was judged.
  expect((await key.api.post("/uptime/bulk", "{}")).status).toBe(403);
  expect((await admin.put(`/api-keys/${key.id}`, { ip_whitelist: [] })).status).toBe(200);
  request.send(body);
  const answer = await request.answer;
  expect(answer?.status).toBe(200);
  const event = await eventById(server, answer?.headers["x-request-id"] ?? "");
  expect(event).toMatchObject({ status_code: 200, flags: [], api_key_id: key.id });
});

describe("a credential that is garbage", () => {
  const secret = newSecret();
  const wrongSum = `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`;
  const headers = ["", "Bearer", "Bearer ", "Basic dTpw", secret, `Bearer ${secret} ${secret}`, `Bearer ${secret}`];
  const more = [
    `Bearer ${wrongSum}`,
    `Bearer ${"x".repeat(8000)}`,
    "Bearer \u00e9",
    "Bearer ' OR 1=1 --",
    "Bearer null",
  ];

  test.each([...headers, ...more])("%s is 401 and flagged, in no organization's log", async (authorization) => {
    const answer = await anonymous(server).get("/api-keys", { headers: { authorization } });
    expect([answer.status, answer.error.code]).toEqual([401, "INVALID_API_KEY"]);
    expect(answer.header("www-authenticate")).toBe('Bearer error="invalid_token"');
    expect(await eventById(server, answer.requestId)).toMatchObject({
      organization_id: NOBODY,
      auth_type: "anonymous",
      api_key_id: null,
      flags: ["invalid_credentials"],
      is_security_event: true,
    });
  });

  test("is refused even with a valid one after it or with a session", async () => {
    const { cookie } = await newSession(server);
    const two = [`Bearer ${newSecret()}`, `Bearer ${organization.adminKey.secret}`];
    const answer = await anonymous(server).get("/api-keys", { headers: { authorization: two[0] ?? "", cookie } });
    expect(answer.error.code).toBe("INVALID_API_KEY");
  });

  test("is refused if the header is repeated, whichever of the two is valid", async () => {
    const { id, secret } = await organization.newKey();
    for (const secrets of [
      [newSecret(), secret],
      [secret, newSecret()],
      [secret, secret],
    ]) {
      const lines = secrets.map((value) => `Authorization: Bearer ${value}\r\n`).join("");
      const from = `X-Forwarded-For: ${newAddress()}\r\n`;
      const head = `GET /api/v1/api-keys HTTP/1.1\r\nHost: x\r\n${from}${lines}Connection: close\r\n\r\n`;
      const raw = await rawRequest(server, head);
      expect(raw?.status).toBe(401);
      expect(JSON.parse(raw?.body ?? "").error).toMatchObject({
        code: "INVALID_API_KEY",
        message: "Send one `Authorization` header.",
      });
      expect(await eventById(server, raw?.headers["x-request-id"] ?? "")).toMatchObject({
        ...{ organization_id: NOBODY, auth_type: "anonymous", api_key_id: null, flags: ["invalid_credentials"] },
      });
    }
    expect((await organization.admin.get<ApiKey>(`/api-keys/${id}`)).data.last_used_at).toBeNull();
  });
});

describe("the order of checks", () => {
  test("the caller, before the existence of the route", async () => {
    const answer = await anonymous(server).post("/nowhere", "{");
    expect([answer.status, answer.error.code]).toEqual([401, "UNAUTHENTICATED"]);
    expect((await eventById(server, answer.requestId)).is_security_event).toBe(false);
  });

  test.each(["POST", "DELETE", "PATCH", "HEAD", "OPTIONS", "PROPFIND"])(
    "permission, before route and method: a read key's %s is 403 anywhere",
    async (method) => {
      const { api, id } = await organization.newKey();
      for (const path of ["/nowhere", `/api-keys/${id}`, "/api-keys"]) {
        const answer = await api.request(method, path, method === "POST" ? "{" : undefined);
        expect(answer.status).toBe(403);
        const event = await eventById(server, answer.requestId);
        expect(event).toMatchObject({ error_code: "METHOD_NOT_ALLOWED", flags: ["method_not_allowed"], method });
      }
    },
  );

  test("whitelist, before expiry; expiry, before revocation", async () => {
    const past = new Date(Date.now() - 60_000);
    const elsewhere = await organization.newKey({ ip: ["192.0.2.1"], expiresAt: past });
    expect((await elsewhere.api.get("/nowhere")).error.code).toBe("IP_NOT_ALLOWED");
    const expired = await organization.newKey({ expiresAt: past });
    await organization.admin.delete(`/api-keys/${expired.id}`);
    expect((await expired.api.get("/nowhere")).error.code).toBe("API_KEY_EXPIRED");
  });

  test("the limit, before permission; a refused key's state, before the limit", async () => {
    const { api, id } = await organization.newKey();
    // At the same time, so that they take less than a minute on a slow machine too.
    const refused = await Promise.all(Array.from({ length: 30 }, () => api.delete("/nowhere")));
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await api.delete("/nowhere")).error.code).toBe("RATE_LIMITED");
    await organization.admin.delete(`/api-keys/${id}`);
    expect((await api.delete("/nowhere")).error.code).toBe("API_KEY_REVOKED");
  });

  test("route, before method; method, before input", async () => {
    expect((await organization.admin.post("/nowhere", "{")).status).toBe(404);
    expect((await organization.admin.request("PATCH", "/api-keys?unheard=1", "{")).status).toBe(405);
  });

  test("a request with a key and a cookie belongs to the key", async () => {
    const { cookie } = await newSession(server);
    const answer = await organization.read.get("/api-keys", { headers: { cookie } });
    expect(await eventById(server, answer.requestId)).toMatchObject({
      organization_id: organization.id,
      auth_type: "api_key",
      user_id: null,
    });
    const write = await organization.read.post("/api-keys", { name: "x" }, { headers: { cookie } });
    expect(write.error.code).toBe("METHOD_NOT_ALLOWED");
  });
});
