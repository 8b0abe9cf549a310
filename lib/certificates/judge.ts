import { type Chain, examineChain } from "@/lib/certificates/chain";
import type { Finding, FindingCode, Severity } from "@/lib/certificates/findings";
import { coversHost } from "@/lib/certificates/hostname";
import { expiryWarning } from "@/lib/certificates/lifetime";
import type { Failed, Observation, Served } from "@/lib/certificates/observation";
import type { TrustStore } from "@/lib/certificates/trust-store";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509";

/** What an observation is held against. */
export interface Expectation {
  /** The name or address that clients ask for and the certificate has to cover. */
  name: string;
  trust: TrustStore;
  now: Date;
  /** The leaf that was seen before this one; null when there was none. */
  previousSha256: string | null;
}

const DAY_MS = 86_400_000;
/** More names than this in evidence help nobody. */
const MOST_NAMES = 50;
/** NIST SP 800-57: less than 112 bits of security; OpenSSL refuses them at its usual level 2. DSA is out of use altogether. */
const LEAST_BITS: Record<string, number> = { rsa: 2048, "rsa-pss": 2048, ec: 224, dsa: Number.POSITIVE_INFINITY };
const BROKEN_DIGESTS = new Set<string | null>(["MD2", "MD4", "MD5", "SHA-1"]);
const LEGACY_PROTOCOLS = new Set(["SSLv3", "TLSv1", "TLSv1.1"]);

type Check = Finding | null;

function found(code: FindingCode, severity: Severity, evidence: Finding["evidence"]): Finding {
  return { code, severity, evidence };
}

function identify({ subject, sha256 }: Certificate) {
  return { subject, sha256 };
}

/** A name that resolves into a forbidden network is `unreachable`: it is a state of the world, and may change. */
function judgeFailure({ failure, address, addresses }: Failed): Finding {
  const code = failure.kind === "forbidden_address" ? "unreachable" : failure.kind;
  const { reason, detail } = failure;
  return found(code, "critical", { reason, detail, address, addresses: [...addresses].sort() });
}

function judgeValidity({ path }: Chain, now: Date): Check {
  const expired = path.find(({ notAfter }) => notAfter < now);
  if (expired) return found("expired", "critical", { ...identify(expired), not_after: expired.notAfter.toISOString() });
  const early = path.find(({ notBefore }) => notBefore > now);
  if (early)
    return found("not_yet_valid", "critical", { ...identify(early), not_before: early.notBefore.toISOString() });
  const [leaf] = path;
  const warning = leaf ? expiryWarning(leaf, now) : null;
  if (!leaf || !warning) return null;
  const lifetime = (leaf.notAfter.getTime() - leaf.notBefore.getTime()) / DAY_MS;
  return found("expires_soon", warning.severity, {
    not_before: leaf.notBefore.toISOString(),
    not_after: leaf.notAfter.toISOString(),
    lifetime_days: Math.round(lifetime * 100) / 100,
    threshold_days: Math.round(warning.days * 100) / 100,
  });
}

/**
 * A path that stops at a missing issuer is either a gap in what is served or a private root rightly left out. Where the last
 * certificate tells where to fetch its issuer, it is a gap; a lone leaf that does not tell may be either, and both are said.
 */
function judgeTrust({ path, end }: Chain): Finding[] {
  const [leaf] = path;
  const last = path.at(-1);
  if (end === "trusted" || !leaf || !last) return [];
  if (end === "self_signed") {
    const code = last === leaf ? "self_signed" : "untrusted_root";
    return [found(code, "critical", { ...identify(last), served: true })];
  }
  const gap = { missing_issuer: last.issuer, certificate: identify(last), issuer_urls: last.issuerUrls };
  if (last.issuerUrls.length > 0) return [found("chain_incomplete", "critical", { ...gap, certain: true })];
  const root = found("untrusted_root", "critical", { subject: last.issuer, sha256: null, served: false });
  return last === leaf ? [found("chain_incomplete", "info", { ...gap, certain: false }), root] : [root];
}

function judgeServedSet({ unrelated, repeated, misordered, path }: Chain, served: Certificate[]): Check[] {
  const extra = [
    ...unrelated.map((certificate) => ({ ...identify(certificate), why: "unrelated" })),
    ...repeated.map((certificate) => ({ ...identify(certificate), why: "repeated" })),
  ];
  const expected = path.filter(({ sha256 }) => served.some((certificate) => certificate.sha256 === sha256));
  return [
    misordered
      ? found("chain_misordered", "warning", { served: served.map(identify), expected: expected.map(identify) })
      : null,
    extra.length > 0 ? found("chain_extra", "info", { certificates: extra }) : null,
  ];
}

function judgeIntermediates({ path, end }: Chain, now: Date): Check {
  const [leaf, ...issuers] = path;
  const intermediates = end === "issuer_missing" ? issuers : issuers.slice(0, -1);
  const first = intermediates.toSorted((a, b) => a.notAfter.getTime() - b.notAfter.getTime())[0];
  if (!leaf || !first || first.notAfter >= leaf.notAfter || first.notAfter < now) return null;
  return found("intermediate_expires_first", expiryWarning(first, now)?.severity ?? "info", {
    ...identify(first),
    not_after: first.notAfter.toISOString(),
    leaf_not_after: leaf.notAfter.toISOString(),
  });
}

function judgeName(leaf: Certificate, name: string): Check {
  const names = leaf.sans.filter(({ type }) => type === "dns" || type === "ip").map(({ value }) => value);
  if (names.length === 0) return found("san_missing", "critical", { expected: name, common_name: leaf.commonName });
  if (coversHost(leaf.sans, name)) return null;
  return found("hostname_mismatch", "critical", {
    expected: name,
    names: names.slice(0, MOST_NAMES),
    names_total: names.length,
  });
}

/** The anchor is left out: it is believed for what it is, and its own signature proves nothing. */
function judgeStrength({ path, end }: Chain): Check[] {
  const checked = end === "trusted" ? path.slice(0, Math.max(1, path.length - 1)) : path;
  const weakKey = checked.find(({ keyType, keyBits }) => keyBits !== null && keyBits < (LEAST_BITS[keyType] ?? 0));
  const signed = end === "self_signed" ? checked.slice(0, -1) : checked;
  const weakSignature = signed.find(({ signature }) => BROKEN_DIGESTS.has(signature.digest));
  return [
    weakKey
      ? found("weak_key", "critical", {
          ...identify(weakKey),
          key_type: weakKey.keyType,
          key_bits: weakKey.keyBits,
          least_bits: weakKey.keyType === "dsa" ? null : (LEAST_BITS[weakKey.keyType] ?? null),
        })
      : null,
    weakSignature
      ? found("weak_signature", "critical", {
          ...identify(weakSignature),
          signature_algorithm: weakSignature.signature.name,
          digest: weakSignature.signature.digest,
        })
      : null,
  ];
}

function judgeServed(observation: Served, { name, trust, now, previousSha256 }: Expectation): Check[] {
  const [der, ...others] = observation.chain;
  const leaf = parseCertificate(der);
  const served = [leaf, ...others.map(parseCertificate)] as [Certificate, ...Certificate[]];
  const chain = examineChain(served, trust, now);
  return [
    judgeValidity(chain, now),
    ...judgeTrust(chain),
    ...judgeServedSet(chain, served),
    judgeIntermediates(chain, now),
    judgeName(leaf, name),
    ...judgeStrength(chain),
    LEGACY_PROTOCOLS.has(observation.protocol)
      ? found("legacy_protocol", "warning", { protocol: observation.protocol, cipher: observation.cipher })
      : null,
    previousSha256 !== null && previousSha256 !== leaf.sha256
      ? found("certificate_changed", "info", { from: previousSha256, to: leaf.sha256 })
      : null,
  ];
}

/** Everything that one observation shows, each code at most once. Pure: time and trust are given. */
export function judge(observation: Observation, expectation: Expectation): Finding[] {
  if (observation.outcome === "failed") return [judgeFailure(observation)];
  return judgeServed(observation, expectation).filter((check) => check !== null);
}
