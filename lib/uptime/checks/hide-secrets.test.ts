import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { parseNetwork } from "@/lib/networks";
import { evidenceOf } from "@/lib/uptime/checks/evidence";
import { withoutSecrets } from "@/lib/uptime/checks/hide-secrets";
import { type CheckSettings, unsent } from "@/lib/uptime/checks/outcome";
import { probe } from "@/lib/uptime/checks/probe";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** Checks a server that answers so, and returns what is stored of the failure. */
async function failure(listener: RequestListener, settings: Partial<CheckSettings>) {
  const server = createServer(listener);
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const defaults: CheckSettings = {
    type: "http",
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    method: "GET",
    headers: {},
    authentication: { type: "none" },
    requestBody: null,
    assertions: {},
    typeSettings: {},
    expectedStatus: ["2xx"],
    expectedText: null,
    followRedirects: true,
    verifyTls: true,
    timeoutSeconds: 5,
  };
  const outcome = await probe({ ...defaults, ...settings }, { allowedNetworks: [parseNetwork("127.0.0.0/8")] });
  return { detail: outcome.detail, body: evidenceOf(outcome)?.body };
}

const bearer = (token: string) => ({ authentication: { type: "bearer", token } as const });

describe("texts that are cut", () => {
  test("a token that is longer than a detail is hidden in it", async () => {
    const token = "t0ken-".repeat(50);
    const expected_json = [{ path: "$.sent", comparison: "equals" as const, value: "nothing" }];
    const found = await failure(
      (request, response) => response.end(JSON.stringify({ sent: request.headers.authorization })),
      { ...bearer(token), assertions: { expected_json } },
    );
    expect(found).toEqual({ detail: '$.sent: "Bearer (hidden)"', body: '{"sent":"Bearer (hidden)"}' });
  });

  test("a detail is cut after secrets are hidden in it", async () => {
    const expected_headers = { "x-long": "other" };
    const long = `t0ken${"x".repeat(400)}`;
    const found = await failure((_request, response) => response.writeHead(200, { "x-long": long }).end(), {
      ...bearer("t0ken"),
      assertions: { expected_headers },
    });
    expect(found.detail).toBe(`x-long: (hidden)${"x".repeat(184)}`);
  });

  test("a token across chunks at the end of what is kept is hidden", async () => {
    const token = "0123456789".repeat(30);
    const text = `${"x".repeat(4_000)}${token}`;
    const found = await failure((_request, response) => {
      response.writeHead(500).write(text.slice(0, 4_100));
      setTimeout(() => response.end(text.slice(4_100)), 50);
    }, bearer(token));
    expect(found.body).toBe(`${"x".repeat(4_000)}(hidden)`);
  });

  test("the beginning of a token is hidden where a response stops, or where many long ones are cut", async () => {
    const token = "0123456789".repeat(300);
    const stopped = await failure((_request, response) => {
      response.writeHead(500).write(`you sent ${token.slice(0, 200)}`, () => response.destroy());
    }, bearer(token));
    expect(stopped.body).toBe("you sent (hidden)");
    const many = await failure(
      (_request, response) => void response.writeHead(500).end(token.repeat(10)),
      bearer(token),
    );
    expect(many.body).toBe("(hidden)".repeat(7));
  });
});

describe("texts that are secrets", () => {
  const hidden = (sent: Parameters<typeof withoutSecrets>[1], text: string) =>
    withoutSecrets(unsent("protocol_error", text), sent).detail;
  const none = { type: "none" } as const;

  test("values of all headers but harmless ones are hidden", () => {
    const headers = {
      "X-Tenant": "acme-4711",
      "Content-Type": "application/json",
      Accept: "text/html",
      "X-Flag": "on",
    };
    const text = "acme-4711 application/json text/html on";
    expect(hidden({ headers, authentication: none }, text)).toBe("(hidden) application/json text/html on");
    expect(hidden({ headers: { "Accept-Token": "s3cret" }, authentication: none }, "s3cret")).toBe("(hidden)");
  });

  test.each([
    ["JSON", JSON.stringify(`a"b\\c&d'<e>`)],
    ["URLs", encodeURIComponent(`a"b\\c&d'<e>`)],
    ["HTML", "a&quot;b\\c&amp;d&#39;&lt;e&gt;"],
    ["HTML by Python", "a&quot;b\\c&amp;d&#x27;&lt;e&gt;"],
    ["HTML by Go", "a&#34;b\\c&amp;d&#39;&lt;e&gt;"],
    ["HTML by PHP", "a&quot;b\\c&amp;d&#039;&lt;e&gt;"],
    ["HTML between tags", `a"b\\c&amp;d'&lt;e&gt;`],
  ])("a value is hidden as it is written in %s", (_where, text) => {
    const headers = { "x-value": `a"b\\c&d'<e>` };
    expect(hidden({ headers, authentication: none }, `${text}!`)).toMatch(/^"?\(hidden\)"?!$/);
  });

  test("a password that a URL cannot hold is not a problem", () => {
    const authentication = { type: "basic", username: "monitor", password: "s3cret\ud800" } as const;
    expect(hidden({ headers: {}, authentication }, "s3cret%EF%BF%BD!")).toBe("(hidden)!");
  });

  test("the password of a header with Basic is hidden, too", () => {
    const headers = { Authorization: `basic ${Buffer.from("monitor:correct:horse").toString("base64")}` };
    const text = `monitor:correct:horse; correct:horse; ${headers.Authorization.slice(6)}`;
    expect(hidden({ headers, authentication: none }, text)).toBe("(hidden); (hidden); (hidden)");
  });
});
