import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registry } from "@/lib/metrics/metrics";
import { shapeForNext, targetOf } from "@/server/web/dispatch";
import { measureResponse, requestGroup } from "@/server/web/measure-response";

test.each([
  ["/api/v1/audit-logs?limit=1", "audit_logs"],
  ["/api/v1/certificates/endpoints/0190", "certificates"],
  ["/api/v1/no-such-route", "other"],
  ["/healthz", "health"],
  ["/readyz?x", "health"],
  ["/healthz-not", "pages"],
  ["/_next/static/x.js", "assets"],
  ["/status/acme", "status_pages"],
  ["/status/acme/badge.svg", "status_pages"],
  ["/api/auth/session", "sign_in"],
  ["/", "pages"],
])("%s is in the group %s", (url, group) => {
  const target = targetOf(url);
  const message = { method: "GET", headers: {}, url: target } as never;
  const route = target.startsWith("/api/v1") ? shapeForNext(message, target) : null;
  expect(requestGroup(route, target)).toBe(group);
});

let server: Server;
const closed: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    measureResponse(response, { method: request.method ?? "", group: "pages" });
    response.once("close", () => closed.push(request.url ?? ""));
    if (request.url === "/implicit") return void response.end("ok");
    if (request.url === "/limited") return void response.writeHead(429).end();
    if (request.url === "/hangs") return void server.emit("hanging");
    response.statusCode = 404;
    response.setHeader("x-a", "1");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());

async function values(name: string): Promise<Record<string, number>> {
  const metric = (await registry.getMetricsAsJSON()).find((found) => found.name === name);
  const entries = (metric?.values ?? []) as { value: number; labels: Record<string, string> }[];
  return Object.fromEntries(entries.map(({ labels, value }) => [Object.values(labels).join(" "), value]));
}

test("responses are counted once by method and class of status, whichever way their headers are sent", async () => {
  const before = await values("sealwatch_http_requests_total");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(`${url}/implicit`)).status).toBe(200);
  expect((await fetch(`${url}/else`, { method: "POST" })).headers.get("x-a")).toBe("1");
  expect((await fetch(`${url}/limited`)).status).toBe(429);
  expect((await fetch(`${url}/else`, { method: "PROPFIND" })).status).toBe(404);
  const hanging = new Promise((resolve) => server.once("hanging", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET /hangs HTTP/1.1\r\nHost: x\r\n\r\n");
  await hanging;
  socket.destroy();
  while (!closed.includes("/hangs")) await new Promise(setImmediate);
  const after = await values("sealwatch_http_requests_total");
  const added = (key: string) => (after[key] ?? 0) - (before[key] ?? 0);
  expect(added("pages GET 2xx")).toBe(1);
  expect(added("pages POST 4xx")).toBe(1);
  expect(added("pages GET 4xx")).toBe(1);
  expect(added("pages other 4xx")).toBe(1);
  expect(added("pages GET aborted")).toBe(1);
  expect((await values("sealwatch_http_rate_limited_requests_total")).pages).toBe(1);
});
