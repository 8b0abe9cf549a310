import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { startSlowAcceptServer } from "@/e2e/support/stand-ins/slow-accept-server";
import { type FetchOptions, fetchGuarded } from "@/lib/network/http";
import { parseNetwork } from "@/lib/networks";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close().closeAllConnections());
  return (server.address() as AddressInfo).port;
}

const ask = (url: string, asked: Partial<FetchOptions> = {}) =>
  fetchGuarded(new URL(url), {
    method: "GET",
    deadlineMs: 5_000,
    maxBytes: 1_000,
    allowedNetworks: [parseNetwork("127.0.0.0/8")],
    ...asked,
  });

test("sends a body and reads the response", async () => {
  const port = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    response.writeHead(201, { "x-length": request.headers["content-length"] }).end(Buffer.concat(chunks));
  });
  const answer = await ask(`http://127.0.0.1:${port}/`, { method: "POST", body: "grüß" });
  expect([answer.status, answer.headers["x-length"], answer.body.toString()]).toEqual([201, "6", "grüß"]);
});

test("a redirect is returned, not followed", async () => {
  const port = await serve((_request, response) => response.writeHead(302, { location: "http://10.0.0.1/" }).end());
  expect((await ask(`http://127.0.0.1:${port}/`)).status).toBe(302);
});

test("forbidden addresses are never connected to, and a name is resolved once", async () => {
  const none = { allowedNetworks: [] };
  await expect(ask("http://127.0.0.1:1/", none)).rejects.toMatchObject({ name: "ForbiddenAddress" });
  await expect(ask("http://[::ffff:7f00:1]:1/", none)).rejects.toMatchObject({ name: "ForbiddenAddress" });
  const answers = [["127.0.0.1"], ["8.8.8.8"]];
  const resolve = async () => answers.shift() ?? [];
  await expect(ask("http://inside.test/", { ...none, resolve })).rejects.toMatchObject({ name: "ForbiddenAddress" });
  expect(answers).toHaveLength(1);
});

test("a response of which only the beginning is wanted is cut", async () => {
  const port = await serve((_request, response) => response.writeHead(202).end("x".repeat(200_000)));
  const { status, body } = await ask(`http://127.0.0.1:${port}/`, { isCut: true });
  expect([status, body.toString()]).toEqual([202, "x".repeat(1_000)]);
});

test("a response that is too long, cut off or missing is a failure", async () => {
  const port = await serve((request, response) => {
    if (request.url === "/long") return void response.end("x".repeat(2_000));
    if (request.url === "/cut")
      return void response.writeHead(200, { "content-length": "10" }).write("x", () => response.destroy());
  });
  await expect(ask(`http://127.0.0.1:${port}/long`)).rejects.toMatchObject({ name: "ResponseTooLong" });
  await expect(ask(`http://127.0.0.1:${port}/cut`)).rejects.toThrow();
  await expect(ask(`http://127.0.0.1:${port}/never`, { deadlineMs: 100 })).rejects.toMatchObject({
    name: "TimeoutError",
  });
});

test("the deadline takes effect together with a signal, regardless of garbage collection", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const port = await serve(() => setImmediate(collectGarbage));
  const { signal } = new AbortController();
  const asked = ask(`http://127.0.0.1:${port}/never`, { deadlineMs: 300, signal });
  await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a signal ends a request before and after it has started", async () => {
  const stop = new AbortController();
  const port = await serve(() => stop.abort(new Error("stopped")));
  await expect(ask(`http://127.0.0.1:${port}/never`, { signal: stop.signal })).rejects.toThrow("stopped");
  await expect(ask(`http://127.0.0.1:${port}/never`, { signal: stop.signal })).rejects.toThrow("stopped");
});

test("the first of several addresses may take longer than a quarter of a second to connect", async () => {
  const { port, stop } = await startSlowAcceptServer();
  closers.push(stop);
  const resolve = async () => ["127.0.0.1", "127.0.0.2"];
  expect((await ask(`http://site.test:${port}/`, { resolve, deadlineMs: 60_000 })).status).toBe(200);
});
