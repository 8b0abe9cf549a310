import type { Socket } from "node:net";
import { createSecureContext, type TlsOptions } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Authority, makeAuthority, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { serveTcp, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { probe } from "@/lib/certificates/probe/probe";
import { X25519MLKEM768 } from "@/lib/certificates/scan/hello";
import { type Scan, scan } from "@/lib/certificates/scan/scan";
import type { Target } from "@/lib/certificates/targets";
import { parseNetwork } from "@/lib/networks";

let authority: Authority;
let leaf: TestCertificate;
let rsa: TestCertificate;
const testServers: TestServer[] = [];

beforeAll(async () => {
  authority = await makeAuthority("Scanned");
  [leaf, rsa] = await Promise.all([authority.leaf(), authority.leaf({ key: "RSA-2048" })]);
});

afterAll(async () => {
  await until("every connection is closed", () => testServers.every(({ open }) => open() === 0));
  await Promise.all(testServers.map(({ close }) => close()));
});

function keep(testServer: TestServer): TestServer {
  testServers.push(testServer);
  return testServer;
}

const targetAt = (port: number): Target => ({
  ...{ host: "good.test", port, protocol: "tls", sni: null, connectTo: null, addressMode: "one" },
});

/** Checks a server and scans another one, by default the same. */
async function scanned({ port }: TestServer, scannedPort = port, signal?: AbortSignal): Promise<Scan> {
  const allowedNetworks = [parseNetwork("127.0.0.0/8")];
  const [first] = await probe(targetAt(port), { allowedNetworks, resolve: async () => ["127.0.0.1"] });
  if (first.outcome === "failed" || first.address === null) throw new Error("the check failed");
  return scan(targetAt(scannedPort), { ...first, address: first.address }, signal);
}

const serve = async (chain: TestCertificate[], options: TlsOptions = {}) =>
  keep(await serveTls([...chain, authority.intermediate], options));

const MODERN = {
  protocols: ["TLSv1.3", "TLSv1.2"],
  weak_ciphers: [],
  forward_secrecy: true,
  authenticated_encryption: true,
};

describe("a scan finds", () => {
  test.each<[string, () => TestCertificate, TlsOptions, object]>([
    ["a modern server", () => leaf, {}, MODERN],
    ["a server of TLS 1.3 alone", () => leaf, { minVersion: "TLSv1.3" }, { ...MODERN, protocols: ["TLSv1.3"] }],
    [
      "old versions alongside new ones",
      () => leaf,
      { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" },
      { ...MODERN, protocols: ["TLSv1.3", "TLSv1.2", "TLSv1.1", "TLSv1"] },
    ],
    [
      "anonymous ciphers and those that encrypt nothing",
      () => leaf,
      { ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256:AECDH-AES128-SHA:ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0" },
      { ...MODERN, weak_ciphers: ["anonymous", "null"] },
    ],
    [
      "ciphers in CBC mode without forward secrecy",
      () => rsa,
      { ciphers: "AES128-SHA:@SECLEVEL=0", maxVersion: "TLSv1.2" },
      { protocols: ["TLSv1.2"], weak_ciphers: [], forward_secrecy: false, authenticated_encryption: false },
    ],
    [
      "the better ciphers, although the server prefers others",
      () => rsa,
      { ciphers: "AES128-SHA:ECDHE-RSA-AES128-GCM-SHA256", maxVersion: "TLSv1.2", honorCipherOrder: true },
      { ...MODERN, protocols: ["TLSv1.2"] },
    ],
  ])("%s", async (_what, of, options, expected) => {
    const { taken, seen } = await scanned(await serve([of()], options));
    expect(taken).toMatchObject(expected);
    expect(seen).toHaveLength(1);
  });

  test("the certificate of the other key type", async () => {
    const both = {
      key: [leaf.keyPem, rsa.keyPem],
      cert: [leaf, rsa].map(({ pem }) => pem + authority.intermediate.pem),
    };
    for (const maxVersion of ["TLSv1.3", "TLSv1.2"] as const) {
      const { seen } = await scanned(await serve([leaf], { ...both, maxVersion }));
      expect(seen.map(({ chain }) => chain[0].keyType).sort()).toEqual(["ec", "rsa"]);
      expect(seen.every(({ chain }) => chain.length === 2)).toBe(true);
    }
  });

  test("another certificate behind the same address", async () => {
    const nodes = [leaf, await authority.leaf()];
    const contexts = nodes.map(({ keyPem, pem }) => createSecureContext({ key: keyPem, cert: pem }));
    let connections = 0;
    const SNICallback: TlsOptions["SNICallback"] = (_name, done) => done(null, contexts[connections++ % 2]);
    const { seen } = await scanned(await serve([leaf], { SNICallback }));
    expect(new Set(seen.map(({ chain }) => chain[0].sha256)).size).toBe(2);
  });
});

/** The body of a ServerHello: TLS 1.2 with a suite, or a HelloRetryRequest of TLS 1.3 with a group. */
function serverHello(suite: number, group?: number): Buffer {
  const [major, minor] = [suite >> 8, suite & 0xff];
  const extensions = group === undefined ? [] : [0, 12, 0, 43, 0, 2, 3, 4, 0, 51, 0, 2, group >> 8, group & 0xff];
  return Buffer.from([3, 3, ...Buffer.alloc(32), 0, major, minor, 0, ...extensions]);
}

const recordOf = (hello: Buffer) =>
  Buffer.concat([Buffer.from([22, 3, 3, 0, hello.length + 4, 2, 0, 0, hello.length]), hello]);
const REFUSAL = Buffer.from([21, 3, 3, 0, 2, 2, 40]);

/** Starts a server that answers each hello with what `choose` makes of it, byte by byte; null refuses. */
const answering = async (choose: (hello: Buffer) => Buffer | null) =>
  keep(
    await serveTcp((socket: Socket) => {
      socket.once("data", (hello) => {
        const choice = choose(hello);
        for (const byte of choice === null ? REFUSAL : recordOf(choice)) socket.write(Buffer.from([byte]));
      });
    }),
  );

/** The suites that a hello offers, and whether it offers only X25519MLKEM768. */
function offered(hello: Buffer) {
  const at = 44 + hello.readUInt8(43);
  const length = hello.readUInt16BE(at);
  const suites = Array.from({ length: length / 2 }, (_, n) => hello.readUInt16BE(at + 2 + 2 * n));
  return {
    suites,
    isHybrid: hello.includes(Buffer.from([0, 10, 0, 4, 0, 2, X25519MLKEM768 >> 8, X25519MLKEM768 & 0xff])),
  };
}

describe("what OpenSSL does not know", () => {
  test("is found by the server's answer: RC4, 3DES and export ciphers", async () => {
    const old = [0x0005, 0x000a, 0x0003];
    const { port } = await answering((hello) => {
      const suite = old.find((each) => offered(hello).suites.includes(each));
      return hello.readUInt16BE(9) !== 0x0303 || suite === undefined ? null : serverHello(suite);
    });
    const { taken } = await scanned(await serve([leaf]), port);
    expect(taken).toEqual({
      ...{ protocols: ["TLSv1.2"], weak_ciphers: ["export", "rc4", "triple_des"], post_quantum: false },
      ...{ forward_secrecy: false, authenticated_encryption: false },
    });
  });

  test("is found by the server's answer: a post-quantum key exchange", async () => {
    const { port } = await answering((hello) => (offered(hello).isHybrid ? serverHello(0x1301, X25519MLKEM768) : null));
    const { taken } = await scanned(await serve([leaf]), port);
    expect(taken).toMatchObject({ protocols: ["TLSv1.3"], post_quantum: true, weak_ciphers: [] });
  });
});

describe("a scan says nothing", () => {
  test("if the server cannot be reached any more, or speaks no TLS", async () => {
    const check = await serve([leaf]);
    const { port, close } = await serveTcp(() => {});
    await close();
    await expect(scanned(check, port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    const other = keep(await serveTcp((socket) => socket.end("220 hello\r\n")));
    await expect(scanned(check, other.port)).rejects.toThrow();
  });

  test("if it is aborted", async () => {
    const silent = keep(await serveTcp(() => {}));
    const stopping = new AbortController();
    const scanning = scanned(await serve([leaf]), silent.port, stopping.signal);
    await until("the scan has begun", () => silent.open() > 0);
    stopping.abort(new Error("stopped"));
    await expect(scanning).rejects.toThrow("stopped");
  });
});
