import { byGravity, toPlace } from "@/lib/certificates/certificate-endpoint";
import type * as contract from "@/lib/certificates/contract";
import { chainCodes, type FindingCode, type Severity } from "@/lib/certificates/findings";
import { pool } from "@/lib/db/app";

/** Endpoints that are named for each certificate; the others are only counted. */
const MOST_ENDPOINTS = 20;

/** Who serves a certificate now, and what is wrong with how. */
export type Serving = Pick<contract.Certificate, "chain_findings" | "endpoints" | "endpoint_count">;

interface EndpointRow {
  certificate_id: string;
  total: number;
  id: string;
  host: string;
  port: number;
  sni: string;
  status: contract.EndpointStatus;
}

interface FindingRow {
  certificate_id: string;
  code: FindingCode;
  severity: Severity;
  evidence: Record<string, unknown>;
  endpoint_count: number;
}

/** For certificates of an organization, by id: the endpoints that serve each as their own. Bounded however many there are. */
export async function readServing(
  organizationId: string,
  certificateIds: readonly string[],
): Promise<Map<string, Serving>> {
  const endpoints = pool().query<EndpointRow>(
    `SELECT served.* FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
       SELECT certificate_id, id, host, port, sni, status, count(*) OVER ()::integer AS total FROM certificate_endpoints
       WHERE organization_id = $1 AND certificate_id = wanted.id ORDER BY host, port, sni LIMIT $3
     ) AS served`,
    [organizationId, certificateIds, MOST_ENDPOINTS],
  );
  const findings = pool().query<FindingRow>(
    `SELECT DISTINCT ON (e.certificate_id, f.code, f.severity) e.certificate_id, f.code, f.severity, f.evidence,
       count(*) OVER (PARTITION BY e.certificate_id, f.code, f.severity)::integer AS endpoint_count
     FROM certificate_endpoints e
     JOIN certificate_findings f ON f.organization_id = e.organization_id AND f.endpoint_id = e.id
     WHERE e.organization_id = $1 AND e.certificate_id = ANY ($2::uuid[]) AND f.closed_at IS NULL AND f.code = ANY ($3)
     ORDER BY e.certificate_id, f.code, f.severity, f.id`,
    [organizationId, certificateIds, chainCodes],
  );
  const [{ rows: endpointRows }, { rows: findingRows }] = await Promise.all([endpoints, findings]);
  return new Map(
    certificateIds.map((id) => {
      const own = endpointRows.filter(({ certificate_id }) => certificate_id === id);
      const about = findingRows.filter(({ certificate_id }) => certificate_id === id);
      const serving: Serving = {
        chain_findings: about
          .map(({ code, severity, evidence, endpoint_count }) => ({ code, severity, endpoint_count, evidence }))
          .sort(byGravity),
        endpoints: own.map((row) => ({ ...toPlace(row), status: row.status })),
        endpoint_count: own[0]?.total ?? 0,
      };
      return [id, serving];
    }),
  );
}
