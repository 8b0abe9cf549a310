import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainExpectation } from "@/e2e/support/judged";
import { makeOcspResponse, type OcspResponseOptions } from "@/e2e/support/stand-ins/ocsp";
import {
  type Authority,
  type CertificateOptions,
  makeAuthority,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { fetchMissingIssuers, makeIssuerSources } from "@/lib/certificates/check/fetch-missing-issuers";
import { judge } from "@/lib/certificates/judge/judge";
import { probe } from "@/lib/certificates/probe/probe";
import { makeTrustStore, type TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { parseNetwork } from "@/lib/networks";

// Servers that staple OCSP responses, probed and judged.

const LOOPBACK = [parseNetwork("127.0.0.0/8")];
const MUST_STAPLE = { extensions: [{ oid: "1.3.6.1.5.5.7.1.24", hex: "3003020105" }] };
const RESPONDER = { ocspUrl: "http://ocsp.test" };
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

type StapleOptions = Partial<OcspResponseOptions> | Buffer | null;

/** The findings of a server with such a certificate and staple. */
async function see(
  overrides: Partial<CertificateOptions>,
  staple: StapleOptions,
  options = {},
  served: TestCertificate[] = [authority.intermediate],
) {
  const leaf = await authority.leaf(overrides);
  const response =
    staple === null || Buffer.isBuffer(staple)
      ? (staple ?? undefined)
      : makeOcspResponse({ about: leaf, issuer: authority.intermediate, ...staple });
  const testServer = await serveTls([leaf, ...served], options, "127.0.0.1", response);
  testServers.push(testServer);
  const target = { host: "good.test", port: testServer.port, protocol: "tls", sni: null, connectTo: null } as const;
  const observations = await probe(
    { ...target, addressMode: "one" },
    { allowedNetworks: LOOPBACK, resolve: async () => ["127.0.0.1"] },
  );
  const sources = makeIssuerSources(() => ({ allowedNetworks: LOOPBACK }));
  const learnt = await fetchMissingIssuers(observations, trust, sources);
  return judge(observations, { ...plainExpectation(trust), ...learnt });
}

describe.each(["TLSv1.2", "TLSv1.3"] as const)("in %s", (version) => {
  const only = { minVersion: version, maxVersion: version };

  test("a stapled revocation is critical", async () => {
    expect(await see(RESPONDER, { status: "revoked" }, only)).toMatchObject([
      {
        code: "revoked",
        severity: "critical",
        evidence: { subject: "CN=good.test", reason: "key_compromise", crl_url: null, source: "ocsp_staple" },
      },
    ]);
  });

  test("a staple that clears the certificate answers what only OCSP can", async () => {
    expect(await see(RESPONDER, null, only)).toMatchObject([
      { code: "revocation_unknown", severity: "info", evidence: { reason: "ocsp_only" } },
    ]);
    expect(await see(RESPONDER, {}, only)).toEqual([]);
    expect(await see({ ...RESPONDER, ...MUST_STAPLE }, {}, only)).toEqual([]);
  });
});

test("a certificate that requires a staple needs one", async () => {
  expect(await see({}, null)).toEqual([]);
  expect(await see(MUST_STAPLE, null)).toMatchObject([
    { code: "ocsp_staple_missing", severity: "warning", evidence: { subject: "CN=good.test", ocsp_named: false } },
  ]);
});

test.each<[string, StapleOptions, string]>([
  ["an old one", { fromHours: -48, untilHours: -24 }, "outdated"],
  ["one of tomorrow", { fromHours: 24, untilHours: 48 }, "not_yet_valid"],
  ["one about a certificate that the responder does not know", { status: "unknown" }, "unknown_certificate"],
  ["a refusal", Buffer.from("30030a0106", "hex"), "responder_error"],
  ["something else", Buffer.from("<html>"), "malformed"],
])("an invalid staple is reported: %s", async (_, staple, reason) => {
  expect(await see({}, staple)).toMatchObject([
    { code: "ocsp_staple_invalid", severity: "warning", evidence: { reason, must_staple: false } },
  ]);
});

test("a staple about another certificate, or signed by another, is a finding", async () => {
  const other = await makeAuthority("Test");
  const forged = { ...authority.intermediate, keyPem: other.intermediate.keyPem };
  expect(await see({}, { about: await authority.leaf() })).toMatchObject([
    { evidence: { reason: "other_certificate" } },
  ]);
  expect(await see(MUST_STAPLE, { issuer: forged, status: "revoked" })).toMatchObject([
    { code: "ocsp_staple_invalid", evidence: { reason: "bad_signature", must_staple: true } },
  ]);
});

test("a staple of an unknown issuer is neither trusted nor a finding", async () => {
  const findings = await see({}, { status: "revoked" }, {}, []);
  expect(findings.map(({ code }) => code).sort()).toEqual(["chain_incomplete", "untrusted_root"]);
});
