import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { Sealwatch, SealwatchConnectionError, SealwatchError, type SealwatchOptions } from "@/lib/client/client";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
interface Seen {
  request: string;
  headers: IncomingMessage["headers"];
  body: string;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that gives these answers in turn, the last one from then on, and a client of it. */
async function serve(answers: Answer[], options: Partial<SealwatchOptions> = {}) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    const known: Seen = { request: `${request.method} ${request.url}`, headers: request.headers, body: "" };
    seen.push(known);
    request.on("data", (chunk: Buffer) => (known.body += chunk));
    await once(request, "end");
    answer?.(response, request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, client: new Sealwatch({ url: `${url}/`, apiKey: "sw_x", ...options }) };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  return (response) => void response.writeHead(status, headers).end(JSON.stringify(body));
};
const failure = (status: number, code: string, more = {}) =>
  json(status, { error: { code, message: "No.", request_id: "r1", ...more } });
const hangUp: Answer = (response) => void response.destroy();
const never: Answer = () => {};
const key = json(200, { data: { id: "1" } }, { etag: '"v1"' });

const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe("a request", () => {
  test("has its path, its query or body, the key, and headers", async () => {
    const { seen, client } = await serve([key], { headers: { "User-Agent": "ci" } });
    await client.call("GET /api-keys/{id}", { id: "a/b" });
    await client.call("PUT /api-keys/{id}", { id: "1", name: "Ünï" }, { ifMatch: '"v0"' });
    await client.page("GET /audit-logs", { flag: ["key_created", "!sign_in"], limit: 2 }).catch(() => {});
    expect(seen.map(({ request }) => request)).toEqual([
      "GET /api/v1/api-keys/a%2Fb",
      "PUT /api/v1/api-keys/1",
      "GET /api/v1/audit-logs?flag=key_created%2C%21sign_in&limit=2",
    ]);
    expect(seen[0]?.headers).toMatchObject({ authorization: "Bearer sw_x", "user-agent": "ci" });
    expect(seen[0]?.headers).not.toHaveProperty("idempotency-key");
    expect(seen[1]?.headers).toMatchObject({ "if-match": '"v0"', "content-type": "application/json" });
    expect(seen[1]?.body).toBe('{"name":"Ünï"}');
  });

  test("returns the ETag of a version on request", async () => {
    const { client } = await serve([key]);
    expect(await client.versioned("GET /api-keys/{id}", { id: "1" })).toEqual({ data: { id: "1" }, etag: '"v1"' });
  });
});

describe("a failure", () => {
  test("is an error with status, code, field and request id, and is not repeated", async () => {
    const issues = [{ path: "name", message: "is required" }];
    const { seen, client } = await serve([failure(400, "INVALID_REQUEST", { issues })]);
    const error = await failed(client.call("GET /api-keys/{id}", { id: "1" }));
    expect(error).toBeInstanceOf(SealwatchError);
    expect(error).toMatchObject({ status: 400, code: "INVALID_REQUEST", requestId: "r1", field: "name", issues });
    expect(seen).toHaveLength(1);
  });

  test("that is not the API's is an error too", async () => {
    const { client } = await serve([(response) => void response.writeHead(404).end("<html>")]);
    const error = await failed(client.call("GET /api-keys/{id}", { id: "1" }));
    expect(error).toMatchObject({ status: 404, code: "UNKNOWN", requestId: null, issues: [] });
  });

  test.each([
    [429, "RATE_LIMITED"],
    [503, "UNAVAILABLE"],
    [409, "NOT_SEALED_YET"],
    [409, "CONFLICT"],
    [502, "UNKNOWN"],
  ])("with status %i is repeated after the pause that the server asks for", async (status, code) => {
    const { seen, client } = await serve([failure(status, code, { retry_after: 0 }), key]);
    expect(await client.call("GET /api-keys/{id}", { id: "1" })).toEqual({ id: "1" });
    expect(seen).toHaveLength(2);
  });

  test("with a conflict that does not pass is not repeated", async () => {
    const { seen, client } = await serve([failure(409, "CONFLICT"), key]);
    expect(await failed(client.call("POST /api-keys", { name: "x" }))).toMatchObject({
      code: "CONFLICT",
      retryAfter: null,
    });
    expect(seen).toHaveLength(1);
  });

  test("is thrown after the last repetition", async () => {
    const { seen, client } = await serve([failure(429, "RATE_LIMITED", { retry_after: 0 })], { retries: 2 });
    expect(await failed(client.page("GET /api-keys"))).toMatchObject({ status: 429, retryAfter: 0 });
    expect(seen).toHaveLength(3);
  });

  test("with a longer pause than permitted is thrown at once; the header counts without a body", async () => {
    const busy: Answer = (response) => void response.writeHead(503, { "retry-after": "120" }).end();
    const { seen, client } = await serve([busy]);
    expect(await failed(client.page("GET /api-keys"))).toMatchObject({ status: 503, retryAfter: 120 });
    expect(seen).toHaveLength(1);
  });

  test("with the longest pause that is permitted is repeated, although the client adds a random part", async () => {
    const { seen, client } = await serve([failure(429, "RATE_LIMITED", { retry_after: 0.05 }), key], {
      longestPauseMs: 50,
    });
    expect(await client.call("GET /api-keys/{id}", { id: "1" })).toEqual({ id: "1" });
    expect(seen).toHaveLength(2);
  });
});

describe("without an answer", () => {
  test("a POST is repeated with the same Idempotency-Key, and each POST has its own", async () => {
    const { seen, client } = await serve([hangUp, key]);
    await client.call("POST /api-keys", { name: "x" });
    await client.call("POST /api-keys", { name: "x" });
    await client.call("POST /api-keys", { name: "x" }, { idempotencyKey: "mine" });
    const [first, second, third, fourth] = seen.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second, fourth]).toEqual([first, "mine"]);
    expect(third).not.toBe(first);
  });

  test("the error has the runtime's as its cause", async () => {
    const { client } = await serve([hangUp], { retries: 0 });
    const error = await failed(client.page("GET /api-keys"));
    expect(error).toBeInstanceOf(SealwatchConnectionError);
    expect(error).toMatchObject({ isTimeout: false, cause: expect.any(Error) });
  });

  test("an attempt ends when its time is over, also within the body", async () => {
    const half: Answer = (response) => void response.writeHead(200).write('{"data"');
    const { seen, client } = await serve([never, half, key], { timeoutMs: 500 });
    expect(await failed(client.page("GET /api-keys", {}, { retries: 0 }))).toMatchObject({ isTimeout: true });
    expect(await client.call("GET /api-keys/{id}", { id: "1" })).toEqual({ id: "1" });
    expect(seen).toHaveLength(3);
  });

  test("a signal ends it with its reason: before, during, and between attempts", async () => {
    const reason = new Error("enough");
    const { seen, client } = await serve([never, failure(503, "UNAVAILABLE", { retry_after: 60 })]);
    expect(await failed(client.page("GET /api-keys", {}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(seen).toHaveLength(0);
    for (const count of [1, 2]) {
      const aborter = new AbortController();
      const asked = failed(client.page("GET /api-keys", {}, { signal: aborter.signal }));
      await expect.poll(() => seen.length).toBe(count);
      aborter.abort(reason);
      expect(await asked).toBe(reason);
    }
  });
});

describe("lists", () => {
  test("are read page by page, as far as they are needed", async () => {
    const page = (ids: number[], next: string | null) =>
      json(200, { data: ids.map((id) => ({ id })), pagination: { next_cursor: next, has_more: next !== null } });
    const { seen, client } = await serve([page([1, 2], "c"), page([], "d"), page([3], null)]);
    const ids: unknown[] = [];
    for await (const { id } of client.list("GET /api-keys", { limit: 2 })) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
    expect(seen.map(({ request }) => request.split("?")[1])).toEqual([
      "limit=2",
      "limit=2&cursor=c",
      "limit=2&cursor=d",
    ]);
    for await (const _ of client.list("GET /api-keys")) break;
    expect(seen).toHaveLength(4);
  });
});

describe("the stream of events", () => {
  const stream = (...parts: string[]): Answer => {
    return (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const part of parts) response.write(part);
      response.end();
    };
  };
  const event = (id: string) => `id: ${id}\nevent: audit_event\ndata: {"id":\ndata: "${id}"}\n\n`;

  test("goes on after the last event, also after one without data, a broken connection and a busy server", async () => {
    const { seen, client } = await serve([
      stream("retry: 1\r\n\r\n", ": hello\n\nid: start\n\n"),
      hangUp,
      failure(503, "UNAVAILABLE", { retry_after: 0 }),
      stream(
        event("a").slice(0, 20),
        event("a").slice(20),
        'event: audit_stats\ndata: {"since":"x"}\n\n',
        "id: lost\nda",
      ),
      stream(event("b")),
    ]);
    const got: unknown[] = [];
    for await (const streamed of client.events({ flag: ["sign_in"] })) {
      got.push(streamed);
      if (got.length === 3) break;
    }
    expect(got).toEqual([
      { type: "audit_event", id: "a", data: { id: "a" } },
      { type: "audit_stats", data: { since: "x" } },
      { type: "audit_event", id: "b", data: { id: "b" } },
    ]);
    const resumed = seen.map(({ headers }) => headers["last-event-id"]);
    expect(resumed).toEqual([undefined, "start", "start", "start", "a"]);
  });

  test("ends with an error when the credential is refused, and with the reason of a signal", async () => {
    const { seen, client } = await serve([stream(event("a")), failure(401, "API_KEY_REVOKED")]);
    const read = async (signal?: AbortSignal) => {
      for await (const _ of client.events({}, { lastEventId: "z", ...(signal && { signal }) }));
    };
    expect(await failed(read())).toMatchObject({ code: "API_KEY_REVOKED" });
    expect(seen.map(({ headers }) => headers["last-event-id"])).toEqual(["z", "a"]);
    const reason = new Error("enough");
    expect(await failed(read(AbortSignal.abort(reason)))).toBe(reason);
  });
});
