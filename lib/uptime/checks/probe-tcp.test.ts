import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { makeAuthority, makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { parseNetwork } from "@/lib/networks";
import type { CheckSettings, ProbeOptions } from "@/lib/uptime/checks/outcome";
import { probe } from "@/lib/uptime/checks/probe";
import { trusting } from "@/lib/uptime/checks/secure-context";
import { type TcpSettings, tcpSettings } from "@/lib/uptime/tcp";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A server that greets, and answers PING\\r\\n with +PONG and anything else with -ERR. */
function greet(socket: Socket): void {
  socket.on("error", () => {});
  socket.write("220 re");
  setImmediate(() => socket.write("ady\r\n"));
  socket.on("data", (data) => socket.write(data.toString("latin1") === "PING\r\n" ? "+PONG\r\n" : "-ERR\r\n"));
}

interface LookOptions {
  settings?: Partial<CheckSettings>;
  options?: Partial<ProbeOptions>;
}

function look(port: number, tcp: Partial<TcpSettings>, { settings, options }: LookOptions = {}) {
  const defaults: CheckSettings = {
    type: "tcp",
    target: `127.0.0.1:${port}`,
    method: "GET",
    headers: {},
    authentication: { type: "none" },
    requestBody: null,
    assertions: {},
    typeSettings: { tcp: tcpSettings.parse(tcp) },
    expectedStatus: [],
    expectedText: null,
    followRedirects: true,
    verifyTls: true,
    timeoutSeconds: 5,
  };
  return probe({ ...defaults, ...settings }, { allowedNetworks: [parseNetwork("127.0.0.0/8")], ...options });
}

test("sends, and finds what it expects in several pieces of the answer", async () => {
  const port = await listen(createServer(greet));
  const greeted = await look(port, { expected_text: "ready" });
  expect(greeted).toMatchObject({ ok: true, statusCode: null, address: "127.0.0.1" });
  expect(greeted.ttfbUs).toBeGreaterThanOrEqual(0);
  expect(await look(port, { send: "PING\r\n", expected_pattern: "(?m)^\\+PONG" })).toMatchObject({ ok: true });
  const bytes = Buffer.from("PING\r\n").toString("base64");
  const encoded = { send: bytes, send_encoding: "base64" as const, expected_text: "+PONG" };
  expect(await look(port, encoded)).toMatchObject({ ok: true });
});

/** A server that sends these parts one after the other, and then nothing more. */
const say = (parts: readonly string[]) => async (socket: Socket) => {
  socket.on("error", () => {}).setNoDelay();
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

test("a banner in two packets is recognized at once, and one in very many at the latest at the end", async () => {
  const banner = await listen(createServer(say(["220 re", "ady\r\n"])));
  const large = await listen(createServer(say(["x".repeat(3000), "y"])));
  const slow = await listen(createServer(say([..."x".repeat(200), "end"])));
  const settings = { timeoutSeconds: 3 };
  const [first, second, third] = await Promise.all([
    look(banner, { expected_pattern: "^220 ready" }, { settings }),
    look(large, { expected_pattern: "xy$" }, { settings }),
    look(slow, { expected_pattern: "end$" }, { settings }),
  ]);
  expect([first, second, third]).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  for (const { totalUs } of [first, second]) expect(totalUs).toBeLessThan(2_500_000);
});

test("what is missing fails, with what arrived as evidence", async () => {
  const port = await listen(createServer((socket) => greet(socket.on("data", () => socket.end()))));
  const other = await look(port, { send: "HELLO", expected_text: "+PONG" });
  expect(other).toMatchObject({ ok: false, reason: "text_missing", detail: null });
  expect(other.response?.body?.toString()).toContain("220 ready");
  const pattern = await look(port, { send: "HELLO", expected_pattern: "PONG$" });
  expect(pattern).toMatchObject({ reason: "pattern_missing" });
  const mute = await listen(createServer((socket) => void socket.end()));
  expect(await look(mute, { expected_text: "x" })).toMatchObject({
    reason: "text_missing",
    detail: "nothing was received",
  });
});

test("a server that only waits times out, and one that stops in the middle lacks the text", async () => {
  const settings = { timeoutSeconds: 3 };
  const [silent, port] = [await listen(createServer(() => {})), await listen(createServer(greet))];
  const outcomes = await Promise.all([
    look(silent, { expected_text: "x" }, { settings }),
    look(port, { expected_text: "250 OK" }, { settings }),
  ]);
  expect(outcomes).toMatchObject([{ reason: "timeout" }, { reason: "text_missing" }]);
});

test("the server's name is stored in the form in which it is sent", () => {
  const stored = (server_name: string) => tcpSettings.parse({ tls: true, server_name }).server_name;
  expect([" Cache.Test. ", "bücher.test"].map(stored)).toEqual(["cache.test", "xn--bcher-kva.test"]);
});

test("only the first 4 KiB are read", async () => {
  const port = await listen(createServer((socket) => void socket.on("error", () => {}).end(`${"x".repeat(4096)}late`)));
  expect(await look(port, { expected_text: "late" })).toMatchObject({ reason: "text_missing" });
});

async function listenTls(options: TlsOptions): Promise<number> {
  const server = createTlsServer(options, greet);
  server.on("tlsClientError", () => {});
  return listen(server);
}

test("verifies the certificate for the server's name, with a trust store", async () => {
  const { root, intermediate, leaf } = await makeAuthority("Cellar");
  const { pem, keyPem } = await leaf({ sans: ["db.test"], untilDays: 20 });
  const port = await listenTls({ key: keyPem, cert: pem + intermediate.pem });
  const options = { secureContext: trusting(root.pem) };
  const tcp = { tls: true, server_name: "db.test", expected_text: "220" };
  expect(await look(port, tcp, { options })).toMatchObject({ ok: true, reason: null });
  expect((await look(port, tcp, { options })).tlsUs).toBeGreaterThan(0);
  expect(await look(port, tcp)).toMatchObject({ reason: "tls_failed" });
  const otherName = { ...tcp, server_name: "other.test" };
  expect(await look(port, otherName, { options })).toMatchObject({
    reason: "tls_failed",
    detail: "the certificate does not cover the host",
  });
  // As an earlier release stored it.
  const stored = { tcp: { ...tcpSettings.parse(tcp), server_name: " DB.test. " } };
  expect(await look(port, tcp, { options, settings: { typeSettings: stored } })).toMatchObject({ ok: true });
  const settings = { verifyTls: false, assertions: { min_certificate_days: 30 } };
  expect(await look(port, { tls: true }, { settings })).toMatchObject({ reason: "certificate_expires" });
});

test("shows its client certificate, and notices that it is refused after the handshake", async () => {
  const { root, intermediate, leaf } = await makeAuthority("Clients");
  const site = await makeCertificate({ name: "site.test", sans: ["127.0.0.1"] });
  const port = await listenTls({ key: site.keyPem, cert: site.pem, ca: root.pem, requestCert: true });
  const contextOf = ({ pem, keyPem }: { pem: string; keyPem: string }) =>
    trusting("", { certificate: pem + intermediate.pem, private_key: keyPem });
  const settings = { verifyTls: false };
  const known = { ownContext: contextOf(await leaf({ name: "probe" })) };
  expect(await look(port, { tls: true, expected_text: "220" }, { settings, options: known })).toMatchObject({
    ok: true,
  });
  const stranger = { ownContext: contextOf(await makeCertificate({ name: "stranger" })) };
  for (const expected_text of [null, "220"]) {
    const refused = await look(port, { tls: true, expected_text }, { settings, options: stranger });
    expect(refused.ok).toBe(false);
    expect(["tls_failed", "connection_reset", "text_missing"]).toContain(refused.reason);
  }
});
