import type { TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { Finding } from "@/lib/certificates/findings";
import { type Expectation, judge } from "@/lib/certificates/judge/judge";
import { makeTrustStore, type TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509/x509";

/** What a check of `good.test` expects if nobody has configured anything. */
export function plainExpectation(trust: TrustStore): Expectation {
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
  };
}

/** What a check of a server with this chain finds. */
export function judged(
  chain: readonly TestCertificate[],
  anchor: Pick<TestCertificate, "pem">,
  { cipher = "TLS_AES_128_GCM_SHA256" }: { cipher?: string | null } = {},
): Finding[] {
  const [leaf, ...issuers] = chain.map(({ der }) => parseCertificate(der));
  if (leaf === undefined) throw new Error("no certificate");
  const served: [Certificate, ...Certificate[]] = [leaf, ...issuers];
  const timings = { dnsMs: null, connectMs: null, tlsMs: null };
  const seen = {
    observedAt: new Date(),
    addresses: [],
    address: null,
    timings,
    protocol: null,
    cipher,
    chain: served,
    staple: undefined,
  };
  return judge([{ outcome: "served", ...seen }], plainExpectation(makeTrustStore(anchor.pem)));
}
