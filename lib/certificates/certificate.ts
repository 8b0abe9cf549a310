import type * as contract from "@/lib/certificates/contract";
import { daysLeft, lifetimeLeftShare } from "@/lib/certificates/lifetime";
import type { Certificate as Row } from "@/lib/db/generated/app/client";
import { visible } from "@/lib/text/visible";

/** The columns of a certificate's summary: its row without the DER, which lists do not read, and without sort keys. */
export type CertificateRow = Omit<Row, "der" | "organizationId" | "nameKey">;

/** The columns of `CertificateRow`, for Prisma. */
export const certificateColumns = {
  id: true,
  sha256: true,
  subject: true,
  commonName: true,
  issuer: true,
  serialNumber: true,
  sans: true,
  notBefore: true,
  notAfter: true,
  keyType: true,
  keyBits: true,
  signatureAlgorithm: true,
  isCa: true,
  servedFirst: true,
  firstSeenAt: true,
  publicKeySha256: true,
  addedAt: true,
  obtainedAt: true,
  keyUsages: true,
  extendedKeyUsages: true,
  isUsageKnown: true,
} as const;

/** A certificate as the contract shows it. */
export function toCertificateSummary(row: CertificateRow): contract.CertificateSummary {
  const now = new Date();
  return {
    id: row.id,
    // Certificates read before these controls were escaped on reading.
    subject: visible(row.subject),
    common_name: row.commonName && visible(row.commonName),
    sans: row.sans,
    issuer: visible(row.issuer),
    serial_number: row.serialNumber,
    sha256: Buffer.from(row.sha256).toString("hex"),
    not_before: row.notBefore.toISOString(),
    not_after: row.notAfter.toISOString(),
    days_left: Math.floor(daysLeft(row, now)),
    lifetime_left_share: Math.round(lifetimeLeftShare(row, now) * 10_000) / 10_000,
    key_type: row.keyType,
    key_bits: row.keyBits,
    signature_algorithm: row.signatureAlgorithm,
    is_ca: row.isCa,
    public_key_sha256: row.publicKeySha256 === null ? null : Buffer.from(row.publicKeySha256).toString("hex"),
    first_seen_at: row.firstSeenAt.toISOString(),
    added_at: row.addedAt?.toISOString() ?? null,
    obtained_at: row.obtainedAt?.toISOString() ?? null,
    key_usages: row.isUsageKnown ? row.keyUsages : null,
    extended_key_usages: row.isUsageKnown ? row.extendedKeyUsages : null,
  };
}
