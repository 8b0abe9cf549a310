import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AcmeAnswer, answerAcme } from "@/e2e/support/stand-ins/acme";
import { makeDirectories, requestRenewalInfo } from "@/lib/certificates/renewal-info/request-renewal-info";
import { parseNetwork } from "@/lib/networks";

const open = { allowedNetworks: [parseNetwork("127.0.0.0/8")] };
const never = new AbortController().signal;
const servers: Server[] = [];
const answers = new Map<string, AcmeAnswer>();
let url = "";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  url = await serve((request, response) => {
    if (!answerAcme(answers, request, response)) response.writeHead(404).end();
  });
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

function ask(certId: string, directory = `${url}/acme/directory`, guard = open, signal = never) {
  return requestRenewalInfo(
    { directory, certId },
    makeDirectories(() => guard),
    guard,
    signal,
  );
}

const window = { start: "2027-01-02T04:00:00Z", end: "2027-01-03T04:00:00Z" };

test("the answer with its Retry-After", async () => {
  answers.set("a.b", { window, explanationURL: "https://ca.example/why", retryAfter: "600" });
  expect(await ask("a.b")).toEqual({
    outcome: "answered",
    answer: {
      window: { start: new Date(window.start), end: new Date(window.end) },
      explanationUrl: "https://ca.example/why",
    },
    waitMs: 600_000,
  });
});

describe("nothing is known", () => {
  test.each<[string, AcmeAnswer, object]>([
    ["of a certificate of others", {}, { error: "the authority does not know this certificate", waitMs: 21_600_000 }],
    ["while the authority fails", { raw: { status: 503, body: "" } }, { error: "HTTP status 503", waitMs: null }],
    ["after too many requests", { raw: { status: 429, body: "" } }, { error: "HTTP status 429", waitMs: 21_600_000 }],
    ["until it is back", { raw: { status: 503, body: "", retryAfter: "7200" } }, { waitMs: 7_200_000 }],
    ["of garbage", { raw: { status: 200, body: "<html>" } }, { error: "the answer is malformed" }],
    ["of a long answer", { raw: { status: 200, body: "[".repeat(70_000) } }, { error: "the answer is too large" }],
  ])("%s", async (_, answer, expected) => {
    answers.set("x.y", answer);
    expect(await ask("x.y")).toMatchObject({ outcome: "failed", ...expected });
  });

  test.each<[string, RequestListener, string]>([
    ["garbage", (_, response) => response.end("no directory"), "the directory is malformed"],
    [
      "offers no renewal information",
      (_, response) => response.end("{}"),
      "the directory offers no renewal information",
    ],
    ["fails", (_, response) => response.writeHead(500).end(), "the directory could not be fetched: HTTP status 500"],
    ["leads to a file", (_, response) => response.end('{"renewalInfo":"file:///etc"}'), "the directory is malformed"],
    [
      "leads into a forbidden network",
      (_, response) => response.end('{"renewalInfo":"http://10.0.0.1/ari"}'),
      "the answers are in a network that may not be reached",
    ],
  ])("of a directory that is or %s", async (_, listener, error) => {
    expect(await ask("a.b", await serve(listener))).toMatchObject({ outcome: "failed", error });
  });

  test("of a directory that is unavailable or in a forbidden network", async () => {
    expect(await ask("a.b", "http://127.0.0.1:1/")).toMatchObject({ outcome: "failed", waitMs: null });
    expect(await ask("a.b", undefined, { allowedNetworks: [] })).toMatchObject({
      error: "the directory is in a network that may not be reached",
    });
  });

  test("of one that hangs, whose request ends with the signal", async () => {
    answers.set("h.h", { hangs: true });
    const stopping = new AbortController();
    const asked = ask("h.h", undefined, open, stopping.signal);
    stopping.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow("stopped");
  });
});
