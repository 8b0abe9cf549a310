import type { RecordedFields } from "@/lib/audit-logs/write/changes";
import { type CertificateRow, certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import type * as contract from "@/lib/certificates/contract";
import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";
import { type FindingCode, type Severity, severities } from "@/lib/certificates/findings";
import { toRenewalFields } from "@/lib/certificates/renewal-fields";
import { readRenewalInfo } from "@/lib/certificates/renewal-info/read-renewal-info";
import { storedScan } from "@/lib/certificates/scan-contract";
import type { AddressMode, Protocol } from "@/lib/certificates/targets";
import { toCertificateWithExtensions } from "@/lib/certificates/x509/certificate-with-extensions";
import { toPem } from "@/lib/certificates/x509/x509";
import { db, pool } from "@/lib/db/app";
import type { CertificateFinding, CertificateEndpoint as Row } from "@/lib/db/generated/app/client";
import { fieldsOf } from "@/lib/db/rows/change-row";
import { notFound } from "@/lib/http/errors";

type RecordedRow = Pick<
  Row,
  | "host"
  | "port"
  | "protocol"
  | "sni"
  | "connectTo"
  | "addressMode"
  | "intervalSeconds"
  | "tags"
  | "trustStoreId"
  | "expectedIssuers"
  | "expectedAccounts"
  | "pins"
  | "maxLifetimeDays"
  | "reported"
  | "agentId"
  | "owner"
  | "renewalMethod"
  | "renewalNote"
  | "renewalLink"
>;

/** An endpoint's row with its relations. */
export type EndpointRow = Row & { findings: CertificateFinding[]; certificate: CertificateRow | null };

/** The relations of `EndpointRow`, for Prisma. */
export const endpointRelations = {
  findings: { where: { closedAt: null } },
  certificate: { select: certificateColumns },
} as const;

/** A finding as the contract shows it. */
export function toFinding(row: CertificateFinding): contract.Finding {
  return {
    code: row.code as FindingCode,
    severity: row.severity as Severity,
    evidence: row.evidence as Record<string, unknown>,
    opened_at: row.openedAt.toISOString(),
    closed_at: row.closedAt?.toISOString() ?? null,
  };
}

/** A short reference to an endpoint. */
export function toEndpointReference({ id, host, port, sni }: { id: string; host: string; port: number; sni: string }) {
  return { id, host, port, sni: sni === "" ? null : sni };
}

/** Most severe first; within a severity by code, so that the order is stable. */
export function bySeverity<T extends { code: string; severity: Severity }>(a: T, b: T): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity) || a.code.localeCompare(b.code);
}

/** The name of an endpoint in the audit log: `host:port`, with the server name if it differs. */
export function recordedNameOf({ host, port, sni }: Pick<Row, "host" | "port" | "sni">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}${sni === "" ? "" : ` (${sni})`}`;
}

function toSettings(row: RecordedRow) {
  return {
    address_mode: row.addressMode as AddressMode,
    interval_seconds: row.intervalSeconds,
    tags: row.tags,
    trust_store_id: row.trustStoreId,
    expected_issuers: row.expectedIssuers,
    expected_accounts: row.expectedAccounts,
    pins: row.pins,
    max_lifetime_days: row.maxLifetimeDays,
  };
}

/** The fields of an endpoint whose changes are recorded. */
export function recordedEndpoint(row: RecordedRow): RecordedFields {
  return {
    host: row.host,
    port: row.port,
    protocol: row.protocol,
    sni: row.sni === "" ? null : row.sni,
    connect_to: row.connectTo === "" ? null : row.connectTo,
    ...toSettings(row),
    reported: row.reported,
    agent_id: row.agentId,
    ...toRenewalFields(row),
  };
}

/** An endpoint as the contract shows it. */
export function toCertificateEndpoint(row: EndpointRow): contract.CertificateEndpoint {
  return {
    ...toEndpointReference(row),
    protocol: row.protocol as Protocol,
    connect_to: row.connectTo === "" ? null : row.connectTo,
    ...toSettings(row),
    ...toRenewalFields(row),
    renewal_due_at: row.renewalDueAt?.toISOString() ?? null,
    reported: row.reported,
    agent_id: row.agentId,
    reported_at: row.reportedAt?.toISOString() ?? null,
    status: row.status as EndpointStatus,
    reachability: {
      state: row.reachability as contract.CertificateEndpoint["reachability"]["state"],
      since: row.reachabilitySince?.toISOString() ?? null,
    },
    findings: row.findings.map(toFinding).sort(bySeverity),
    certificate: row.certificate === null ? null : toCertificateSummary(row.certificate),
    connection: row.connection as contract.CertificateEndpoint["connection"],
    last_checked_at: row.lastCheckedAt?.toISOString() ?? null,
    next_check_at: row.nextCheckAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Null if there is none. A statement of the driver finds the row: every change answers with it. */
async function readWithRelations(organizationId: string, id: string): Promise<EndpointRow | null> {
  const { rows } = await pool().query<Row & { hasFindings: boolean }>({
    name: "endpoint",
    text: `SELECT ${fieldsOf.certificate_endpoints}, EXISTS (SELECT FROM certificate_findings
        WHERE organization_id = e.organization_id AND endpoint_id = e.id AND closed_at IS NULL) AS "hasFindings"
      FROM certificate_endpoints e WHERE organization_id = $1 AND id = $2`,
    values: [organizationId, id],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { certificateId } = row;
  const [findings, certificate] = await Promise.all([
    row.hasFindings
      ? db().certificateFinding.findMany({
          where: { organizationId, endpointId: id, ...endpointRelations.findings.where },
        })
      : [],
    certificateId === null
      ? null
      : db().certificate.findUnique({
          where: { organizationId_id: { organizationId, id: certificateId } },
          ...endpointRelations.certificate,
        }),
  ]);
  return { ...row, findings, certificate };
}

/** One endpoint with the chain it serves. Throws 404. */
export async function readCertificateEndpoint(
  organizationId: string,
  id: string,
): Promise<contract.CertificateEndpointDetail> {
  const row = await readWithRelations(organizationId, id);
  if (row === null) throw notFound();
  return toDetail(row);
}

/** An endpoint that was not checked yet, with the chain it serves: none. */
export function toNewEndpoint(row: Row): Promise<contract.CertificateEndpointDetail> {
  return toDetail({ ...row, findings: [], certificate: null });
}

async function toDetail(row: EndpointRow): Promise<contract.CertificateEndpointDetail> {
  const { organizationId } = row;
  const ids = [...row.servedChain, ...row.expectedChain];
  const certificates =
    ids.length === 0 ? [] : await db().certificate.findMany({ where: { organizationId, id: { in: ids } } });
  const byId = new Map(certificates.map((certificate) => [certificate.id, certificate]));
  const all = (ids: string[]) => ids.flatMap((certificateId) => byId.get(certificateId) ?? []);
  const [served, expected] = [all(row.servedChain), all(row.expectedChain)];
  // Clients have the root, so serving it as well needs no change.
  const isAsExpected =
    expected.length === 0 ||
    (expected.every((certificate, at) => certificate === served[at]) && served.length - expected.length <= 1);
  return {
    ...toCertificateEndpoint(row),
    addresses: row.observed as contract.CertificateEndpointDetail["addresses"],
    served_chain: served.map(toCertificateWithExtensions),
    expected_chain: expected.map(toCertificateWithExtensions),
    install_pem: isAsExpected ? null : expected.map(({ der }) => toPem(der)).join(""),
    renewal_info: row.certificateId === null ? null : await readRenewalInfo(organizationId, row.certificateId),
    tls_scan: storedScan.parse(row.tlsScan)?.shown ?? null,
  };
}
