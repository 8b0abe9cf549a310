import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { ApiClient, ApiRefusal, ApiUnreachable } from "@/server/apply/api-client";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

type Answer = (response: ServerResponse) => void;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  return (response) =>
    response
      .writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
      .end(JSON.stringify(body));
};
const error = (status: number, code: string, headers = {}) =>
  json(status, { error: { code, message: `says ${code}` } }, headers);
const cut: Answer = (response) => response.destroy();

/** A client of a server that gives these answers in turn. */
async function clientOf(...answers: Answer[]) {
  const got: { request: IncomingMessage; body: string }[] = [];
  const waits: [number, string][] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    got.push({ request, body });
    (answers[got.length - 1] ?? cut)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close().closeAllConnections());
  const stop = new AbortController();
  const api = new ApiClient({
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    key: "sw_key",
    onWait: (seconds, reason) => waits.push([seconds, reason]),
    signal: stop.signal,
  });
  return { api, got, waits, stop };
}

test("waits as long as 429 and 503 ask, and repeats a POST with the same Idempotency-Key", async () => {
  const { api, got, waits } = await clientOf(
    error(429, "RATE_LIMITED", { "retry-after": "1" }),
    error(503, "UNAVAILABLE", { "retry-after": "0" }),
    json(201, { data: { id: "a" } }, { etag: '"v1"' }),
  );
  expect(await api.post("/uptime", { name: "A" })).toEqual({ data: { id: "a" }, etag: '"v1"' });
  expect(waits).toEqual([
    [1, "says RATE_LIMITED"],
    [1, "says UNAVAILABLE"],
  ]);
  expect(new Set(got.map(({ request }) => request.headers["idempotency-key"])).size).toBe(1);
  expect(got[2]).toMatchObject({
    body: '{"name":"A"}',
    request: { url: "/api/v1/uptime", headers: { authorization: "Bearer sw_key" } },
  });
});

test("repeats a POST whose response was lost, and a PUT never", async () => {
  const { api, got } = await clientOf(cut, json(201, { data: { id: "a" } }), cut);
  expect((await api.post("/uptime", {})).data).toEqual({ id: "a" });
  await expect(api.put("/uptime/a", {}, '"v1"')).rejects.toBeInstanceOf(ApiUnreachable);
  expect(got.map(({ request }) => [request.method, request.headers["if-match"]])).toEqual([
    ["POST", undefined],
    ["POST", undefined],
    ["PUT", '"v1"'],
  ]);
});

test("a resource that is gone after a lost response has been deleted; otherwise 404 is refused", async () => {
  const { api } = await clientOf(cut, error(404, "NOT_FOUND"), error(404, "NOT_FOUND"));
  await api.delete("/uptime/a", '"v1"');
  await expect(api.delete("/uptime/a", '"v1"')).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
});

test("reads every page of a list", async () => {
  const { api, got } = await clientOf(
    json(200, { data: [1, 2], pagination: { next_cursor: "a+b", has_more: true } }),
    json(200, { data: [3], pagination: { next_cursor: null, has_more: false } }),
  );
  expect(await api.list("/uptime")).toEqual([1, 2, 3]);
  expect(got.map(({ request }) => request.url)).toEqual([
    "/api/v1/uptime?limit=200",
    "/api/v1/uptime?limit=200&cursor=a%2Bb",
  ]);
});

test("follows no redirect, so that no other address gets the key", async () => {
  const { api, got } = await clientOf((response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end());
  await expect(api.get("/uptime")).rejects.toThrow("does not lead to Sealwatch's API: status 307");
  expect(got).toHaveLength(1);
});

test.each<[string, Answer, string]>([
  ["an HTML page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"), "status 200"],
  ["JSON without an error", json(400, {}), "status 400"],
  ["a wait of a day", error(429, "RATE_LIMITED", { "retry-after": "86400" }), "says RATE_LIMITED"],
])("refuses %s at once", async (_, answer, message) => {
  const { api, got, waits } = await clientOf(answer);
  const refused = await api.get("/uptime").catch((error: unknown) => error);
  expect([refused instanceof ApiRefusal, String(refused)]).toEqual([true, expect.stringContaining(message)]);
  expect([got.length, waits]).toEqual([1, []]);
});

test("an interruption ends a wait", async () => {
  const { api, stop, got } = await clientOf(error(429, "RATE_LIMITED", { "retry-after": "60" }));
  const asked = api.get("/uptime");
  setImmediate(function whenAsked() {
    if (got.length > 0) stop.abort();
    else setImmediate(whenAsked);
  });
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
});
