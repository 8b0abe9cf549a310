import { Agent, request } from "node:http";
import { describe, expect, test } from "vitest";
import { anonymous, newAddress } from "@/e2e/support/api";
import { newOrganization } from "@/e2e/support/organization";
import { openRequest, rawRequest } from "@/e2e/support/raw";
import { eventById } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";
import { newToken } from "@/lib/tokens";

const server = sharedServer();
const organization = await newOrganization(server);
const MIB = 1024 * 1024;

async function requestOf(requestId: string) {
  // A separate key: there are more bodies here than one key's limit per minute.
  const { api } = await organization.newKey();
  await eventById(server, requestId);
  return (await api.get<AuditEventWithBody>(`/audit-logs/${requestId}`)).data.request;
}

describe("a body is in the log byte by byte", () => {
  const texts: [string, string][] = [
    ["JSON with odd spacing", '{ "name" :\t"x",\r\n"name":"y" }'],
    ["a secret that the client sent", '{"name":"x","password":"hunter2","authorization":"Bearer abc"}'],
    ["cut JSON", '{"name":'],
    ["no JSON", "hello"],
    ["white space", " \n\t "],
    ["all of Unicode's planes", "Zürich – 証明書 – 🔏 – e\u0301"],
    ["a byte order mark", '\ufeff{"name":"x"}'],
    ["control characters", "a\u0001\u007f\u0085\u2028"],
    ["formulas and markup", '=HYPERLINK("http://x")</script><b>\'";--'],
    ["a million characters", "é".repeat(MIB / 2)],
  ];

  test.each(texts)("%s", async (_, text) => {
    const answer = await organization.admin.post("/api-keys", text);
    expect(answer.status).toBeLessThan(500);
    expect(await requestOf(answer.requestId)).toMatchObject({
      method: "POST",
      body: text,
      body_encoding: "utf8",
      body_size: Buffer.byteLength(text),
      content_type: "application/json",
    });
  });

  const binaries: [string, Buffer][] = [
    ["every byte there is", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ["text with a NUL", Buffer.from("a\0b")],
    ["UTF-8 that is cut off", Buffer.from("é").subarray(0, 1)],
    ["half of a surrogate pair", Buffer.from([0xed, 0xa0, 0xbd])],
    ["exactly 1 MiB", Buffer.alloc(MIB, Buffer.from([0, 255, 128, 7]))],
  ];

  test.each(binaries)("%s, in base64", async (_, bytes) => {
    const headers = { "content-type": "application/octet-stream" };
    const answer = await organization.admin.post("/api-keys", bytes, { headers });
    expect(answer.status).toBe(415);
    expect(await requestOf(answer.requestId)).toMatchObject({
      body: bytes.toString("base64"),
      body_encoding: "base64",
      body_size: bytes.length,
      content_type: "application/octet-stream",
    });
    expect((await eventById(server, answer.requestId)).body?.equals(bytes)).toBe(true);
  });

  test("also in chunks", async () => {
    const head = `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.adminKey.secret}\r\n`;
    const chunks = "3\r\na\r\n\r\n4;x=y\r\nbcde\r\n0\r\nTrailer: t\r\n\r\n";
    const answer = await rawRequest(server, `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}`);
    expect(await requestOf(answer?.headers["x-request-id"] ?? "")).toMatchObject({ body: "a\r\nbcde", body_size: 7 });
  });

  test.each(["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "HEAD"])("of any method: %s", async (method) => {
    const { api } = await organization.newKey({ permission: "admin" });
    const answer = await api.request(method, "/nowhere", "something");
    expect(await requestOf(answer.requestId)).toMatchObject({ method, body: "something", body_size: 9 });
  });
});

describe("a body beyond the parser's limits is refused with the reason, and completely in the log", () => {
  test.each<[what: string, text: string, message: string, path?: string]>([
    ["deep", `{"items":${"[".repeat(5_000_000)}`, "must not be nested more than 64 levels deep"],
    ["wide", `{"items":[${"{},".repeat(2_000_000)}{}]}`, "must have at most 100000 values"],
    [
      "of unknown fields",
      `{${Array.from({ length: 900_000 }, (_, n) => `"${n}":1`).join()}}`,
      "must have at most 1000 different field names",
    ],
    ["of numbers", `{"items":[${"1,".repeat(50_000)}1]}`, "must have at most 10000 numbers"],
    ["of one field", `{${'"items":1,'.repeat(9_999)}"a":1}`, "is given more than once in one object", "items"],
    ["of escapes", `{"items":["${"\\n".repeat(5_000_000)}"]}`, "must have at most 2000000 escaped characters"],
    ["with a name of 10 MiB", `{"${"k".repeat(10 * MIB - 6)}":1}`, "must not have field names longer than 1000 bytes"],
  ])("%s", async (_, text, message, path = "body") => {
    const answer = await organization.admin.post("/uptime/bulk", text);
    expect([answer.status, answer.error.issues]).toEqual([400, [{ path, message }]]);
    expect((await eventById(server, answer.requestId)).body?.equals(Buffer.from(text))).toBe(true);
  });
});

describe("requests without a stored body", () => {
  test("an empty one is empty text", async () => {
    const answer = await organization.admin.post("/api-keys", "");
    expect(await requestOf(answer.requestId)).toMatchObject({ body: "", body_encoding: "utf8", body_size: 0 });
  });

  test("the body of a GET is not stored", async () => {
    const answer = await organization.admin.request("GET", "/api-keys", '{"secret":1}');
    expect(answer.status).toBe(400);
    expect(await requestOf(answer.requestId)).toMatchObject({ body: null, body_encoding: null, body_size: null });
  });

  test("a body over the limit is not stored; the event has its declared size", async () => {
    const head = `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.adminKey.secret}\r\n`;
    const answer = await rawRequest(server, `${head}Content-Length: ${MIB + 1}\r\n\r\n`);
    expect([answer?.status, answer?.headers.connection]).toEqual([413, "close"]);
    expect(JSON.parse(answer?.body ?? "").error.code).toBe("BODY_TOO_LARGE");
    expect(await requestOf(answer?.headers["x-request-id"] ?? "")).toMatchObject({
      body: null,
      body_encoding: null,
      body_size: MIB + 1,
    });
  });

  test("lists only have sizes", async () => {
    const text = "only in the detail";
    await organization.admin.post("/api-keys", text);
    const { api } = await organization.newKey();
    const list = await api.get("/audit-logs?method=POST&limit=200");
    expect(list.text).toContain('"body_size":18');
    expect(list.text).not.toContain(text);
  });
});

describe("bodies outside of the API", () => {
  const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`;
  const targets = [
    "/api/auth/signin/oidc",
    "/api/auth/sign-out",
    "/api/auth/accept-invitation",
    "/sign-in",
    "/nowhere",
    "/heartbeat/x/y",
    "/witness/x",
  ];

  test.each(targets)("%s refuses one in chunks, and stops reading it", async (path) => {
    const { send, answer } = openRequest(server, head(path, "Transfer-Encoding: chunked"));
    // Endless, as fast as the server reads.
    const chunk = `ffff\r\n${"x".repeat(0xffff)}\r\n`;
    const timer = setInterval(() => send(chunk), 1);
    const received = await answer.finally(() => clearInterval(timer));
    expect([received?.status, received?.headers.connection]).toEqual([411, "close"]);
  });

  test.each(targets)("%s refuses one that is too large", async (path) => {
    const answer = await rawRequest(server, head(path, "Content-Length: 10001"));
    expect([answer?.status, answer?.headers.connection]).toEqual([413, "close"]);
    expect(answer?.body).toBe("The body is larger than 10000 bytes.\n");
  });

  test("a job may send its output with its heartbeat, which is ignored", async () => {
    const path = `/heartbeat/${newToken()}`;
    const answer = await rawRequest(server, head(path, "Content-Length: 100000") + "x".repeat(100_000));
    expect(answer?.status).toBe(404);
  });
});

describe("the body of a refused request is stored too", () => {
  test("without a key, for the operator", async () => {
    const answer = await anonymous(server).post("/api-keys", "let me in");
    expect(answer.status).toBe(401);
    expect((await eventById(server, answer.requestId)).body?.toString()).toBe("let me in");
  });

  test("with a read key, and over the limit", async () => {
    const { api } = await organization.newKey();
    const refused = await api.post("/nowhere", "not allowed");
    expect(refused.status).toBe(403);
    // At the same time, so that they take less than a minute on a slow machine too.
    await Promise.all(Array.from({ length: 29 }, () => api.post("/nowhere")));
    const limited = await api.post("/nowhere", "too often");
    expect(limited.status).toBe(429);
    expect(await requestOf(refused.requestId)).toMatchObject({ body: "not allowed" });
    expect(await requestOf(limited.requestId)).toMatchObject({ body: "too often" });
  });

  test("an unread body does not block the connection's next request", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const address = newAddress();
    const ask = (method: string, authorization: string, body: Buffer) =>
      new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
        const headers = { authorization, "content-length": body.length, "x-forwarded-for": address };
        const asked = request(`${server.url}/api/v1/certificates`, { agent, method, headers }, (answer) => {
          const port = answer.socket.localPort;
          answer.resume().once("end", () => resolve({ status: answer.statusCode, port }));
        });
        asked.once("error", reject).end(body);
      });
    const refused = await ask("POST", "Bearer nobody", Buffer.alloc(2 * MIB, "x"));
    expect(refused.status).toBe(401);
    const next = await ask("GET", `Bearer ${organization.adminKey.secret}`, Buffer.alloc(0));
    expect(next).toEqual({ status: 200, port: refused.port });
    agent.destroy();
  });
});
