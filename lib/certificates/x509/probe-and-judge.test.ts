import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Authority,
  makeAuthority,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { serveTcp, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { type Expectation, judge, primary } from "@/lib/certificates/judge/judge";
import { nameTexts } from "@/lib/certificates/judge/judge-renewal";
import type { Observations } from "@/lib/certificates/probe/observation";
import { probe } from "@/lib/certificates/probe/probe";
import type { Protocol, Target } from "@/lib/certificates/targets";
import { makeTrustStore, type TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { parseCertificate } from "@/lib/certificates/x509/x509";
import { parseNetwork } from "@/lib/networks";

// Servers beyond a single handshake: several addresses, dialogues before TLS, owners' expectations.

let authority: Authority;
let trust: TrustStore;
const testServers: TestServer[] = [];

beforeAll(async () => {
  authority = await makeAuthority("Test");
  trust = makeTrustStore(authority.root.pem);
});

afterAll(async () => {
  await until("every connection is closed", () => testServers.every(({ open }) => open() === 0));
  await Promise.all(testServers.map(({ close }) => close()));
});

function keep<T extends TestServer>(testServer: T): T {
  testServers.push(testServer);
  return testServer;
}

interface Look {
  addresses?: string[];
  protocol?: Protocol;
  deadlineMs?: number;
}

function look({ port }: TestServer, { addresses = ["127.0.0.1"], protocol = "tls", deadlineMs }: Look = {}) {
  const addressMode = addresses.length > 1 ? ("all" as const) : ("one" as const);
  const target: Target = { host: "good.test", port, protocol, sni: null, connectTo: null, addressMode };
  return probe(target, {
    allowedNetworks: [parseNetwork("127.0.0.0/8")],
    resolve: async () => addresses,
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
}

function judged(observations: Observations, expected: Partial<Expectation> = {}) {
  return judge(observations, expecting(expected));
}

function expecting(expected: Partial<Expectation> = {}): Expectation {
  return {
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
  };
}

const sha256 = ({ der }: TestCertificate) => createHash("sha256").update(der).digest("hex");
const endOf = ({ certificate }: TestCertificate) => certificate.notAfter.toISOString();
const contextOf = (leaf: TestCertificate) =>
  createSecureContext({ key: leaf.keyPem, cert: leaf.pem + authority.intermediate.pem });

/** Starts TLS on a connection after a plaintext dialogue. */
function upgrade(socket: Socket, leaf: TestCertificate): void {
  socket.removeAllListeners("data");
  new TLSSocket(socket, { isServer: true, secureContext: contextOf(leaf) }).on("error", () => {}).resume();
}

describe("several addresses of one name", () => {
  test("with different certificates diverge, and evidence lists each certificate", async () => {
    const [old, renewed] = [await authority.leaf({ untilDays: 60 }), await authority.leaf()];
    const testServer = keep(
      await serveTcp((socket) => upgrade(socket, socket.localAddress === "127.0.0.2" ? old : renewed), "0.0.0.0"),
    );
    const findings = judged(await look(testServer, { addresses: ["127.0.0.1", "127.0.0.2", "127.0.0.3"] }));
    expect(findings).toEqual([
      {
        code: "address_divergence",
        severity: "warning",
        evidence: {
          addresses: [
            { address: "127.0.0.1", sha256: sha256(renewed), not_after: endOf(renewed), reason: null },
            { address: "127.0.0.2", sha256: sha256(old), not_after: endOf(old), reason: null },
            { address: "127.0.0.3", sha256: sha256(renewed), not_after: endOf(renewed), reason: null },
          ],
        },
      },
    ]);
    const one = judged(await look(testServer, { addresses: ["127.0.0.2"] }));
    expect(one).toEqual([]);
  });

  test("a finding at one address names that address", async () => {
    const [gone, good] = [await authority.leaf({ fromDays: -100, untilDays: -1 }), await authority.leaf()];
    const testServer = keep(
      await serveTcp((socket) => upgrade(socket, socket.localAddress === "127.0.0.2" ? gone : good), "0.0.0.0"),
    );
    expect(judged(await look(testServer, { addresses: ["127.0.0.1", "127.0.0.2"] }))).toMatchObject([
      { code: "expired", evidence: { sha256: sha256(gone), seen_at: ["127.0.0.2"] } },
      { code: "address_divergence" },
    ]);
  });

  test("an address that does not respond is reported beside the others", async () => {
    const leaf = await authority.leaf();
    const testServer = keep(await serveTls([leaf, authority.intermediate]));
    expect(judged(await look(testServer, { addresses: ["127.0.0.1", "127.0.0.2"] }))).toMatchObject([
      {
        code: "address_divergence",
        evidence: {
          addresses: [
            { address: "127.0.0.1", sha256: sha256(leaf), reason: null },
            { address: "127.0.0.2", sha256: null, reason: "connection_refused" },
          ],
        },
      },
    ]);
  });

  test("are observed in an order that does not depend on the name server, the same 16 of many", async () => {
    const testServer = keep(await serveTls([await authority.leaf(), authority.intermediate]));
    const many = Array.from({ length: 20 }, (_, at) => `127.0.0.${at + 1}`);
    const observed = async (addresses: string[]) =>
      (await look(testServer, { addresses })).map(({ address }) => address);
    expect(await observed(many.toReversed())).toEqual(many.toSorted().slice(0, 16));
    expect(await observed(many)).toEqual(many.toSorted().slice(0, 16));
    const forbidden = Array.from({ length: 20 }, (_, at) => `10.0.0.${at + 1}`);
    expect(await observed([...forbidden, ...many])).toEqual(many.toSorted().slice(0, 16));
  });

  test("are represented by one that serves the known certificate, and failures that may be one lost packet do not diverge", async () => {
    const [one, two] = [await authority.leaf(), await authority.leaf()];
    const testServer = keep(
      await serveTcp((socket) => {
        if (socket.localAddress === "127.0.0.1") socket.destroy();
        else upgrade(socket, socket.localAddress === "127.0.0.2" ? one : two);
      }, "0.0.0.0"),
    );
    const seen = await look(testServer, { addresses: ["127.0.0.1", "127.0.0.2", "127.0.0.3"] });
    expect(primary(seen).address).toBe("127.0.0.2");
    expect(primary(seen, sha256(two)).address).toBe("127.0.0.3");
    expect(primary(seen, sha256(authority.root)).address).toBe("127.0.0.2");

    const [lost, served] = await look(testServer, { addresses: ["127.0.0.1", "127.0.0.2"] });
    if (lost === undefined || served === undefined) throw new Error("an observation is missing");
    expect(judge([lost, served], expecting(), [lost])).toEqual([]);
    expect(judge([lost, served], expecting()).map(({ code }) => code)).toEqual(["address_divergence"]);
  });

  test("a renewed certificate is deployed at the address that serves it", async () => {
    const [old, renewed] = [await authority.leaf({ untilDays: 60 }), await authority.leaf()];
    const testServer = keep(
      await serveTcp((socket) => upgrade(socket, socket.localAddress === "127.0.0.2" ? renewed : old), "0.0.0.0"),
    );
    const { notBefore, notAfter } = renewed.certificate;
    const newer = { id: "1", sha256: sha256(renewed), notBefore, notAfter, firstSeenAt: notBefore };
    const seen = await look(testServer, { addresses: ["127.0.0.1", "127.0.0.2"] });
    const found = judged(seen, { newer: new Map([[sha256(old), newer]]) });
    expect(found).toMatchObject([
      { code: "renewed_not_deployed", evidence: { seen_at: ["127.0.0.1"] } },
      { code: "address_divergence" },
    ]);
  });
});

describe("a dialogue before TLS", () => {
  /** A mail server that responds to each line by its first characters. */
  const mail = (answers: Record<string, string>, onStart?: (socket: Socket) => void) =>
    serveTcp((socket) => {
      socket.write("220 mail.test ESMTP\r\n");
      socket.on("data", (bytes) => {
        const said = String(bytes).slice(0, 4).toUpperCase();
        socket.write(answers[said] ?? "500 what?\r\n");
        if (said === "STAR") onStart?.(socket);
      });
    });
  const offered = { EHLO: "250-mail.test\r\n250 STARTTLS\r\n", STAR: "220 go ahead\r\n" };

  test("STARTTLS reaches the certificate", async () => {
    const leaf = await authority.leaf();
    const testServer = keep(await mail(offered, (socket) => upgrade(socket, leaf)));
    const observations = await look(testServer, { protocol: "smtp" });
    expect(observations).toMatchObject([{ outcome: "served", protocol: "TLSv1.3" }]);
    expect(judged(observations, { protocol: "smtp" })).toEqual([]);
  });

  test.each([
    ["not offered", { ...offered, EHLO: "250 mail.test\r\n" }, "not_offered", /^250 mail\.test$/],
    ["refused", { ...offered, STAR: "454 TLS not available\r\n" }, "refused", /^454 TLS not available$/],
    ["no mail server", { EHLO: "HTTP/1.1 400 Bad Request\r\n\r\n" }, "unexpected_answer", /^HTTP/],
    ["an endless banner", { EHLO: `250-${"x".repeat(70_000)}\r\n` }, "too_much_said", /xxx/],
    ["slipped in before TLS", { ...offered, STAR: "220 go ahead\r\n250 trust me\r\n" }, "said_more", /trust me/],
  ])("%s", async (_what, answers, reason, words) => {
    const testServer = keep(await mail(answers));
    const observations = await look(testServer, { protocol: "smtp" });
    expect(judged(observations, { protocol: "smtp" })).toEqual([
      {
        code: "starttls_unsupported",
        severity: "critical",
        evidence: {
          protocol: "smtp",
          reason,
          detail: expect.stringMatching(words),
          address: "127.0.0.1",
          addresses: ["127.0.0.1"],
        },
      },
    ]);
  });

  test("waits for a silent peer until the deadline", async () => {
    const testServer = keep(await serveTcp(() => {}));
    expect(await look(testServer, { protocol: "smtp", deadlineMs: 300 })).toMatchObject([
      { outcome: "failed", failure: { reason: "timeout" } },
    ]);
  });
});

test("rejects 10 MB of certificates before parsing them", async () => {
  const leaf = await authority.leaf();
  const long = ["x", "y", "z"].map((letter) => letter.repeat(63)).join(".");
  const sans = Array.from({ length: 2000 }, (_, n) => `${long}.host-${n}.test`);
  const fat = await makeCertificate({ name: "Fat", ca: true, sans });
  const count = Math.ceil((10 * 2 ** 20) / fat.der.length);
  const testServer = keep(await serveTls([leaf, ...Array<TestCertificate>(count).fill(fat)]));
  expect(judged(await look(testServer))).toMatchObject([
    {
      code: "tls_handshake_failed",
      severity: "critical",
      evidence: { reason: "chain_too_large", detail: expect.any(String), address: "127.0.0.1" },
    },
  ]);
}, 30_000);

describe("expectations of the owner and the rules", () => {
  test("a lifetime longer than the endpoint allows", async () => {
    const leaf = await authority.leaf();
    const seen = await look(keep(await serveTls([leaf, authority.intermediate])));
    expect(judged(seen, { maxLifetimeDays: 91 })).toEqual([]);
    expect(judged(seen, { maxLifetimeDays: 47 })).toEqual([
      {
        code: "lifetime_exceeds_policy",
        severity: "warning",
        evidence: {
          not_before: leaf.certificate.notBefore.toISOString(),
          not_after: endOf(leaf),
          lifetime_days: 90,
          limit_days: 47,
          rule: "endpoint",
        },
      },
    ]);
  });

  test("an unexpected issuer", async () => {
    const seen = await look(keep(await serveTls([await authority.leaf(), authority.intermediate])));
    expect(judged(seen, { expectedIssuers: ["test intermediate"] })).toEqual([]);
    expect(judged(seen, { expectedIssuers: ["Let's Encrypt", "Cellar"] })).toEqual([
      {
        code: "issuer_unexpected",
        severity: "warning",
        evidence: { issuer: "CN=Test Intermediate", expected: ["Let's Encrypt", "Cellar"] },
      },
    ]);
  });

  test("keys that match no pin, anywhere in the chain", async () => {
    const leaf = await authority.leaf();
    const seen = await look(keep(await serveTls([leaf, authority.intermediate])));
    const pin = (made: TestCertificate) =>
      Buffer.from(parseCertificate(made.der).publicKeySha256 ?? "", "hex").toString("base64");
    for (const made of [leaf, authority.intermediate, authority.root]) {
      expect(judged(seen, { pins: [pin(made)] })).toEqual([]);
    }
    const other = pin(await makeCertificate({ name: "other" }));
    expect(judged(seen, { pins: [other] })).toMatchObject([
      {
        code: "pin_mismatch",
        severity: "critical",
        evidence: { expected: [other], seen: [{ pin: pin(leaf) }, { pin: pin(authority.intermediate) }, {}] },
      },
    ]);
  });
});

describe("changes from the previous certificate", () => {
  const asPrevious = (made: TestCertificate, by: TestCertificate, until = new Date()) => {
    const parsed = parseCertificate(made.der);
    const { publicKeySha256 } = parsed;
    return { sha256: parsed.sha256, names: nameTexts(parsed), publicKeySha256, until, replacedBy: sha256(by) };
  };

  test("are reported for a day, and removed names are a warning", async () => {
    const old = await authority.leaf({ sans: ["good.test", "gone.test"] });
    const leaf = await authority.leaf();
    const seen = await look(keep(await serveTls([leaf, authority.intermediate])));
    const change = { from: sha256(old), to: sha256(leaf) };
    expect(judged(seen, { previous: asPrevious(old, leaf) })).toEqual([
      { code: "certificate_changed", severity: "info", evidence: change },
      { code: "names_removed", severity: "warning", evidence: { ...change, names: ["gone.test"] } },
    ]);
    expect(judged(seen, { previous: asPrevious(old, leaf, new Date(Date.now() - 25 * 3_600_000)) })).toEqual([]);
  });

  test("and a newer certificate are about the leaf that they belong to, not about that of another address", async () => {
    const [old, leaf] = [await authority.leaf({ sans: ["good.test", "gone.test"] }), await authority.leaf()];
    const other = await authority.leaf({ sans: ["good.test", "other.test"], keysOf: old });
    const testServer = keep(
      await serveTcp((socket) => upgrade(socket, socket.localAddress === "127.0.0.2" ? other : leaf), "0.0.0.0"),
    );
    const seen = await look(testServer, { addresses: ["127.0.0.1", "127.0.0.2"] });
    const { notBefore, notAfter } = leaf.certificate;
    const newer = { id: "0193", sha256: "ff", notBefore, notAfter, firstSeenAt: new Date() };
    const found = judged(seen, { previous: asPrevious(old, leaf), newer: new Map([[sha256(other), newer]]) });
    const about = found.map(({ code, evidence }) => [code, evidence.seen_at]);
    expect(about.filter(([code]) => code !== "address_divergence").sort()).toEqual([
      ["certificate_changed", ["127.0.0.1"]],
      ["names_removed", ["127.0.0.1"]],
      ["renewed_not_deployed", ["127.0.0.2"]],
    ]);
  });

  test("have names that fit into an index, cut if they are very long", () => {
    const value = "a".repeat(5_000);
    const names = nameTexts({
      sans: [
        { type: "uri", value },
        { type: "dns", value: "good.test" },
      ],
    });
    expect(names).toEqual([`uri:${"a".repeat(996)}…`, "good.test"]);
  });

  test("do not count the case of names, which are stored in lower case", async () => {
    const old = await authority.leaf({ sans: ["good.test", "*.Loud.test"] });
    const leaf = await authority.leaf({ sans: ["good.test", "*.LOUD.test"] });
    expect(nameTexts(parseCertificate(leaf.der))).toEqual(["good.test", "*.loud.test"]);
    const seen = await look(keep(await serveTls([leaf, authority.intermediate])));
    // As an earlier release stored it.
    const previous = { ...asPrevious(old, leaf), names: ["good.test", "*.Loud.test"] };
    expect(judged(seen, { previous }).map(({ code }) => code)).toEqual(["certificate_changed"]);
  });

  test("a reused key stays reported, unless it is pinned", async () => {
    const old = await authority.leaf();
    const leaf = await authority.leaf({ keysOf: old });
    const seen = await look(keep(await serveTls([leaf, authority.intermediate])));
    const { publicKeySha256 } = parseCertificate(leaf.der);
    const previous = asPrevious(old, leaf, new Date(Date.now() - 25 * 3_600_000));
    expect(judged(seen, { previous })).toEqual([
      {
        code: "key_reused",
        severity: "info",
        evidence: { from: sha256(old), to: sha256(leaf), public_key_sha256: publicKeySha256 },
      },
    ]);
    const pins = [Buffer.from(publicKeySha256 ?? "", "hex").toString("base64")];
    expect(judged(seen, { previous, pins })).toEqual([]);
  });

  test("an overdue renewal, and a known renewal that is not deployed", async () => {
    const leaf = await authority.leaf({ fromDays: -65, untilDays: 25 });
    const seen = await look(keep(await serveTls([leaf, authority.intermediate])));
    const dueSince = new Date(leaf.certificate.notAfter.getTime() - 30 * 86_400_000).toISOString();
    expect(judged(seen, { newer: new Map() }).find(({ code }) => code === "renewal_overdue")).toEqual({
      code: "renewal_overdue",
      severity: "info",
      evidence: { not_after: endOf(leaf), due_since: dueSince },
    });
    const next = await authority.leaf();
    const newer = {
      id: "0193",
      sha256: sha256(next),
      notBefore: next.certificate.notBefore,
      notAfter: next.certificate.notAfter,
      firstSeenAt: new Date(),
    };
    const found = judged(seen, { newer: new Map([[sha256(leaf), newer]]) });
    expect(found.map(({ code }) => code)).not.toContain("renewal_overdue");
    expect(found.find(({ code }) => code === "renewed_not_deployed")).toMatchObject({
      severity: "info",
      evidence: {
        served: { sha256: sha256(leaf) },
        newer: { id: "0193", sha256: sha256(next), not_after: endOf(next) },
      },
    });
  });
});
