import type { SuiteCase } from "@/e2e/certificates/suites/read-suites";
import { findRefusals } from "@/lib/certificates/check/second-opinion";
import { type FindingCode, severities } from "@/lib/certificates/findings";
import { examineChain } from "@/lib/certificates/judge/chain";
import { judge } from "@/lib/certificates/judge/judge";
import type { Revocation } from "@/lib/certificates/judge/judge-revocation";
import type { Observations } from "@/lib/certificates/probe/observation";
import { type Crl, parseCrl } from "@/lib/certificates/revocation/crl";
import { judgeCrl } from "@/lib/certificates/revocation/look-up";
import { makeTrustStore } from "@/lib/certificates/trust-stores/trust-store";
import { MalformedCertificate, parsePem } from "@/lib/certificates/x509/x509";

/** What Sealwatch says of a case. */
export interface Verdict {
  /** Without a critical finding; null if it has no opinion, because no client could be served this. */
  isFine: boolean | null;
  /** Critical findings, or the reason why there is no opinion. */
  codes: (FindingCode | "malformed")[];
  /** Findings that are less severe. */
  lesser: FindingCode[];
}

function readCrls(pems: readonly string[]): Crl[] {
  return pems.flatMap((pem) => {
    const base64 = pem.replace(/-----[^-]+-----|\s/g, "");
    try {
      return [parseCrl(Buffer.from(base64, "base64"))];
    } catch {
      return [];
    }
  });
}

/** Judges a case as a check of a server would that serves it. */
export async function verdictOn({ name, at, roots, served, crls }: SuiteCase): Promise<Verdict> {
  try {
    const trust = makeTrustStore(roots.join("\n"));
    const [leaf, ...issuers] = parsePem(served.join("\n"));
    if (leaf === undefined) return { isFine: null, codes: ["malformed"], lesser: [] };
    const observations: Observations = [
      {
        ...{ outcome: "served", observedAt: at, addresses: ["192.0.2.1"], address: "192.0.2.1" },
        ...{ timings: { dnsMs: 1, connectMs: 1, tlsMs: 1 }, protocol: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256" },
        ...{ chain: [leaf, ...issuers], staple: null },
      },
    ];
    const { path } = examineChain([leaf, ...issuers], trust, at);
    const lists = readCrls(crls);
    const revocation = path.slice(0, -1).flatMap((certificate, index): Revocation[] => {
      const issuer = path[index + 1];
      if (issuer === undefined) return [];
      return lists.map((crl) => ({ certificate, url: null, ...judgeCrl(crl, certificate, issuer, at) }));
    });
    const findings = judge(observations, {
      ...{
        name: name ?? "",
        protocol: "tls",
        trust,
        now: at,
        previous: null,
        newer: new Map(),
        renewal: null,
        caa: null,
        fetched: [],
        revocation,
        revokedBefore: null,
        staples: [],
      },
      ...{ refusals: await findRefusals(observations, trust), expectedIssuers: [], pins: [], maxLifetimeDays: null },
    });
    const isCritical = (severity: string) => severity === severities.at(-1);
    const codes = findings.filter(({ severity }) => isCritical(severity)).map(({ code }) => code);
    const lesser = findings.filter(({ severity }) => !isCritical(severity)).map(({ code }) => code);
    return { isFine: codes.length === 0, codes, lesser };
  } catch (error) {
    if (error instanceof MalformedCertificate) return { isFine: false, codes: ["malformed"], lesser: [] };
    throw error;
  }
}
