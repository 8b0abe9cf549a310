import { createHash } from "node:crypto";
import { createSecureContext } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Authority,
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { serveTcp, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type { Finding, FindingCode } from "@/lib/certificates/findings";
import { type Expectation, judge } from "@/lib/certificates/judge/judge";
import type { Observation, Observations } from "@/lib/certificates/probe/observation";
import { type ProbeOptions, probe } from "@/lib/certificates/probe/probe";
import type { Target } from "@/lib/certificates/targets";
import { makePublicStore, makeTrustStore, type TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { parseCertificate } from "@/lib/certificates/x509/x509";
import { parseNetwork } from "@/lib/networks";
import { DAY_MS } from "@/lib/time/units";

const LOOPBACK = [parseNetwork("127.0.0.0/8")];
const OLD_TLS = { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;

let authority: Authority;
let trust: TrustStore;
const testServers: TestServer[] = [];

beforeAll(async () => {
  authority = await makeAuthority("Test");
  trust = makeTrustStore(authority.root.pem);
});

afterAll(async () => {
  // No connection of a check may remain open.
  await until("every connection is closed", () => testServers.every(({ open }) => open() === 0));
  await Promise.all(testServers.map(({ close }) => close()));
});

function keep<T extends TestServer>(testServer: T): T {
  testServers.push(testServer);
  return testServer;
}

const TARGET: Target = {
  host: "good.test",
  port: 443,
  protocol: "tls",
  sni: null,
  connectTo: null,
  addressMode: "one",
};

const OPEN: ProbeOptions = { allowedNetworks: LOOPBACK };

async function look({ port }: { port: number }, options: Partial<ProbeOptions> = {}): Promise<Observation> {
  const [observation, ...others] = await probe(
    { ...TARGET, port },
    { ...OPEN, resolve: async () => ["127.0.0.1"], ...options },
  );
  expect(others).toEqual([]);
  return observation;
}

function judged(observations: Observation | Observations, expected: Partial<Expectation> = {}): Finding[] {
  const all = "outcome" in observations ? ([observations] as const) : observations;
  return judge(all, {
    name: "good.test",
    protocol: "tls",
    trust,
    now: new Date(),
    expectedIssuers: [],
    pins: [],
    maxLifetimeDays: null,
    previous: null,
    newer: undefined,
    renewal: null,
    caa: null,
    fetched: [],
    revocation: [],
    revokedBefore: null,
    refusals: [],
    staples: [],
    ...expected,
  });
}

function codes(findings: Finding[]): FindingCode[] {
  return findings.map(({ code }) => code);
}

/** Serves the chain, probes it and judges the result. */
async function see(chain: TestCertificate[], options = {}, name = "good.test", anchors = trust): Promise<Finding[]> {
  return judged(await look(keep(await serveTls(chain, options))), { name, trust: anchors });
}

function identity({ der, name }: TestCertificate) {
  return { subject: `CN=${name}`, sha256: createHash("sha256").update(der).digest("hex") };
}

describe("served certificates", () => {
  test("a good endpoint has no findings, and reports protocol, cipher and the chain as served", async () => {
    const leaf = await authority.leaf();
    const observation = await look(keep(await serveTls([leaf, authority.intermediate])));
    expect(observation).toMatchObject({
      outcome: "served",
      addresses: ["127.0.0.1"],
      address: "127.0.0.1",
      protocol: "TLSv1.3",
      cipher: expect.stringMatching(/^TLS_/),
      timings: { dnsMs: expect.any(Number), connectMs: expect.any(Number), tlsMs: expect.any(Number) },
    });
    expect(observation.outcome === "served" && observation.chain.map(({ x509 }) => x509.raw)).toEqual([
      leaf.der,
      authority.intermediate.der,
    ]);
    expect(judged(observation)).toEqual([]);
  });

  test("expired", async () => {
    const leaf = await authority.leaf({ fromDays: -100, untilDays: -10 });
    const findings = await see([leaf, authority.intermediate]);
    expect(findings).toEqual([
      {
        code: "expired",
        severity: "critical",
        evidence: { ...identity(leaf), not_after: leaf.certificate.notAfter.toISOString() },
      },
    ]);
  });

  test("not yet valid", async () => {
    const leaf = await authority.leaf({ fromDays: 1, untilDays: 91 });
    expect(await see([leaf, authority.intermediate])).toEqual([
      {
        code: "not_yet_valid",
        severity: "critical",
        evidence: { ...identity(leaf), not_before: leaf.certificate.notBefore.toISOString() },
      },
    ]);
  });

  test.each([
    ["info", 60, 29.5, 29.7],
    ["warning", 60, 13.5, 14],
    ["critical", 60, 6.5, 6.65],
  ] as const)("expires soon, %s", async (severity, past, left, threshold) => {
    const leaf = await authority.leaf({ fromDays: -past, untilDays: left });
    const [finding, ...others] = await see([leaf, authority.intermediate]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: "expires_soon",
      severity,
      evidence: { not_after: leaf.certificate.notAfter.toISOString(), lifetime_days: past + left },
    });
    expect(finding?.evidence.threshold_days).toBeCloseTo(
      severity === "info" ? Math.min(30, 0.33 * (past + left)) : severity === "warning" ? 14 : threshold,
      1,
    );
  });

  test("wrong name", async () => {
    const leaf = await authority.leaf({ sans: ["other.test", "*.other.test", "192.0.2.7"] });
    expect(await see([leaf, authority.intermediate])).toEqual([
      {
        code: "hostname_mismatch",
        severity: "critical",
        evidence: { expected: "good.test", names: ["other.test", "*.other.test", "192.0.2.7"], names_total: 3 },
      },
    ]);
  });

  test("no subject alternative name", async () => {
    const leaf = await makeCertificate({ name: "good.test", issuer: authority.intermediate });
    expect(await see([leaf, authority.intermediate])).toEqual([
      {
        code: "san_missing",
        severity: "critical",
        evidence: { expected: "good.test", common_name: "good.test" },
      },
    ]);
  });

  test("self-signed", async () => {
    const leaf = await makeCertificate({ name: "good.test", sans: ["good.test"] });
    expect(await see([leaf])).toEqual([
      { code: "self_signed", severity: "critical", evidence: { ...identity(leaf), served: true } },
    ]);
    expect(await see([leaf], {}, "good.test", makeTrustStore(leaf.pem))).toEqual([]);
  });

  test("private authority, with and without its root served, and then trusted", async () => {
    const other = await makeAuthority("Private");
    const leaf = await other.leaf();
    const served = await see([leaf, other.intermediate, other.root]);
    expect(served).toEqual([
      { code: "untrusted_root", severity: "critical", evidence: { ...identity(other.root), served: true } },
    ]);
    const notServed = await see([leaf, other.intermediate]);
    expect(notServed).toEqual([
      {
        code: "untrusted_root",
        severity: "critical",
        evidence: { subject: "CN=Private Root", sha256: null, served: false },
      },
    ]);
    expect(await see([leaf, other.intermediate], {}, "good.test", makeTrustStore(other.root.pem))).toEqual([]);
  });

  test("missing intermediate, certain if the leaf has an issuer URL", async () => {
    const leaf = await authority.leaf({ issuerUrl: "http://ca.test/intermediate.der" });
    expect(await see([leaf])).toEqual([
      {
        code: "chain_incomplete",
        severity: "critical",
        evidence: {
          missing_issuer: "CN=Test Intermediate",
          certificate: identity(leaf),
          issuer_urls: ["http://ca.test/intermediate.der"],
          certain: true,
        },
      },
    ]);
    const silent = await see([await authority.leaf()]);
    expect(silent).toMatchObject([
      { code: "chain_incomplete", severity: "info", evidence: { certain: false } },
      { code: "untrusted_root", severity: "critical", evidence: { subject: "CN=Test Intermediate", served: false } },
    ]);
  });

  test("misordered", async () => {
    const leaf = await authority.leaf();
    const { intermediate, root } = authority;
    expect(await see([leaf, root, intermediate])).toEqual([
      {
        code: "chain_misordered",
        severity: "warning",
        evidence: {
          served: [leaf, root, intermediate].map(identity),
          expected: [leaf, intermediate, root].map(identity),
        },
      },
    ]);
  });

  test("superfluous: unrelated and repeated certificates, but not the root", async () => {
    const leaf = await authority.leaf();
    const stranger = await makeCertificate({ name: "Stranger", ca: true });
    const { intermediate, root } = authority;
    expect(await see([leaf, stranger, intermediate, intermediate, root])).toEqual([
      {
        code: "chain_extra",
        severity: "info",
        evidence: {
          certificates: [
            { ...identity(stranger), why: "unrelated" },
            { ...identity(intermediate), why: "repeated" },
          ],
        },
      },
    ]);
  });

  test("intermediate that expires before the leaf, and one that has expired", async () => {
    const short = await makeCertificate({
      name: "Short",
      ca: true,
      issuer: authority.root,
      fromDays: -300,
      untilDays: 20,
    });
    const leaf = await authority.leaf({ issuer: short });
    expect(await see([leaf, short])).toEqual([
      {
        code: "intermediate_expires_first",
        severity: "info",
        evidence: {
          ...identity(short),
          not_after: short.certificate.notAfter.toISOString(),
          leaf_not_after: leaf.certificate.notAfter.toISOString(),
        },
      },
    ]);
    const gone = await makeCertificate({
      name: "Gone",
      ca: true,
      issuer: authority.root,
      fromDays: -300,
      untilDays: -1,
    });
    expect(await see([await authority.leaf({ issuer: gone }), gone])).toMatchObject([
      { code: "expired", evidence: { subject: "CN=Gone", role: "issuer" } },
    ]);
  });

  test("a root of the organization that expires before the leaf, unless another one remains, and no public one", async () => {
    const short = await makeCertificate({ name: "Old", ca: true, fromDays: -3000, untilDays: 10 });
    const renewed = await makeCertificate({ name: "Old", ca: true, keysOf: short, fromDays: -30, untilDays: 3000 });
    const leaf = await authority.leaf({ issuer: short });
    const findings = (anchors: TrustStore) => see([leaf], {}, "good.test", anchors);
    expect(await findings(makeTrustStore(short.pem))).toEqual([
      {
        code: "intermediate_expires_first",
        severity: "warning",
        evidence: {
          ...identity(short),
          role: "root",
          not_after: short.certificate.notAfter.toISOString(),
          leaf_not_after: leaf.certificate.notAfter.toISOString(),
        },
      },
    ]);
    expect(codes(await findings(makeTrustStore(short.pem + renewed.pem)))).toEqual([]);
    const publicStore = makePublicStore([{ certificate: parseCertificate(short.der), distrustAfter: null }]);
    expect(codes(await findings(publicStore))).not.toContain("intermediate_expires_first");
  });

  test("RSA-1024 and SHA-1", async () => {
    const weak = await authority.leaf({ key: "RSA-1024" });
    expect(await see([weak, authority.intermediate], OLD_TLS)).toEqual([
      {
        code: "weak_key",
        severity: "critical",
        evidence: { ...identity(weak), key_type: "rsa", key_bits: 1024, least_bits: 2048 },
      },
    ]);
    const old = await authority.leaf({ digest: "SHA-1" });
    expect(await see([old, authority.intermediate], OLD_TLS)).toEqual([
      {
        code: "weak_signature",
        severity: "critical",
        evidence: { ...identity(old), signature_algorithm: "ecdsa-with-SHA1", digest: "SHA-1" },
      },
    ]);
  });

  test.each(["TLSv1", "TLSv1.1"] as const)("only %s", async (maxVersion) => {
    const findings = await see([await authority.leaf(), authority.intermediate], { ...OLD_TLS, maxVersion });
    expect(findings).toEqual([
      { code: "legacy_protocol", severity: "warning", evidence: { protocol: maxVersion, cipher: expect.any(String) } },
    ]);
  });

  test("the SNI decides which certificate a server sends", async () => {
    const [one, two] = await Promise.all([authority.leaf(), authority.leaf({ name: "b.test", sans: ["b.test"] })]);
    const testServer = keep(await serveTls([one, authority.intermediate]));
    const context = createSecureContext({ key: two.keyPem, cert: two.pem + authority.intermediate.pem });
    const choosy = keep(
      await serveTls([one, authority.intermediate], {
        SNICallback: (name, done) => done(null, name === "b.test" ? context : undefined),
      }),
    );
    const target = { ...TARGET, host: "127.0.0.1", port: choosy.port };
    const asked = await probe({ ...target, sni: "b.test" }, OPEN);
    expect(codes(judged(asked, { name: "b.test" }))).toEqual([]);
    const bare = await probe(target, OPEN);
    expect(codes(judged(bare, { name: "127.0.0.1" }))).toEqual(["hostname_mismatch"]);
    expect(codes(judged(await look(testServer)))).toEqual([]);
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)("a server that asks for a client certificate, %s", async (version) => {
    const findings = await see([await authority.leaf(), authority.intermediate], {
      requestCert: true,
      rejectUnauthorized: true,
      ca: [authority.root.pem],
      minVersion: version,
      maxVersion: version,
    });
    expect(findings).toEqual([]);
  });

  test("reads a long chain up to a limit, and rejects a chain beyond OpenSSL's limit", async () => {
    const leaf = await authority.leaf();
    const long = await look(keep(await serveTls([leaf, ...Array(150).fill(authority.intermediate)])));
    expect(long.outcome === "served" && long.chain.length).toBe(20);
    const huge = await look(keep(await serveTls([leaf, ...Array(1000).fill(authority.intermediate)])));
    expect(huge).toMatchObject({
      outcome: "failed",
      failure: { kind: "tls_handshake_failed", reason: "chain_too_large" },
    });
  });

  test("a certificate with too many names is a failed handshake, with the reason", async () => {
    const sans = Array.from({ length: 2001 }, (_, n) => `h${n}.test`);
    const served = await look(keep(await serveTls([await authority.leaf({ sans }), authority.intermediate])));
    expect(served).toMatchObject({
      outcome: "failed",
      failure: {
        kind: "tls_handshake_failed",
        reason: "malformed_certificate",
        detail: "more than 2000 subject alternative names",
      },
    });
  });

  test("judges at the given time", async () => {
    const observation = await look(keep(await serveTls([await authority.leaf(), authority.intermediate])));
    const at = (days: number) => codes(judged(observation, { now: new Date(Date.now() + days * DAY_MS) }));
    expect([at(0), at(70), at(90), at(-2)]).toEqual([[], ["expires_soon"], ["expired"], ["not_yet_valid"]]);
  });
});

describe("failures", () => {
  const timeout = { deadlineMs: 2_000 };

  test.each([
    ["a tarpit", () => {}, "tls_handshake_failed", "timeout", timeout],
    [
      "a reset in the handshake",
      (s) => s.once("data", () => s.resetAndDestroy()),
      "tls_handshake_failed",
      "connection_reset",
      {},
    ],
    ["a close in the handshake", (s) => s.once("data", () => s.end()), "tls_handshake_failed", "connection_closed", {}],
    [
      "plain HTTP",
      (s) => s.once("data", () => s.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      "tls_handshake_failed",
      "not_tls",
      {},
    ],
    ["a banner", (s) => s.write("220 mail.test ESMTP\r\n"), "tls_handshake_failed", "not_tls", {}],
    [
      "an alert",
      (s) => s.once("data", () => s.end(Buffer.from("15030300020228", "hex"))),
      "tls_handshake_failed",
      "alert",
      {},
    ],
    [
      "silence after half a record",
      (s) => s.write(Buffer.from("16030340", "hex")),
      "tls_handshake_failed",
      "timeout",
      timeout,
    ],
  ] satisfies [string, Parameters<typeof serveTcp>[0], string, string, object][])(
    "%s",
    async (_what, greet, kind, reason, options) => {
      const testServer = keep(await serveTcp(greet));
      const observation = await look(testServer, options);
      expect(observation).toMatchObject({ outcome: "failed", address: "127.0.0.1", failure: { kind, reason } });
      expect(judged(observation)).toMatchObject([
        { code: kind, severity: "critical", evidence: { reason, address: "127.0.0.1", addresses: ["127.0.0.1"] } },
      ]);
    },
  );

  test("an immediate reset, before or after the connection is established", async () => {
    const observation = await look(keep(await serveTcp((socket) => socket.resetAndDestroy())));
    expect(observation).toMatchObject({ outcome: "failed", failure: { reason: "connection_reset" } });
  });

  test("of several addresses counts the first with a real reason, not one without a route", async () => {
    const { port, close } = await serveTcp(() => {});
    await close();
    // No TCP connection can be routed to a multicast address.
    const allowedNetworks = [...LOOPBACK, parseNetwork("224.0.0.0/4")];
    for (const addresses of [
      ["224.0.0.1", "127.0.0.1", "224.0.0.2"],
      ["127.0.0.1", "224.0.0.1"],
    ]) {
      const options = { allowedNetworks, resolve: async () => addresses };
      const refused = { reason: "connection_refused", address: "127.0.0.1" };
      expect(judged(await look({ port }, options))).toMatchObject([{ code: "unreachable", evidence: refused }]);
      const all = await probe({ ...TARGET, port, addressMode: "all" }, { ...OPEN, ...options });
      expect(judged(all)).toMatchObject([{ code: "unreachable", evidence: refused }]);
    }
    const none = await look({ port }, { allowedNetworks, resolve: async () => ["224.0.0.1"] });
    expect(none).toMatchObject({ address: "224.0.0.1", failure: { reason: "no_route" } });
  });

  test("limits an endless banner", async () => {
    const testServer = keep(
      await serveTcp((socket) => {
        const flood = () => {
          while (socket.writable && socket.write("x".repeat(65_536)));
        };
        socket.on("drain", flood);
        flood();
      }),
    );
    expect(await look(testServer)).toMatchObject({ failure: { kind: "tls_handshake_failed", reason: "not_tls" } });
  });

  test("closed port", async () => {
    const testServer = await serveTcp(() => {});
    await testServer.close();
    const observation = await look(testServer);
    expect(observation).toMatchObject({ failure: { kind: "unreachable", reason: "connection_refused" } });
    expect(codes(judged(observation))).toEqual(["unreachable"]);
  });

  test.each([
    ["ENOTFOUND", "name_not_found"],
    ["ETIMEOUT", "timeout"],
    ["ESERVFAIL", "server_failure"],
  ])("a name that does not resolve: %s", async (code, reason) => {
    const resolve = async () => {
      throw Object.assign(new Error(`queryA ${code} good.test`), { code });
    };
    const observation = await look({ port: 1 }, { resolve });
    expect(observation).toMatchObject({ address: null, failure: { kind: "dns_failure", reason } });
    expect(codes(judged(observation))).toEqual(["dns_failure"]);
  });

  test("a name server that never responds, and a name without addresses", async () => {
    const never = () => new Promise<string[]>(() => {});
    expect(await look({ port: 1 }, { resolve: never, ...timeout })).toMatchObject({
      failure: { kind: "dns_failure", reason: "timeout", detail: null },
    });
    expect(await look({ port: 1 }, { resolve: async () => [] })).toMatchObject({
      failure: { kind: "dns_failure", reason: "no_address" },
    });
  });

  test("tries the next address if a connection fails", async () => {
    const testServer = keep(await serveTls([await authority.leaf(), authority.intermediate]));
    const resolve = async () => ["127.0.0.2", "127.0.0.1"];
    expect(await look(testServer, { resolve })).toMatchObject({ outcome: "served", address: "127.0.0.1" });
  });

  test("an aborted probe rejects without a result", async () => {
    const testServer = keep(await serveTcp(() => {}));
    const reason = new Error("stopping");
    const signal = AbortSignal.timeout(50);
    await expect(look(testServer, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
    await expect(look(testServer, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe("forbidden addresses", () => {
  test("are never connected to, whether given or resolved from a name", async () => {
    const connections: unknown[] = [];
    const testServer = keep(await serveTcp((socket) => connections.push(socket)));
    for (const host of ["127.0.0.1", "::ffff:127.0.0.1", "name.test"]) {
      const resolve = host === "name.test" ? { resolve: async () => ["127.0.0.1", "::1"] } : {};
      const [observation] = await probe(
        { ...TARGET, host, port: testServer.port },
        { allowedNetworks: [], ...resolve },
      );
      expect(observation).toMatchObject({
        outcome: "failed",
        failure: { kind: "forbidden_address", reason: "forbidden_address" },
      });
      expect(judged(observation)).toMatchObject([
        { code: "unreachable", severity: "critical", evidence: { reason: "forbidden_address" } },
      ]);
    }
    expect(connections).toEqual([]);
  });

  test("are skipped if other addresses are permitted", async () => {
    const testServer = keep(await serveTls([await authority.leaf(), authority.intermediate]));
    const resolve = async () => ["10.0.0.1", "169.254.169.254", "127.0.0.1"];
    expect(await look(testServer, { resolve })).toMatchObject({ outcome: "served", address: "127.0.0.1" });
  });

  test("a resolver that changes its answer is queried once", async () => {
    const testServer = keep(await serveTcp((socket) => socket.end()));
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    expect(await look(testServer, { resolve })).toMatchObject({ address: "127.0.0.1" });
    expect(asked).toBe(1);
  });
});
