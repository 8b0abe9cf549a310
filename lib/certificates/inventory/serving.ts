import type * as contract from "@/lib/certificates/contract";
import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";
import { bySeverity, toEndpointReference } from "@/lib/certificates/endpoints/certificate-endpoint";
import { chainCodes, type FindingCode, type Severity } from "@/lib/certificates/findings";
import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import { processSingleton } from "@/lib/process-singleton";

/** Maximum number of endpoints to list per certificate; the others are only counted. */
const MAX_ENDPOINTS = 20;

/** The endpoints whose last check or scan found a certificate, and findings about how they serve it. */
type Serving = Pick<contract.Certificate, "chain_findings" | "endpoints" | "endpoint_count">;

/** The columns that `joinServing` adds to a row. */
export interface ServingRow {
  endpoints: { id: string; host: string; port: number; sni: string; status: EndpointStatus; owner: string }[];
  endpointCount: number;
  chainFindings: {
    code: FindingCode;
    severity: Severity;
    evidence: Record<string, unknown>;
    endpoint_count: number;
  }[];
}

/** The columns that `joinServing` adds. */
export const SERVING = `served.endpoints, served.total AS "endpointCount", chain.findings AS "chainFindings"`;

const ENDPOINT = "e.id, e.host, e.port, e.sni, e.status, e.owner";

/**
 * SQL that joins the serving endpoints of a certificate of `wanted.organization_id`, limited in number; `id` is a SQL expression for the
 * certificate's id.
 */
export function joinServing(id: string): string {
  return `
CROSS JOIN LATERAL (
  SELECT coalesce(json_agg(e ORDER BY e.host, e.port, e.sni), '[]') AS endpoints, coalesce(max(e.total), 0) AS total FROM (
    SELECT *, count(*) OVER ()::integer AS total FROM (
      SELECT ${ENDPOINT} FROM certificate_endpoints e WHERE e.organization_id = wanted.organization_id AND e.certificate_id = ${id}
      UNION ALL
      SELECT ${ENDPOINT} FROM scanned_certificates s
      JOIN certificate_endpoints e ON e.organization_id = s.organization_id AND e.id = s.endpoint_id
      WHERE s.organization_id = wanted.organization_id AND s.certificate_id = ${id} AND e.certificate_id IS DISTINCT FROM ${id}
    ) AS serving ORDER BY host, port, sni LIMIT ${MAX_ENDPOINTS}
  ) AS e
) AS served
CROSS JOIN LATERAL (
  SELECT coalesce(json_agg(found), '[]') AS findings FROM (
    SELECT DISTINCT ON (f.code, f.severity) f.code, f.severity, f.evidence,
      count(*) OVER (PARTITION BY f.code, f.severity)::integer AS endpoint_count
    FROM certificate_endpoints e JOIN certificate_findings f ON f.organization_id = e.organization_id AND f.endpoint_id = e.id
    WHERE e.organization_id = wanted.organization_id AND e.certificate_id = ${id} AND served.total > 0
      AND f.closed_at IS NULL AND f.code IN (${chainCodes.map((code) => `'${code}'`).join(", ")})
    ORDER BY f.code, f.severity, f.id
  ) AS found
) AS chain`;
}

/** Serving as the contract shows it. */
export function toServing({ endpoints, endpointCount, chainFindings }: ServingRow): Serving {
  return {
    chain_findings: chainFindings
      .map(({ code, severity, endpoint_count, evidence }) => ({ code, severity, endpoint_count, evidence }))
      .sort(bySeverity),
    endpoints: endpoints.map((endpoint) => ({
      ...toEndpointReference(endpoint),
      status: endpoint.status,
      owner: endpoint.owner === "" ? null : endpoint.owner,
    })),
    endpoint_count: endpointCount,
  };
}

interface Wanted {
  organizationId: string;
  certificateIds: readonly string[];
}

const SQL = `
SELECT wanted.organization_id AS "organizationId", wanted.id, ${SERVING}
FROM (SELECT DISTINCT * FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[])) AS pair (organization_id, id)) AS wanted
${joinServing("wanted.id")}`;

const pairOf = (organizationId: string, id: string) => `${organizationId} ${id}`;

/** The endpoints that serve each of the given certificates, by certificate id. Concurrent requests share one statement. */
export function readServing(organizationId: string, certificateIds: readonly string[]): Promise<Map<string, Serving>> {
  const read = processSingleton("certificates.serving", () =>
    coalesce<Wanted, Map<string, Serving>>(async (all) => {
      const pairs = all.flatMap(({ organizationId, certificateIds }) =>
        certificateIds.map((id) => [organizationId, id] as const),
      );
      const { rows } = await pool().query<ServingRow & { organizationId: string; id: string }>({
        name: "serving",
        text: SQL,
        values: [pairs.map(([organization]) => organization), pairs.map(([, id]) => id)],
      });
      const served = new Map(rows.map((row) => [pairOf(row.organizationId, row.id), toServing(row)]));
      return ({ organizationId, certificateIds }) =>
        new Map(
          certificateIds.flatMap((id) => {
            const serving = served.get(pairOf(organizationId, id));
            return serving ? [[id, serving]] : [];
          }),
        );
    }),
  );
  return read({ organizationId, certificateIds });
}
