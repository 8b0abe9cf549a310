import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { startSlowAcceptServer } from "@/e2e/support/stand-ins/slow-accept-server";
import {
  type CertificateOptions,
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { parseNetwork } from "@/lib/networks";
import type { StoredAssertions } from "@/lib/uptime/assertions";
import type { CheckSettings, ProbeOptions } from "@/lib/uptime/checks/outcome";
import { probe } from "@/lib/uptime/checks/probe";
import { trusting } from "@/lib/uptime/checks/secure-context";

const LOOPBACK = [parseNetwork("127.0.0.0/8")];
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  closers.push(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const serve = (listener: RequestListener) => listen(createServer(listener));

function look(target: string, settings: Partial<CheckSettings> = {}, options: Partial<ProbeOptions> = {}) {
  const defaults: Omit<CheckSettings, "target"> = {
    type: "http",
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
  return probe({ ...defaults, target, ...settings }, { allowedNetworks: LOOPBACK, ...options });
}

describe("http", () => {
  test("an expected response succeeds, with the time of each phase", async () => {
    const port = await serve((request, response) => {
      response.writeHead(request.headers["x-token"] === "secret" ? 200 : 401).end("hello");
    });
    const resolve = async () => ["127.0.0.1"];
    const outcome = await look(`http://site.test:${port}/`, { headers: { "x-token": "secret" } }, { resolve });
    expect(outcome).toMatchObject({ ok: true, reason: null, statusCode: 200, address: "127.0.0.1", tlsUs: null });
    for (const phase of [outcome.dnsUs, outcome.connectUs, outcome.ttfbUs]) expect(phase).toBeGreaterThanOrEqual(0);
    expect(outcome.totalUs).toBeGreaterThan(0);
  });

  test("another status fails", async () => {
    const port = await serve((_request, response) => response.writeHead(503).end());
    expect(await look(`http://127.0.0.1:${port}/`)).toMatchObject({
      ok: false,
      reason: "unexpected_status",
      statusCode: 503,
    });
    const accepted = await look(`http://127.0.0.1:${port}/`, { expectedStatus: ["200", "503"] });
    expect(accepted.ok).toBe(true);
  });

  test("text is found across chunks, but only in the first MiB", async () => {
    const port = await serve((request, response) => {
      if (request.url === "/late") return void response.end(`${"x".repeat(1024 * 1024)}needle`);
      response.write("nee");
      setImmediate(() => response.end("dle"));
    });
    const found = (path: string) => look(`http://127.0.0.1:${port}${path}`, { expectedText: "needle" });
    expect(await found("/")).toMatchObject({ ok: true });
    expect(await found("/late")).toMatchObject({ ok: false, reason: "text_missing" });
  });

  test("asks for a body that is not coded, unless the monitor's headers say otherwise", async () => {
    const asked: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      asked.push(request.headers["accept-encoding"]);
      response.end();
    });
    await look(`http://127.0.0.1:${port}/`);
    await look(`http://127.0.0.1:${port}/`, { headers: { "Accept-Encoding": "br" } });
    expect(asked).toEqual(["identity", "br"]);
  });

  test.each([
    ["gzip", gzipSync],
    ["X-GZIP", gzipSync],
    ["br", brotliCompressSync],
  ])("reads a body that is coded in %s nevertheless, also as evidence", async (coding, encode) => {
    const port = await serve((request, response) => {
      const status = request.url === "/failing" ? 500 : 200;
      response.writeHead(status, { "content-encoding": coding }).end(encode('{"status":"degraded"}'));
    });
    const asserted = (assertions: StoredAssertions) => look(`http://127.0.0.1:${port}/`, { assertions });
    const expected_json = [{ path: "$.status", comparison: "equals" as const, value: "degraded" }];
    expect(await asserted({ expected_json, expected_pattern: "^\\{" })).toMatchObject({ ok: true });
    expect(await asserted({ forbidden_text: "degraded" })).toMatchObject({ reason: "text_present" });
    const failing = await look(`http://127.0.0.1:${port}/failing`);
    expect(failing.response?.body?.toString()).toBe('{"status":"degraded"}');
  });

  test("the first MiB of a coded body is of its decoded bytes", async () => {
    const large = gzipSync(`needle${"x".repeat(1024 * 1024)}late${"x".repeat(64 * 1024 * 1024)}`);
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(large);
    });
    const found = (expectedText: string) => look(`http://127.0.0.1:${port}/`, { expectedText });
    expect(await found("needle")).toMatchObject({ ok: true });
    const late = await found("late");
    expect(late).toMatchObject({ reason: "text_missing" });
    expect(late.response?.body?.length).toBe(1024 * 1024);
  });

  test("a body that is not coded as its header says fails, but not an empty one", async () => {
    const bodies: Record<string, Buffer> = {
      "/plain": Buffer.from("fine"),
      "/cut": gzipSync("fine".repeat(1000)).subarray(0, 30),
      "/empty": Buffer.alloc(0),
      "/unknown": Buffer.from("fine"),
    };
    const port = await serve((request, response) => {
      const { url = "" } = request;
      response.writeHead(200, { "content-encoding": url === "/unknown" ? "zstd" : "gzip" }).end(bodies[url]);
    });
    const asserted = (path: string, assertions: StoredAssertions) =>
      look(`http://127.0.0.1:${port}${path}`, { assertions });
    const detail = "the body could not be decoded as gzip";
    for (const path of ["/plain", "/cut"]) {
      expect(await asserted(path, { forbidden_text: "broken" })).toMatchObject({ reason: "protocol_error", detail });
    }
    expect(await asserted("/empty", { forbidden_text: "broken" })).toMatchObject({ ok: true });
    expect(await asserted("/unknown", { expected_pattern: "fine" })).toMatchObject({ ok: true });
    expect(await look(`http://127.0.0.1:${port}/plain`)).toMatchObject({ ok: true });
  });

  test("JSON may begin with a byte order mark", async () => {
    const port = await serve((_request, response) => response.end('\uFEFF{"status":"ok"}'));
    const expected_json = [{ path: "$.status", comparison: "equals" as const, value: "ok" }];
    expect(await look(`http://127.0.0.1:${port}/`, { assertions: { expected_json } })).toMatchObject({ ok: true });
  });

  test("follows up to five redirects and sends headers only to the target's origin", async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end("there");
    });
    const port = await serve((request, response) => {
      const hop = Number(request.url?.slice(1));
      const location = hop === 0 ? `http://127.0.0.1:${other}/` : `/${hop - 1}`;
      response.writeHead(302, { location }).end();
    });
    const headers = { authorization: "Bearer secret" };
    expect(await look(`http://127.0.0.1:${port}/4`, { headers })).toMatchObject({ ok: true, statusCode: 200 });
    expect(seen).toEqual([undefined]);
    expect(await look(`http://127.0.0.1:${port}/5`)).toMatchObject({ reason: "too_many_redirects" });
    const kept = await look(`http://127.0.0.1:${port}/4`, { followRedirects: false, expectedStatus: ["3xx"] });
    expect(kept).toMatchObject({ ok: true, statusCode: 302 });
  });

  test("authenticates at its own origin only, and hides what a server sends back", async () => {
    const seen: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    });
    const port = await serve((request, response) => {
      const { authorization = "" } = request.headers;
      seen.push(authorization);
      if (request.url === "/echo") return void response.writeHead(500, { "x-echo": authorization }).end(authorization);
      response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end();
    });
    const basic = { type: "basic", username: "monitor", password: "correct horse" } as const;
    const bearer = { type: "bearer", token: "tok-1234" } as const;
    for (const authentication of [basic, bearer]) {
      expect(await look(`http://127.0.0.1:${port}/`, { authentication })).toMatchObject({ ok: true });
      const echoed = await look(`http://127.0.0.1:${port}/echo`, { authentication });
      expect(echoed.response?.headers).toMatchObject({ "x-echo": [expect.stringMatching(/^B\w+ \(hidden\)$/)] });
      expect(echoed.response?.body?.toString()).toMatch(/^B\w+ \(hidden\)$/);
    }
    const basicValue = `Basic ${Buffer.from("monitor:correct horse").toString("base64")}`;
    expect(seen).toEqual([
      ...[basicValue, undefined, basicValue],
      ...["Bearer tok-1234", undefined, "Bearer tok-1234"],
    ]);
  });

  test("shows its client certificate to its own origin only", async () => {
    const { root, leaf } = await makeAuthority("Clients");
    const site = await makeCertificate({ name: "site.test", sans: ["127.0.0.1"] });
    const asked = { key: site.keyPem, cert: site.pem, ca: root.pem, requestCert: true, rejectUnauthorized: false };
    const seen: unknown[] = [];
    const serveAsking = (answer: (response: ServerResponse) => void) =>
      listen(
        createHttpsServer(asked, (request, response) => {
          const { subject } = (request.socket as TLSSocket).getPeerCertificate();
          seen.push(subject?.CN);
          answer(response);
        }),
      );
    const other = await serveAsking((response) => response.end());
    const location = `https://127.0.0.1:${other}/`;
    const port = await serveAsking((response) => response.writeHead(302, { location }).end());
    const { pem, keyPem, name } = await leaf({ name: "probe" });
    const ownContext = trusting("", { certificate: pem, private_key: keyPem });
    const outcome = await look(`https://127.0.0.1:${port}/`, { verifyTls: false }, { ownContext });
    expect(outcome).toMatchObject({ ok: true });
    expect(seen).toEqual([name, undefined]);
  });

  test("sends its body with any method, and after redirects as browsers do", async () => {
    const seen: string[] = [];
    const note = async (request: IncomingMessage) => {
      const body = (await request.toArray()).join("");
      seen.push(`${request.method} ${request.url} ${request.headers["content-type"] ?? "-"} ${body}`);
    };
    const other = await serve((request, response) => void note(request).then(() => response.end()));
    const port = await serve((request, response) => {
      const [, status = "200", to = ""] = request.url?.split("/") ?? [];
      const location = to === "other" ? `http://127.0.0.1:${other}/` : "/200";
      void note(request).then(() => response.writeHead(Number(status), { location }).end());
    });
    const settings = { requestBody: '{"a":"é"}', headers: { "content-type": "application/json" } };
    for (const [method, path] of [
      ["PUT", "200"],
      ["POST", "307"],
      ["POST", "302"],
      ["PUT", "302"],
      ["PATCH", "303"],
      ["POST", "308/other"],
    ] as const) {
      expect(await look(`http://127.0.0.1:${port}/${path}`, { ...settings, method })).toMatchObject({ ok: true });
    }
    const json = 'application/json {"a":"é"}';
    expect(seen).toEqual([
      `PUT /200 ${json}`,
      ...[`POST /307 ${json}`, `POST /200 ${json}`],
      ...[`POST /302 ${json}`, "GET /200 application/json "],
      ...[`PUT /302 ${json}`, `PUT /200 ${json}`],
      ...[`PATCH /303 ${json}`, "GET /200 application/json "],
      ...[`POST /308/other ${json}`, "POST / - "],
    ]);
  });

  test.each<[string, StoredAssertions, object]>([
    ["text that is absent", { forbidden_text: "Exception" }, { ok: true }],
    ["text that must be absent", { forbidden_text: "degraded" }, { reason: "text_present", detail: "degraded" }],
    ["a pattern", { expected_pattern: '"version":\\s*"2\\.\\d+"' }, { ok: true }],
    ["a pattern that does not match", { expected_pattern: "^<html>" }, { reason: "pattern_missing" }],
    ["a header", { expected_headers: { "Content-Type": "json", "X-Region": "" } }, { ok: true }],
    ["a header's other value", { expected_headers: { "x-region": "us" } }, { detail: "x-region: eu-1" }],
    ["a missing header", { expected_headers: { ETag: "" } }, { reason: "header_mismatch", detail: "ETag is missing" }],
    ["a value", { expected_json: [{ path: "$.queue", comparison: "at_most", value: 10 }] }, { ok: true }],
    [
      "another value",
      { expected_json: [{ path: "$.status", comparison: "equals", value: "ok" }] },
      { detail: '$.status: "degraded"' },
    ],
    [
      "one of many values",
      { expected_json: [{ path: "$.nodes[*].up", comparison: "equals", value: true }] },
      { detail: "$.nodes[*].up: false" },
    ],
    [
      "a value that is a list",
      { expected_json: [{ path: "$.nodes", comparison: "equals", value: true }] },
      { detail: "$.nodes: […]" },
    ],
    [
      "a missing value",
      { expected_json: [{ path: "$.items", comparison: "exists", value: null }] },
      { detail: "$.items is missing" },
    ],
    ["a quick response", { max_response_time_ms: 30_000 }, { ok: true }],
    ["days of a certificate without TLS", { min_certificate_days: 1 }, { reason: "certificate_expires" }],
  ])("asserts %s", async (_what, assertions, expected) => {
    const body = { status: "degraded", version: "2.10", queue: 10, nodes: [{ up: true }, { up: false }] };
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "x-region": "eu-1" }).end(JSON.stringify(body));
    });
    expect(await look(`http://127.0.0.1:${port}/`, { assertions })).toMatchObject(expected);
  });

  test("a body that is no JSON, or a slow response, fails", async () => {
    const port = await serve((_request, response) => void setTimeout(() => response.end("{"), 20));
    const expected_json = [{ path: "$", comparison: "exists" as const, value: null }];
    const asserted = (assertions: StoredAssertions) => look(`http://127.0.0.1:${port}/`, { assertions });
    expect(await asserted({ expected_json })).toMatchObject({ reason: "json_mismatch" });
    expect(await asserted({ max_response_time_ms: 5 })).toMatchObject({ reason: "too_slow", statusCode: 200 });
  });

  test("finds at most 1,000 values at a path, and asserts one path several times", async () => {
    const port = await serve((request, response) => {
      const blanks = " ".repeat(request.url === "/large" ? 256 * 1024 : 0);
      response.end(JSON.stringify(Array(request.url === "/many" ? 1001 : 1000).fill(7)) + blanks);
    });
    const of7 = (comparison: "at_least" | "at_most" | "not_equals", value: number) => ({
      path: "$[*]",
      comparison,
      value,
    });
    const asserted = (path: string, expected_json: StoredAssertions["expected_json"] = []) =>
      look(`http://127.0.0.1:${port}${path}`, { assertions: { expected_json } });
    expect(await asserted("/", [of7("at_least", 7), of7("at_most", 7)])).toMatchObject({ ok: true });
    expect(await asserted("/", [of7("at_least", 7), of7("not_equals", 7)])).toMatchObject({ detail: "$[*]: 7" });
    expect(await asserted("/large", [of7("at_least", 7)])).toMatchObject({ detail: "the body has more than 256 KiB" });
    const detail = "$[*]: too many values, at most 1000 are read";
    expect(await asserted("/many", [of7("at_least", 7)])).toMatchObject({ reason: "json_mismatch", detail });
  });

  test("hides the values of headers that may be secrets", async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { "set-cookie": "session=s3cret", "x-auth-token": "s3cret" }).end();
    });
    for (const name of ["Set-Cookie", "X-Auth-Token"]) {
      const outcome = await look(`http://127.0.0.1:${port}/`, {
        assertions: { expected_headers: { [name]: "other" } },
      });
      expect(outcome).toMatchObject({ reason: "header_mismatch", detail: `${name}: (hidden)` });
    }
  });

  test("keeps the reason and the time of a failure if reading its evidence takes until the timeout", async () => {
    const port = await serve((_request, response) => void response.writeHead(500).write("Out of"));
    const outcome = await look(`http://127.0.0.1:${port}/`, { timeoutSeconds: 3 });
    expect(outcome).toMatchObject({ reason: "unexpected_status", detail: "500", statusCode: 500 });
    expect(outcome.response?.body?.toString()).toBe("Out of");
    expect(outcome.totalUs).toBeLessThan(3_000_000);
  });

  test("asserts the days left of a certificate, even if it is not verified", async () => {
    const leaf = await makeCertificate({ name: "site.test", sans: ["127.0.0.1"], untilDays: 20 });
    const server = createHttpsServer({ key: leaf.keyPem, cert: leaf.pem }, (_request, response) => response.end());
    const port = await listen(server);
    const asserted = (min_certificate_days: number) =>
      look(`https://127.0.0.1:${port}/`, { verifyTls: false, assertions: { min_certificate_days } });
    expect(await asserted(14)).toMatchObject({ ok: true });
    expect(await asserted(30)).toMatchObject({ reason: "certificate_expires", detail: "days left: 19" });
  });

  test("a failure after a redirect has no status and no address of the previous server", async () => {
    const closed = await closedPort();
    const port = await serve((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${closed}/` }).end();
    });
    const outcome = await look(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ reason: "connection_refused", statusCode: null, address: null });
  });

  test("rejects a redirect into a forbidden network before sending anything there", async () => {
    const port = await serve((_request, response) => {
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
    });
    expect(await look(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: false, reason: "forbidden_address" });
  });

  test("verifies the certificate of https targets", async () => {
    const leaf = await makeCertificate({ name: "site.test", sans: ["127.0.0.1"] });
    const port = await listen(
      createHttpsServer({ key: leaf.keyPem, cert: leaf.pem }, (_request, response) => response.end()),
    );
    expect(await look(`https://127.0.0.1:${port}/`)).toMatchObject({ ok: false, reason: "tls_failed" });
    expect(await look(`https://127.0.0.1:${port}/`, { verifyTls: false })).toMatchObject({ ok: true, statusCode: 200 });
  });

  test("trusts a private authority or its intermediate, only for the names that it certifies", async () => {
    const { root, intermediate, leaf } = await makeAuthority("Cellar");
    const serve = async (chain: TestCertificate[], sans: string[], overrides: Partial<CertificateOptions> = {}) => {
      const { pem, keyPem } = await leaf({ sans, ...overrides });
      const cert = [pem, ...chain.map((each) => each.pem)].join("");
      return listen(createHttpsServer({ key: keyPem, cert }, (_request, response) => response.end()));
    };
    const port = await serve([intermediate], ["127.0.0.1"]);
    const lookTrusting = (at: number, pem: string) =>
      look(`https://127.0.0.1:${at}/`, {}, { secureContext: trusting(pem) });
    expect(await lookTrusting(port, root.pem)).toMatchObject({ ok: true });
    expect(await lookTrusting(await serve([], ["127.0.0.1"]), intermediate.pem)).toMatchObject({ ok: true });
    expect(await lookTrusting(port, (await makeAuthority("Other")).root.pem)).toMatchObject({ reason: "tls_failed" });
    const unreadable = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    expect(await lookTrusting(port, `${unreadable}${root.pem}`)).toMatchObject({ ok: true });
    expect(await lookTrusting(await serve([intermediate], ["other.test"]), root.pem)).toMatchObject({
      reason: "tls_failed",
      detail: "the certificate does not cover the host",
    });
    const other: [Partial<CertificateOptions>, string][] = [
      [{ fromDays: -20, untilDays: -10 }, "a certificate has expired"],
      [{ fromDays: 1 }, "a certificate is not valid yet"],
      [{ purposes: ["1.3.6.1.5.5.7.3.2"] }, "a certificate is not for servers"],
    ];
    for (const [overrides, detail] of other) {
      const at = await serve([intermediate], ["127.0.0.1"], overrides);
      expect(await lookTrusting(at, root.pem)).toMatchObject({ reason: "tls_failed", detail });
    }
  });

  test("distinguishes timeouts, refused connections and unknown names", async () => {
    const port = await serve(() => {});
    expect(await look(`http://127.0.0.1:${port}/`, { timeoutSeconds: 1 })).toMatchObject({ reason: "timeout" });
    expect(await look(`http://127.0.0.1:${await closedPort()}/`)).toMatchObject({ reason: "connection_refused" });
    const resolve = () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    expect(await look("http://unknown.test/", {}, { resolve })).toMatchObject({ reason: "dns_failure" });
  });

  test.each([
    ["ETIMEOUT", "the name servers did not answer in time"],
    ["ECONNREFUSED", "the name servers could not be reached"],
    ["ESERVFAIL", "the name servers failed to look it up"],
  ])("name servers that fail with %s are not mistaken for the target", async (code, detail) => {
    const resolve = () => Promise.reject(Object.assign(new Error("no"), { code }));
    for (const [type, target] of [
      ["http", "http://site.test/"],
      ["http", "https://site.test/"],
      ["tcp", "site.test:443"],
      ["ping", "site.test"],
    ] as const) {
      expect(await look(target, { type }, { resolve })).toMatchObject({ ok: false, reason: "dns_failure", detail });
    }
  });

  test("distinguishes protocol errors and reset connections", async () => {
    const port = await listen(createTcpServer((socket) => void socket.end("220 mail ready\r\n")));
    expect(await look(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: false, reason: "protocol_error" });
    const rude = await listen(
      createTcpServer((socket: Socket) => void socket.once("data", () => socket.resetAndDestroy())),
    );
    expect(await look(`http://127.0.0.1:${rude}/`)).toMatchObject({ ok: false, reason: "connection_reset" });
  });

  test("connects only with the wanted version of IP, under the same guard", async () => {
    const port = await serve((request, response) => {
      const to = request.url?.slice(1) || undefined;
      response.writeHead(to ? 302 : 200, to ? { location: `http://${to}/` } : {}).end();
    });
    const asked: (number | undefined)[] = [];
    const resolve = async (_host: string, _allowed?: unknown, family?: number) => {
      asked.push(family);
      return ["fd00::1", "127.0.0.1"];
    };
    const site = `http://site.test:${port}/`;
    expect(await look(site, {}, { resolve, family: 4 })).toMatchObject({ ok: true, address: "127.0.0.1" });
    expect(await look(site, {}, { resolve, family: 6 })).toMatchObject({ reason: "forbidden_address" });
    expect(asked).toEqual([4, 6]);
    const only4 = { resolve: async () => ["127.0.0.1"], family: 6 as const };
    const detail = "site.test has no IPv6 address";
    expect(await look(site, {}, only4)).toMatchObject({ reason: "dns_failure", detail });
    const redirected = await look(`http://127.0.0.1:${port}/[::1]`, {}, { family: 4 });
    expect(redirected).toMatchObject({ reason: "forbidden_address" });
    const networks = { allowedNetworks: [...LOOPBACK, parseNetwork("::1")], family: 4 as const };
    expect(await look(`http://127.0.0.1:${port}/[::1]`, {}, networks)).toMatchObject({ reason: "dns_failure" });
  });

  test("connects only to the permitted addresses of a name", async () => {
    const port = await serve((_request, response) => response.end());
    const forbidden = await look(`http://inside.test:${port}/`, {}, { resolve: async () => ["10.0.0.1"] });
    expect(forbidden).toMatchObject({ reason: "forbidden_address", address: null });
    const mixed = await look(`http://inside.test:${port}/`, {}, { resolve: async () => ["10.0.0.1", "127.0.0.1"] });
    expect(mixed).toMatchObject({ ok: true, address: "127.0.0.1" });
  });
});

/** An address that answers slowly, and one that refuses. */
const resolveBoth = async () => ["127.0.0.1", "127.0.0.2"];

test.each(["http", "tcp"])(
  "the first of several addresses may take longer than a quarter of a second (%s)",
  async (type) => {
    const { port, stop } = await startSlowAcceptServer();
    closers.push(stop);
    const target = type === "http" ? `http://site.test:${port}/` : `site.test:${port}`;
    const outcome = await look(target, { type, timeoutSeconds: 60 }, { resolve: resolveBoth });
    expect(outcome).toMatchObject({ ok: true, reason: null, address: "127.0.0.1" });
  },
);

describe("tcp", () => {
  test("an established connection succeeds", async () => {
    const port = await listen(createTcpServer((socket) => void socket.on("error", () => {}).end("hello")));
    const outcome = await look(`127.0.0.1:${port}`, { type: "tcp" });
    expect(outcome).toMatchObject({ ok: true, statusCode: null, address: "127.0.0.1", ttfbUs: null });
    const closed = await look(`127.0.0.1:${await closedPort()}`, { type: "tcp" });
    expect(closed).toMatchObject({ ok: false, reason: "connection_refused" });
  });

  test("an abort rejects without a result", async () => {
    const port = await serve(() => {});
    const stopping = new AbortController();
    const looking = look(`http://127.0.0.1:${port}/`, {}, { signal: stopping.signal });
    stopping.abort(new Error("stopping"));
    await expect(looking).rejects.toThrow("stopping");
  });
});
