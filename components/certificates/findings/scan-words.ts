import { type Evidence, few, object, text, texts } from "@/components/certificates/findings/evidence";
import type { Words } from "@/components/certificates/findings/usage-words";
import { tlsVersionLabels, weakFamilyLabels } from "@/lib/certificates/scan-labels";

const labels: Record<string, string> = {
  ...{ ...tlsVersionLabels, ...weakFamilyLabels },
  no_forward_secrecy: "only without forward secrecy",
  no_authenticated_encryption: "only in CBC mode",
};
const labeled = (values: readonly string[]) => few(values.map((value) => labels[value] ?? value));

/** Findings about what a server accepts, in words, with their evidence. */
export const scanWords = {
  legacy_protocol: (evidence: Evidence): Words => ({
    says: text(evidence, "protocol")
      ? `It negotiates ${text(evidence, "protocol")} although newer versions are offered.`
      : `It still accepts ${labeled(texts(evidence, "protocols"))}.`,
    advice: "Enable TLS 1.2 and 1.3, and disable older versions.",
  }),
  weak_cipher: (evidence: Evidence): Words => ({
    says: `It accepts weak ciphers: ${labeled(texts(evidence, "weak"))}.`,
    advice: "Enable TLS 1.3 and ciphers with ECDHE and AES-GCM or ChaCha20-Poly1305, and disable these.",
  }),
};

/** The other certificate that a scan's finding is about; null if it is the endpoint's. */
export function otherCertificate(evidence: Evidence): string | null {
  const other = object(evidence, "other_certificate");
  if (text(other, "sha256") === "") return null;
  return `This is another certificate of the server: ${text(other, "sha256").slice(0, 12)}… (${text(other, "key_type").toUpperCase()} key).`;
}
