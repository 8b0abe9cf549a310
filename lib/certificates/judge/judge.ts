import { type Finding, type FindingCode, found, severities } from "@/lib/certificates/findings";
import { judgeCaa, type KnownCaa } from "@/lib/certificates/issuance/judge-caa";
import { judgeMoved, type KnownWindow } from "@/lib/certificates/issuance/renewal-window";
import { type Chain, examineChain } from "@/lib/certificates/judge/chain";
import { coversHost } from "@/lib/certificates/judge/hostname";
import { judgeIssuers, judgeServedSet, judgeTrust, judgeValidity } from "@/lib/certificates/judge/judge-chain";
import { judgeDistrust } from "@/lib/certificates/judge/judge-distrust";
import { type Expectations, judgeExpectations } from "@/lib/certificates/judge/judge-expectations";
import { judgeChange, judgeRenewal, type Newer, type Previous } from "@/lib/certificates/judge/judge-renewal";
import { judgeRevocation, type Revocation } from "@/lib/certificates/judge/judge-revocation";
import { judgeRules } from "@/lib/certificates/judge/judge-rules";
import { judgeStaple, type Staple, stapledStatus } from "@/lib/certificates/judge/judge-staple";
import { judgeStrength } from "@/lib/certificates/judge/judge-strength";
import { judgeUsage } from "@/lib/certificates/judge/judge-usage";
import { identify } from "@/lib/certificates/judge/path";
import type { Failed, Observation, Observations, Served } from "@/lib/certificates/probe/observation";
import type { Protocol } from "@/lib/certificates/targets";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import type { Certificate } from "@/lib/certificates/x509/x509";

/** The input for judging a check. */
export interface Expectation extends Expectations {
  /** The name or address that clients connect to and the certificate must cover. */
  name: string;
  protocol: Protocol;
  trust: TrustStore;
  now: Date;
  /** The leaf that was served before; null if there was none. */
  previous: Previous | null;
  /** Certificates that should replace served ones, by the SHA-256 of these; undefined if this was not queried. */
  newer: ReadonlyMap<string, Newer> | undefined;
  /** When its authority suggests renewing a certificate; null if that is not known. */
  renewal: KnownWindow | null;
  /** Who may issue for the names of a certificate; null if that is not known. */
  caa: KnownCaa | null;
  /** Issuers that were known or fetched, but not served. */
  fetched: readonly Certificate[];
  /** The revocation status of the certificates in the path. */
  revocation: readonly Revocation[];
  /** The evidence of the open finding that one of them is revoked; null if there is none. */
  revokedBefore: Finding["evidence"] | null;
  refusals: readonly Refusal[];
  staples: readonly Staple[];
}

/** Why OpenSSL refuses the path of an observed chain, in its words. */
export interface Refusal {
  /** The same object as in the observation: another address may serve the same leaf with other issuers. */
  chain: Served["chain"];
  reason: string;
}

/** Maximum number of names in evidence. */
const MAX_NAMES = 50;
const LEGACY_PROTOCOLS = new Set(["SSLv3", "TLSv1", "TLSv1.1"]);

/** A name that resolves into a forbidden network is `unreachable`, because its addresses may change. */
function judgeFailure({ failure, address, addresses }: Failed, protocol: Protocol): Finding {
  const { kind, reason, detail } = failure;
  const seen = { reason, detail, address, addresses: [...addresses].sort() };
  if (kind === "starttls_unsupported") return found(kind, "critical", { protocol, ...seen });
  return found(kind === "forbidden_address" ? "unreachable" : kind, "critical", seen);
}

function judgeName(leaf: Certificate, name: string): Finding | null {
  const names = leaf.sans.filter(({ type }) => type === "dns" || type === "ip").map(({ value }) => value);
  if (names.length === 0) return found("san_missing", "critical", { expected: name, common_name: leaf.commonName });
  if (coversHost(leaf.sans, name)) return null;
  return found("hostname_mismatch", "critical", {
    expected: name,
    names: names.slice(0, MAX_NAMES),
    names_total: names.length,
  });
}

/** Whether the server signs the handshake: always, except with RSA key exchange, whose OpenSSL names have no key exchange. */
function signsHandshake(cipher: string | null): boolean {
  return cipher === null || /^(TLS_|ECDHE-|DHE-)/.test(cipher);
}

/** The served chain, and the same chain with the fetched issuers. */
function examine({ chain }: Served, { trust, now, fetched }: Expectation): { served: Chain; mended: Chain } {
  const served = examineChain(chain, trust, now);
  const isWhole = fetched.length === 0 || served.end !== "issuer_missing";
  return { served, mended: isWhole ? served : examineChain([...chain, ...fetched], trust, now) };
}

/** What we know OpenSSL to refuse a path for, if critical. */
const EXPLAINS_REFUSAL = new Set<FindingCode>([
  ...(["expired", "not_yet_valid", "chain_incomplete", "untrusted_root", "self_signed"] as const),
  ...(["not_for_servers", "wrong_key_usage", "issuer_not_ca", "name_not_permitted", "path_too_long"] as const),
  ...(["unknown_critical_extension", "invalid_certificate", "weak_key", "weak_signature"] as const),
]);

/** A refusal that no other finding explains. */
function judgeRefusal({ chain }: Served, refusals: readonly Refusal[], findings: readonly Finding[]): Finding[] {
  const refusal = refusals.find((each) => each.chain === chain);
  const isExplained = findings.some(({ code, severity }) => severity === "critical" && EXPLAINS_REFUSAL.has(code));
  if (refusal === undefined || isExplained) return [];
  return [found("path_refused", "critical", { ...identify(chain[0]), reason: refusal.reason })];
}

function judgeServed(observation: Served, expectation: Expectation): Finding[] {
  const { name, trust, now, previous, revocation, pins } = expectation;
  const [leaf] = observation.chain;
  const newer = expectation.newer && (expectation.newer.get(leaf.sha256) ?? null);
  const { served, mended } = examine(observation, expectation);
  const renewal = expectation.renewal?.sha256 === leaf.sha256 ? expectation.renewal : null;
  const verdict = expectation.staples.find(({ chain }) => chain === observation.chain)?.verdict;
  const checks = [
    judgeValidity(served, now),
    judgeRenewal(leaf, newer, renewal, now),
    judgeMoved(leaf, renewal, now),
    ...judgeCaa(leaf, expectation.caa, now),
    ...judgeRevocation(mended, [...revocation, ...stapledStatus(leaf, verdict)], expectation.revokedBefore),
    judgeStaple(leaf, verdict),
    ...judgeTrust(served, mended),
    judgeDistrust(mended, trust),
    ...judgeServedSet(served, observation.chain),
    judgeIssuers(served, observation.chain, trust, now),
    judgeName(leaf, name),
    ...judgeUsage(served, signsHandshake(observation.cipher)),
    ...judgeRules(served),
    ...judgeStrength(served),
    LEGACY_PROTOCOLS.has(observation.protocol ?? "")
      ? found("legacy_protocol", "warning", { protocol: observation.protocol, cipher: observation.cipher })
      : null,
    ...judgeExpectations(mended, expectation, trust),
    ...judgeChange(leaf, previous, pins.length > 0, now),
  ];
  const findings = checks.filter((check) => check !== null);
  return [...findings, ...judgeRefusal(observation, expectation.refusals, findings)];
}

/** Addresses of one name with different results. Ignores those to which this machine has no route, and `unconfirmed` failures. */
function judgeDivergence(observations: Observations, unconfirmed: readonly Observation[]): Finding | null {
  const counted = observations.filter((observation) => !unconfirmed.includes(observation));
  const seen = counted.map((observation) => {
    const { address } = observation;
    if (observation.outcome === "failed") {
      return { address, sha256: null, not_after: null, reason: observation.failure.reason };
    }
    const [leaf] = observation.chain;
    return { address, sha256: leaf.sha256, not_after: leaf.notAfter.toISOString(), reason: null };
  });
  const comparable = seen.filter(({ reason }) => reason !== "no_route");
  if (new Set(comparable.map(({ sha256 }) => sha256)).size < 2) return null;
  const addresses = comparable.sort((a, b) => (String(a.address) < String(b.address) ? -1 : 1));
  return found("address_divergence", "warning", { addresses });
}

/** One finding per code: the most severe, with the addresses it was found at unless it was found at all. */
function merge(lists: readonly { address: string | null; findings: Finding[] }[]): Finding[] {
  const merged = new Map<string, { finding: Finding; addresses: (string | null)[] }>();
  for (const { address, findings } of lists) {
    for (const finding of findings) {
      const known = merged.get(finding.code);
      const isMoreSevere =
        known === undefined || severities.indexOf(finding.severity) > severities.indexOf(known.finding.severity);
      merged.set(finding.code, {
        finding: isMoreSevere ? finding : known.finding,
        addresses: [...(known?.addresses ?? []), address],
      });
    }
  }
  return [...merged.values()].map(({ finding, addresses }) => {
    if (addresses.length === lists.length) return finding;
    return { ...finding, evidence: { ...finding.evidence, seen_at: addresses.toSorted() } };
  });
}

/**
 * The observation that represents the check: the first that saw the certificate `sha256`, so that addresses with different ones do not
 * change it, otherwise the first that saw any, otherwise the first.
 */
export function primary(observations: Observations, sha256?: string): Observation {
  const served = observations.filter((each) => each.outcome === "served");
  return served.find(({ chain }) => chain[0].sha256 === sha256) ?? served[0] ?? observations[0];
}

/**
 * All findings of a check, one per code. Pure: time, trust and other knowledge are arguments. `unconfirmed` are failures of single
 * addresses that the check before did not have.
 */
export function judge(
  observations: Observations,
  expectation: Expectation,
  unconfirmed: readonly Observation[] = [],
): Finding[] {
  const served = observations.filter((observation) => observation.outcome === "served");
  if (served.length === 0) {
    const failed = observations
      .filter((observation) => observation.outcome === "failed")
      // The first of a code becomes the evidence: any other failure says more than a missing route, which is usual for IPv6.
      .toSorted((a, b) => Number(a.failure.reason === "no_route") - Number(b.failure.reason === "no_route"));
    return merge(
      failed.map((each) => ({ address: each.address, findings: [judgeFailure(each, expectation.protocol)] })),
    );
  }
  const divergence = judgeDivergence(observations, unconfirmed);
  const findings = merge(served.map((each) => ({ address: each.address, findings: judgeServed(each, expectation) })));
  return divergence === null ? findings : [...findings, divergence];
}
