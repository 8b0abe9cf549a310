import { type Finding, found } from "@/lib/certificates/findings";
import { identify, type Path } from "@/lib/certificates/judge/path";

/** Smaller keys have less than 112 bits of security (NIST SP 800-57); OpenSSL rejects them at level 2. DSA is obsolete. */
const MIN_BITS: Record<string, number> = { rsa: 2048, "rsa-pss": 2048, ec: 224, dsa: Number.POSITIVE_INFINITY };
const BROKEN_DIGESTS = new Set<string | null>(["MD2", "MD4", "MD5", "SHA-1"]);

/** Checks every key, and every signature but that of the anchor, which is trusted by itself. */
export function judgeStrength({ path, end }: Path): Finding[] {
  const weakKey = path.find(({ keyType, keyBits }) => keyBits !== null && keyBits < (MIN_BITS[keyType] ?? 0));
  const isLeafAnchor = end === "trusted" && path.length === 1;
  const signed = end === "issuer_missing" || isLeafAnchor ? path : path.slice(0, -1);
  const weakSignature = signed.find(({ signature }) => BROKEN_DIGESTS.has(signature.digest));
  const findings = [
    weakKey
      ? found("weak_key", "critical", {
          ...identify(weakKey),
          key_type: weakKey.keyType,
          key_bits: weakKey.keyBits,
          least_bits: weakKey.keyType === "dsa" ? null : (MIN_BITS[weakKey.keyType] ?? null),
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
  return findings.filter((finding) => finding !== null);
}
