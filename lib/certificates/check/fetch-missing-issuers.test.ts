import "reflect-metadata";
import { sign } from "node:crypto";
import { KeyUsageFlags, X509CrlReason } from "@peculiar/x509";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainExpectation } from "@/e2e/support/judged";
import { wrap } from "@/e2e/support/stand-ins/ocsp";
import {
  type Authority,
  type CertificateOptions,
  makeAuthority,
  makeCertificate,
  makeCrl,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { type FileResponse, serveFiles, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { fetchMissingIssuers, makeIssuerSources, parseIssuers } from "@/lib/certificates/check/fetch-missing-issuers";
import { toObservation } from "@/lib/certificates/check/reported";
import { examineChain, expectedChain } from "@/lib/certificates/judge/chain";
import { judge } from "@/lib/certificates/judge/judge";
import { judgeTrust } from "@/lib/certificates/judge/judge-chain";
import { judgeRevocation } from "@/lib/certificates/judge/judge-revocation";
import { parseCrl } from "@/lib/certificates/revocation/crl";
import { judgeCrl } from "@/lib/certificates/revocation/look-up";
import { makeTrustStore, type TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509/x509";
import { significantBytes } from "@/lib/der";
import { parseNetwork } from "@/lib/networks";

const LOOPBACK = [parseNetwork("127.0.0.0/8")];
let authority: Authority;
let trust: TrustStore;
let files: Awaited<ReturnType<typeof serveFiles>>;
const testServers: TestServer[] = [];
let paths = 0;

/** How a CRL differs from a valid one. */
type CrlOptions = Omit<Parameters<typeof makeCrl>[0], "issuer"> & { issuer?: "root" | "forged" };

beforeAll(async () => {
  authority = await makeAuthority("Test");
  trust = makeTrustStore(authority.root.pem);
  files = await serveFiles();
  testServers.push(files);
});

afterAll(async () => {
  await until("every connection is closed", () => testServers.every(({ open }) => open() === 0));
  await Promise.all(testServers.map(({ close }) => close()));
});

/** A unique path on the file server. */
const newPath = () => `/${++paths}`;

function observe(chain: TestCertificate[]) {
  const [leaf, ...others] = chain.map(({ der }) => parseCertificate(der));
  if (leaf === undefined) throw new Error("nothing is served");
  return toObservation([leaf, ...others], new Date());
}

/** What is found for a served chain with empty caches and these certificates at hand. */
function learn(
  chain: TestCertificate[],
  resolve?: (host: string) => Promise<string[]>,
  atHand: TestCertificate[] = [],
) {
  const guard = () => ({ allowedNetworks: LOOPBACK, ...(resolve && { resolve }) });
  const known = async ({ issuer }: Certificate) =>
    atHand.map(({ der }) => parseCertificate(der)).filter(({ subject }) => subject === issuer);
  return fetchMissingIssuers(observe(chain), trust, makeIssuerSources(guard), known);
}

/** The findings of a leaf whose CRL is at `url`. */
async function judgedBy(
  url: string,
  overrides: Partial<CertificateOptions> = {},
  resolve?: (host: string) => Promise<string[]>,
) {
  const leaf = await authority.leaf({ crlUrls: [url], ...overrides });
  return judgeLeaf(leaf, resolve);
}

async function judgeLeaf(leaf: TestCertificate, resolve?: (host: string) => Promise<string[]>) {
  const chain = [leaf, authority.intermediate];
  const { revocation } = await learn(chain, resolve);
  const [observation] = observe(chain);
  if (observation.outcome !== "served") throw new Error("nothing was served");
  return judgeRevocation(examineChain(observation.chain, trust, new Date()), revocation, null);
}

/** A signed list that revokes the serial number 5 without saying since when. */
function listWithoutDates({ certificate, keyPem }: TestCertificate): Buffer {
  const time = (ms: number) => Buffer.from(new Date(Date.now() + ms).toISOString().replace(/\D/g, "").slice(2, 14));
  const algorithm = wrap(0x30, Buffer.from("06082a8648ce3d040302", "hex"));
  const tbs = wrap(
    0x30,
    algorithm,
    Buffer.from(certificate.subjectName.toArrayBuffer()),
    ...[-3_600_000, 3_600_000].map((ms) => wrap(0x17, time(ms), Buffer.from("Z"))),
    wrap(0x30, wrap(0x30, wrap(0x02, Buffer.of(5)))),
  );
  return wrap(0x30, tbs, algorithm, wrap(0x03, Buffer.of(0), sign("sha256", tbs, keyPem)));
}

describe("revocation", () => {
  test("a revoked certificate, with time, reason and CRL", async () => {
    const path = newPath();
    const leaf = await authority.leaf({ crlUrls: [files.url(path)] });
    const at = new Date("2026-11-01T10:20:30Z");
    const others = await Promise.all([authority.leaf(), authority.leaf()]);
    const revoked = [...others.map((made) => ({ made })), { made: leaf, reason: X509CrlReason.keyCompromise, at }];
    files.files.set(path, await makeCrl({ issuer: authority.intermediate, revoked }));
    expect(await judgeLeaf(leaf)).toEqual([
      {
        code: "revoked",
        severity: "critical",
        evidence: {
          subject: "CN=good.test",
          sha256: parseCertificate(leaf.der).sha256,
          serial_number: leaf.certificate.serialNumber,
          revoked_at: "2026-11-01T10:20:30.000Z",
          reason: "key_compromise",
          crl_url: files.url(path),
        },
      },
    ]);
  });

  test("a CRL without the certificate clears it, and a certificate without a CRL has no finding", async () => {
    const path = newPath();
    files.files.set(path, await makeCrl({ issuer: authority.intermediate, revoked: [{ made: authority.root }] }));
    expect(await judgedBy(files.url(path))).toEqual([]);
    files.files.set(path, await makeCrl({ issuer: authority.intermediate }));
    expect(await judgedBy(files.url(path))).toEqual([]);
    expect(await judgeLeaf(await authority.leaf())).toEqual([]);
    expect(await judgeLeaf(await authority.leaf({ ocspUrl: "http://ocsp.test", untilDays: 5 }))).toEqual([]);
  });

  test("a revoked intermediate revokes the certificates it issued", async () => {
    const path = newPath();
    const own = await makeAuthority("Own", { crlUrls: [files.url(path)] });
    files.files.set(path, await makeCrl({ issuer: own.root, revoked: [{ made: own.intermediate }] }));
    const chain = [await own.leaf(), own.intermediate];
    const [observation] = observe(chain);
    const own_trust = makeTrustStore(own.root.pem);
    const sources = makeIssuerSources(() => ({ allowedNetworks: LOOPBACK }));
    const { revocation } = await fetchMissingIssuers([observation], own_trust, sources);
    expect(revocation).toMatchObject([
      { certificate: { subject: "CN=Own Intermediate" }, state: "revoked", reason: null },
    ]);
  });

  test("uses the second CRL if the first cannot be fetched", async () => {
    const path = newPath();
    const leaf = await authority.leaf({ crlUrls: [files.url("/none"), files.url(path)] });
    files.files.set(path, await makeCrl({ issuer: authority.intermediate, revoked: [{ made: leaf }] }));
    expect(await judgeLeaf(leaf)).toMatchObject([{ code: "revoked", evidence: { crl_url: files.url(path) } }]);
  });

  test.each<[string, FileResponse | "loop" | "cut" | { to: string } | CrlOptions, string, unknown]>([
    ["nothing there", { status: 404 }, "fetch_failed", "HTTP status 404"],
    ["no CRL", Buffer.from("<html>"), "malformed", expect.any(String)],
    ["a cut-off CRL", "cut", "malformed", "cut off"],
    ["a list of 17 MiB", Buffer.alloc(17 * 2 ** 20), "too_large", expect.stringContaining("longer than")],
    ["a redirect without end", "loop", "fetch_failed", "too many redirects"],
    ["a redirect into a private network", { to: "http://10.0.0.1/crl" }, "forbidden_address", null],
    ["a redirect to metadata in IPv6", { to: "http://[::ffff:169.254.169.254]/crl" }, "forbidden_address", null],
    ["a redirect to a file", { to: "file:///etc/passwd" }, "unsupported_url", null],
    ["another issuer's list", { issuer: "root" }, "other_issuer", null],
    ["a forged list", { issuer: "forged" }, "bad_signature", null],
    ["yesterday's list", { fromHours: -48, untilHours: -24 }, "outdated", expect.stringMatching(/^\d{4}-/)],
    ["tomorrow's list", { fromHours: 1 }, "outdated", expect.any(String)],
    ["a list without an end", { untilHours: null }, "outdated", null],
    ["a delta list", { extensions: [["2.5.29.27", "020101"]] }, "delta", null],
    ["an indirect list", { extensions: [["2.5.29.28", "30038401ff"]] }, "indirect", null],
    ["a list of some reasons", { extensions: [["2.5.29.28", "300483020560"]] }, "partial", null],
    ["a list of authorities", { extensions: [["2.5.29.28", "30038201ff"]] }, "partial", null],
    [
      "a list with something unheard of",
      { extensions: [["1.2.3.4", "0500"]] },
      "unknown_critical_extension",
      "1.2.3.4",
    ],
    [
      "a list with a critical number",
      { extensions: [["2.5.29.20", "020101"]] },
      "unknown_critical_extension",
      "2.5.29.20",
    ],
    [
      "another part of the list",
      // [0] { [0] { [6] "http://other.test/" } }
      { extensions: [["2.5.29.28", `3018a016a0148612${Buffer.from("http://other.test/").toString("hex")}`]] },
      "partial",
      null,
    ],
  ])("is not known by %s", async (_what, answer, reason, detail) => {
    const path = newPath();
    const { intermediate, root } = authority;
    if (answer === "loop") files.files.set(path, { status: 302, headers: { location: path } });
    else if (answer === "cut") files.files.set(path, (await makeCrl({ issuer: intermediate })).subarray(0, 60));
    else if (answer === "silence" || Buffer.isBuffer(answer) || "status" in answer) files.files.set(path, answer);
    else if ("to" in answer) files.files.set(path, { status: 301, headers: { location: answer.to } });
    else {
      const options: CrlOptions = answer;
      const which = options.issuer ?? "intermediate";
      const forged = { ...intermediate, keys: (await authority.leaf()).keys };
      const issuer = which === "root" ? root : which === "forged" ? forged : intermediate;
      files.files.set(path, await makeCrl({ ...options, issuer }));
    }
    const found = await judgedBy(files.url(path));
    expect(found).toEqual([
      {
        code: "revocation_unknown",
        severity: "info",
        evidence: { subject: "CN=good.test", sha256: expect.any(String), reason, detail, crl_url: files.url(path) },
      },
    ]);
  });

  test("is not known by a signed list with a malformed entry", async () => {
    const path = newPath();
    files.files.set(path, listWithoutDates(authority.intermediate));
    expect(await judgedBy(files.url(path), { serial: "05" })).toMatchObject([
      { code: "revocation_unknown", evidence: { reason: "malformed", detail: "no revocation date" } },
    ]);
  });

  test("is not known if nothing responds by the deadline; other checks go on", async () => {
    const [path, other] = [newPath(), newPath()];
    files.files.set(path, "silence").set(other, "silence");
    const sources = makeIssuerSources(() => ({ allowedNetworks: LOOPBACK }));
    const leaf = await authority.leaf({ crlUrls: [files.url(path), files.url(other)] });
    const alone = await (await makeAuthority("Silent")).leaf({
      issuerUrl: files.url(path),
      crlUrls: [files.url(path)],
    });
    const observations = [...observe([leaf, authority.intermediate]), ...observe([alone])] as const;
    const find = (context: object) => fetchMissingIssuers(observations, trust, sources, undefined, context);
    const { fetched, revocation } = await find({ deadlineMs: 100 });
    expect(fetched).toEqual([]);
    expect(revocation).toMatchObject([
      { url: files.url(other), state: "unknown", why: "fetch_failed", detail: "no response in time" },
      { url: files.url(path), state: "unknown", why: "issuer_unknown" },
    ]);
    const stopped = new Error("stopped");
    await expect(find({ signal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
  });

  test("is not known by a list of an issuer that must not sign lists", async () => {
    const path = newPath();
    const { keyCertSign } = KeyUsageFlags;
    const own = await makeAuthority("Test", { issuer: authority.root, keyUsages: keyCertSign });
    const leaf = await own.leaf({ crlUrls: [files.url(path)] });
    files.files.set(path, await makeCrl({ issuer: own.intermediate, revoked: [{ made: leaf }] }));
    const { revocation } = await learn([leaf, own.intermediate]);
    expect(revocation).toMatchObject([{ state: "unknown", why: "issuer_must_not_sign" }]);
  });

  test("is not known with only an OCSP responder, a directory or a forbidden address", async () => {
    const ocsp = await judgeLeaf(await authority.leaf({ ocspUrl: "http://ocsp.test" }));
    expect(ocsp).toMatchObject([{ code: "revocation_unknown", evidence: { reason: "ocsp_only", crl_url: null } }]);
    expect(await judgedBy("ldap://directory.test/cn=crl")).toMatchObject([{ evidence: { reason: "unsupported_url" } }]);
    expect(await judgedBy("http://10.0.0.1/crl")).toMatchObject([{ evidence: { reason: "forbidden_address" } }]);
    expect(await judgedBy("http://[64:ff9b::a00:1]/crl")).toMatchObject([
      { evidence: { reason: "forbidden_address" } },
    ]);
  });

  test("a resolver that changes its answer is queried once per connection, and forbidden answers are rejected", async () => {
    const path = newPath();
    files.files.set(path, await makeCrl({ issuer: authority.intermediate }));
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    let asked = 0;
    const resolve = async () => answers[asked++ % 2] ?? [];
    const url = `http://crl.test:${files.port}${path}`;
    expect(await judgedBy(url, {}, resolve)).toEqual([]);
    expect(asked).toBe(1);
    expect(await judgedBy(url, {}, resolve)).toMatchObject([{ evidence: { reason: "forbidden_address" } }]);
  });

  test("is cached: many certificates of an issuer cost one request, and so does an unavailable CRL", async () => {
    const sources = makeIssuerSources(() => ({ allowedNetworks: LOOPBACK }));
    const [good, gone] = [newPath(), newPath()];
    files.files.set(good, await makeCrl({ issuer: authority.intermediate }));
    const leaves = await Promise.all(
      [good, gone, good, gone, good].map((path) => authority.leaf({ crlUrls: [files.url(path)] })),
    );
    const look = (leaf: TestCertificate) =>
      fetchMissingIssuers(observe([leaf, authority.intermediate]), trust, sources);
    const first = await Promise.all(leaves.map(look));
    const again = await Promise.all(leaves.map(look));
    expect(first.flatMap(({ revocation }) => revocation.map(({ state }) => state))).toEqual([
      "good",
      "unknown",
      "good",
      "unknown",
      "good",
    ]);
    expect(again).toEqual(first);
    expect(files.asked.filter((path) => path === good || path === gone).sort()).toEqual([good, gone].sort());
  });

  test("finds each of many serial numbers, and no others", async () => {
    const made = await Promise.all(Array.from({ length: 40 }, () => authority.leaf()));
    const serials = Array.from({ length: 2000 }, (_, n) => (n * 7919 + 1).toString(16).padStart(2, "0"));
    const template = made[0];
    if (template === undefined) throw new Error("nothing was made");
    const entry = (serialNumber: string) => ({
      made: { ...template, certificate: { serialNumber } } as TestCertificate,
    });
    const even = serials.map((serial) => (serial.length % 2 === 0 ? serial : `0${serial}`));
    const crl = parseCrl(await makeCrl({ issuer: authority.intermediate, revoked: even.map(entry) }));
    const find = (serial: string) => crl.find({ serialBytes: significantBytes(Buffer.from(serial, "hex")) });
    for (const serial of even) expect(find(serial)).not.toBeNull();
    for (const { certificate } of made) expect(find(certificate.serialNumber)).toBeNull();
    expect(crl.isSignedBy(parseCertificate(authority.intermediate.der))).toBe(true);
    expect(crl.isSignedBy(parseCertificate(authority.root.der))).toBe(false);
  });

  test("an entry that removes a certificate from the CRL clears it", async () => {
    const leaf = await authority.leaf({ crlUrls: ["http://crl.test/"] });
    const [certificate, issuer] = [parseCertificate(leaf.der), parseCertificate(authority.intermediate.der)];
    const revoked = [{ made: leaf, reason: X509CrlReason.removeFromCRL }];
    const crl = parseCrl(await makeCrl({ issuer: authority.intermediate, revoked }));
    expect(judgeCrl(crl, certificate, issuer, new Date())).toEqual({ state: "good" });
  });
});

/** A bundle as authorities publish it: SignedData without a signer (RFC 5652). */
function bundle(...certificates: Buffer[]): Buffer {
  const oid = (hex: string) => Buffer.from(hex, "hex");
  const empty = wrap(0x30, oid("06092a864886f70d010701"));
  const signed = wrap(0x30, oid("020101"), wrap(0x31), empty, wrap(0xa0, ...certificates), wrap(0x31));
  return wrap(0x30, oid("06092a864886f70d010702"), wrap(0xa0, signed));
}

describe("missing issuers", () => {
  const mended = async (chain: TestCertificate[], atHand: TestCertificate[] = []) => {
    const { fetched } = await learn(chain, undefined, atHand);
    const [observation] = observe(chain);
    if (observation.outcome !== "served") throw new Error("nothing was served");
    const now = new Date();
    const [served, whole] = [[...observation.chain], [...observation.chain, ...fetched]].map((all) =>
      examineChain(all as typeof observation.chain, trust, now),
    );
    if (served === undefined || whole === undefined) throw new Error("nothing was examined");
    return {
      fetched: fetched.map(({ subject }) => subject),
      findings: judgeTrust(served, whole),
      expected: expectedChain([...observation.chain, ...fetched], trust, now).map(({ subject }) => subject),
    };
  };

  test.each([
    ["DER", (made: TestCertificate) => made.der],
    ["PEM", (made: TestCertificate) => Buffer.from(made.pem)],
    ["a bundle", (made: TestCertificate) => bundle(made.der, made.der)],
  ])("are fetched as %s and complete the expected chain", async (_what, write) => {
    const path = newPath();
    files.files.set(path, write(authority.intermediate));
    const leaf = await authority.leaf({ issuerUrl: files.url(path) });
    const missing = { subject: "CN=Test Intermediate", sha256: parseCertificate(authority.intermediate.der).sha256 };
    expect(await mended([leaf])).toMatchObject({
      fetched: ["CN=Test Intermediate"],
      findings: [{ code: "chain_incomplete", severity: "critical", evidence: { certain: true, missing: [missing] } }],
      expected: ["CN=good.test", "CN=Test Intermediate"],
    });
  });

  test("are fetched step by step, up to an untrusted root", async () => {
    const [first, second] = [newPath(), newPath()];
    const own = await makeAuthority("Far", { issuerUrl: files.url(second) });
    files.files.set(first, own.intermediate.der);
    files.files.set(second, own.root.der);
    const leaf = await own.leaf({ issuerUrl: files.url(first) });
    expect(await mended([leaf])).toMatchObject({
      fetched: ["CN=Far Intermediate", "CN=Far Root"],
      findings: [
        { code: "chain_incomplete", evidence: { missing: [{ subject: "CN=Far Intermediate" }] } },
        {
          code: "untrusted_root",
          evidence: { subject: "CN=Far Root", sha256: parseCertificate(own.root.der).sha256, served: false },
        },
      ],
      expected: [],
    });
    // With the intermediate served, only the root is missing, which servers should not send.
    expect(await mended([leaf, own.intermediate])).toMatchObject({ findings: [{ code: "untrusted_root" }] });
  });

  test("are found among known certificates, without their URL", async () => {
    const { intermediate, root } = authority;
    expect(await mended([await authority.leaf()], [intermediate])).toMatchObject({
      fetched: ["CN=Test Intermediate"],
      findings: [{ code: "chain_incomplete", severity: "critical", evidence: { certain: true, issuer_urls: [] } }],
      expected: ["CN=good.test", "CN=Test Intermediate"],
    });
    const path = newPath();
    await mended([await authority.leaf({ issuerUrl: files.url(path) })], [root, intermediate]);
    expect(files.asked).not.toContain(path);
    const own = await makeAuthority("Strange");
    expect(await mended([await own.leaf()], [own.intermediate, own.root])).toMatchObject({
      fetched: ["CN=Strange Intermediate", "CN=Strange Root"],
      findings: [{ code: "chain_incomplete" }, { code: "untrusted_root", evidence: { subject: "CN=Strange Root" } }],
    });
  });

  test("are those that another address serves with the same certificate", async () => {
    const path = newPath();
    files.files.set(path, await makeCrl({ issuer: authority.intermediate }));
    const leaf = await authority.leaf({ crlUrls: [files.url(path)] });
    const [whole, alone] = [observe([leaf, authority.intermediate]), observe([leaf])];
    for (const observations of [[...whole, ...alone] as const, [...alone, ...whole] as const]) {
      const sources = makeIssuerSources(() => ({ allowedNetworks: LOOPBACK }));
      const learnt = await fetchMissingIssuers(observations, trust, sources);
      expect(judge(observations, { ...plainExpectation(trust), ...learnt })).toMatchObject([
        { code: "chain_incomplete", severity: "critical", evidence: { certain: true } },
      ]);
    }
  });

  test("are fetched if those known have another key or have expired", async () => {
    const path = newPath();
    const { root, intermediate } = authority;
    files.files.set(path, intermediate.der);
    const forged = (await makeAuthority("Test")).intermediate;
    const { name } = intermediate;
    const expired = await makeCertificate({
      name,
      ca: true,
      issuer: root,
      keysOf: intermediate,
      fromDays: -9,
      untilDays: -1,
    });
    const leaf = await authority.leaf({ issuerUrl: files.url(path) });
    expect(await mended([leaf], [forged, expired])).toMatchObject({ fetched: ["CN=Test Intermediate"] });
    expect(files.asked).toContain(path);
    expect(await mended([await authority.leaf()], [forged, expired])).toMatchObject({
      fetched: [],
      findings: [{ code: "chain_incomplete", severity: "info" }, { code: "untrusted_root" }],
    });
  });

  test("are fetched before an untrusted root at hand is taken for the end", async () => {
    const path = newPath();
    const own = await makeAuthority("Crossed", { issuerUrl: files.url(path) });
    const chain = [await own.leaf(), own.intermediate];
    const { root } = own;
    expect(await mended(chain, [root])).toMatchObject({
      fetched: ["CN=Crossed Root"],
      findings: [{ code: "untrusted_root", evidence: { sha256: parseCertificate(root.der).sha256 } }],
      expected: [],
    });
    const cross = await makeCertificate({ name: root.name, ca: true, issuer: authority.root, keysOf: root });
    const trusted = {
      fetched: ["CN=Crossed Root"],
      findings: [{ code: "chain_incomplete", severity: "critical", evidence: { certain: true } }],
      expected: ["CN=good.test", "CN=Crossed Intermediate", "CN=Crossed Root"],
    };
    expect(await mended(chain, [root, cross])).toMatchObject(trusted);
    files.files.set(path, cross.der);
    expect(await mended(chain, [root])).toMatchObject(trusted);
  });

  test("stay missing if the URL has another certificate or nothing", async () => {
    const path = newPath();
    const leaf = await authority.leaf({ issuerUrl: files.url(path) });
    const gap = { fetched: [], findings: [{ code: "chain_incomplete", evidence: { certain: true } }], expected: [] };
    expect(await mended([leaf])).toMatchObject(gap);
    files.files.set(path, (await makeAuthority("Test")).intermediate.der);
    expect(await mended([leaf])).toMatchObject(gap);
    expect(() => parseIssuers(Buffer.from("<html>"))).toThrow();
  });
});
