import { type Finding, found, mostSevereByCode } from "@/lib/certificates/findings";
import type { TlsScan, WeakFamily } from "@/lib/certificates/scan-contract";

/** A scan as stored. */
export interface StoredScan {
  shown: TlsScan;
  /** What was found of each of its certificates, by SHA-256. */
  findings: Record<string, Finding[]>;
}

const LEGACY = new Set<string>(["TLSv1.1", "TLSv1", "SSLv3"]);
/** Ciphers without authentication or encryption; the others can be broken with effort. */
const BROKEN = new Set<string>(["anonymous", "null", "export"] satisfies WeakFamily[]);

function judgeCiphers({ address, ...taken }: TlsScan): Finding | null {
  const weak = [
    ...taken.weak_ciphers,
    ...(taken.forward_secrecy ? [] : ["no_forward_secrecy"]),
    ...(taken.authenticated_encryption ? [] : ["no_authenticated_encryption"]),
  ];
  if (weak.length === 0) return null;
  return found("weak_cipher", weak.some((family) => BROKEN.has(family)) ? "critical" : "warning", { address, weak });
}

/** Two certificates for one key type come from two servers: clients cannot choose between them. */
function judgeTurns({ address, certificates }: TlsScan): Finding | null {
  const types = certificates.map(({ key_type }) => key_type);
  if (new Set(types).size === types.length) return null;
  const taking = certificates.filter(({ key_type }) => types.indexOf(key_type) !== types.lastIndexOf(key_type));
  return found("certificates_alternate", "warning", {
    address,
    certificates: taking.map(({ id, sha256, not_after }) => ({ id, sha256, not_after })),
  });
}

function judgeProtocols({ address, protocols }: TlsScan): Finding | null {
  const legacy = protocols.filter((protocol) => LEGACY.has(protocol));
  return legacy.length === 0 ? null : found("legacy_protocol", "warning", { address, protocols: legacy });
}

/**
 * The findings of a check that saw the certificate `sha256`, with those of the last scan. A scan that did not see it is from before
 * the certificate changed: then it says nothing about certificates.
 */
export function withScan(findings: Finding[], scan: StoredScan | null, sha256: string): Finding[] {
  if (scan === null) return findings;
  const { shown } = scan;
  const isCurrent = sha256 in scan.findings;
  const others = shown.certificates.flatMap(({ sha256: other, key_type }) => {
    const about = { other_certificate: { sha256: other, key_type } };
    const each = other === sha256 ? [] : (scan.findings[other] ?? []);
    return each.map((finding) => ({ ...finding, evidence: { ...finding.evidence, ...about } }));
  });
  const further = [judgeProtocols(shown), judgeCiphers(shown), isCurrent ? judgeTurns(shown) : null];
  return mostSevereByCode([...findings, ...further.filter((each) => each !== null), ...(isCurrent ? others : [])]);
}
