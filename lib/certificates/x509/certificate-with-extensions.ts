import { type CertificateRow, toCertificateSummary } from "@/lib/certificates/certificate";
import type * as contract from "@/lib/certificates/contract";
import { readDetails } from "@/lib/certificates/x509/details";
import { MalformedCertificate, parseCertificate } from "@/lib/certificates/x509/x509";

/** The fields that only the DER has; null if this release is too strict to parse it, unlike the one that stored it. */
function readExtensions(der: Uint8Array): Pick<contract.CertificateWithExtensions, "extensions"> {
  try {
    const certificate = parseCertificate(der);
    const { policies, timestamps, subjectKeyId, authorityKeyId } = readDetails(certificate);
    return {
      extensions: {
        path_length: certificate.usage.basicConstraints?.pathLength ?? null,
        must_staple: certificate.usage.mustStaple,
        policies,
        subject_key_id: subjectKeyId,
        authority_key_id: authorityKeyId,
        timestamps: timestamps.map(({ logId, loggedAt }) => ({ log_id: logId, logged_at: loggedAt.toISOString() })),
      },
    };
  } catch (error) {
    if (error instanceof MalformedCertificate) return { extensions: null };
    throw error;
  }
}

/** A certificate as the contract shows it in detail. */
export function toCertificateWithExtensions(
  row: CertificateRow & { der: Uint8Array },
): contract.CertificateWithExtensions {
  return { ...toCertificateSummary(row), ...readExtensions(row.der) };
}
