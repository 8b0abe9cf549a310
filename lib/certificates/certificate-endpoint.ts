import { notFound } from "@/lib/api/errors";
import { type CertificateRow, certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import type * as contract from "@/lib/certificates/contract";
import { type FindingCode, type Severity, severities } from "@/lib/certificates/findings";
import { db } from "@/lib/db/app";
import type { CertificateFinding, CertificateEndpoint as Row } from "@/lib/db/generated/app/client";

/** An endpoint's row with what its shape needs besides. */
export type EndpointRow = Row & { findings: CertificateFinding[]; certificate: CertificateRow | null };

/** The relations of `EndpointRow`, for Prisma. */
export const endpointRelations = {
  findings: { where: { closedAt: null } },
  certificate: { select: certificateColumns },
} as const;

function toFinding(row: CertificateFinding): contract.Finding {
  return {
    code: row.code as FindingCode,
    severity: row.severity as Severity,
    evidence: row.evidence as Record<string, unknown>,
    opened_at: row.openedAt.toISOString(),
  };
}

/** Gravest first; within a severity by code, so that the order is stable. */
export function byGravity<T extends { code: string; severity: Severity }>(a: T, b: T): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity) || a.code.localeCompare(b.code);
}

/** An endpoint as the contract shows it. */
export function toCertificateEndpoint(row: EndpointRow): contract.CertificateEndpoint {
  return {
    id: row.id,
    host: row.host,
    port: row.port,
    sni: row.sni === "" ? null : row.sni,
    status: row.status as contract.EndpointStatus,
    reachability: {
      state: row.reachability as contract.CertificateEndpoint["reachability"]["state"],
      since: row.reachabilitySince?.toISOString() ?? null,
    },
    findings: row.findings.map(toFinding).sort(byGravity),
    certificate: row.certificate === null ? null : toCertificateSummary(row.certificate),
    connection: row.connection as contract.CertificateEndpoint["connection"],
    last_checked_at: row.lastCheckedAt?.toISOString() ?? null,
    next_check_at: row.nextCheckAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** One endpoint with the chain it serves. Throws 404. */
export async function readCertificateEndpoint(
  organizationId: string,
  id: string,
): Promise<contract.CertificateEndpointDetail> {
  const row = await db().certificateEndpoint.findUnique({
    where: { organizationId_id: { organizationId, id } },
    include: endpointRelations,
  });
  if (row === null) throw notFound();
  const certificates = await db().certificate.findMany({
    where: { organizationId, id: { in: row.servedChain } },
    select: certificateColumns,
  });
  const byId = new Map(certificates.map((certificate) => [certificate.id, certificate]));
  const served = row.servedChain.flatMap((certificateId) => byId.get(certificateId) ?? []);
  return { ...toCertificateEndpoint(row), served_chain: served.map((each) => toCertificateSummary(each)) };
}
