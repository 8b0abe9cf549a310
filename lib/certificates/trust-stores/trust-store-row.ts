import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import type * as contract from "@/lib/certificates/trust-stores/trust-store-contract";
import { derBlocks, parseReadable } from "@/lib/certificates/x509/x509";
import { db } from "@/lib/db/app";
import type { CertificateTrustStore as Row } from "@/lib/db/generated/app/client";
import { notFound } from "@/lib/http/errors";

/** A trust store's row with the number of endpoints and of monitors that use it. */
type TrustStoreRow = Row & { _count: { endpoints: number; monitors: number } };

/** The relations of `TrustStoreRow`, for Prisma. */
export const trustStoreRelations = { _count: { select: { endpoints: true, monitors: true } } } as const;

/** A trust store as the contract shows it. */
export function toTrustStore(row: TrustStoreRow): contract.TrustStore {
  return {
    id: row.id,
    name: row.name,
    is_default: row.isDefault,
    certificates: parseReadable(derBlocks(row.pem)).map(({ subject, sha256, notBefore, notAfter }) => ({
      subject,
      sha256,
      not_before: notBefore.toISOString(),
      not_after: notAfter.toISOString(),
    })),
    endpoint_count: row._count.endpoints,
    monitor_count: row._count.monitors,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The fields of a trust store whose changes are recorded, with the fingerprints of its certificates. */
export function recordedTrustStore({ name, pem, isDefault }: Pick<Row, "name" | "pem" | "isDefault">): RecordedFields {
  return { name, is_default: isDefault, certificates: parseReadable(derBlocks(pem)).map(({ sha256 }) => sha256) };
}

/** One trust store with its PEM. Throws 404. */
export async function readTrustStore(organizationId: string, id: string): Promise<contract.TrustStoreDetail> {
  const row = await db().certificateTrustStore.findUnique({
    where: { organizationId_id: { organizationId, id } },
    include: trustStoreRelations,
  });
  if (row === null) throw notFound();
  return { ...toTrustStore(row), pem: row.pem };
}
