import { byGravity, toPlace } from "@/lib/certificates/certificate-endpoint";
import type * as contract from "@/lib/certificates/contract";
import { chainCodes, type FindingCode, type Severity } from "@/lib/certificates/findings";
import { pool } from "@/lib/db/app";
import { coalesce } from "@/lib/db/coalesce";
import { groupBy } from "@/lib/group-by";
import { once } from "@/lib/once";

/** Endpoints that are named for each certificate; the others are only counted. */
const MOST_ENDPOINTS = 20;

/** Who serves a certificate now, and what is wrong with how. */
export type Serving = Pick<contract.Certificate, "chain_findings" | "endpoints" | "endpoint_count">;

interface EndpointRow {
  /** Of the pair, from 1. */
  number: number;
  total: number;
  id: string;
  host: string;
  port: number;
  sni: string;
  status: contract.EndpointStatus;
}

interface FindingRow {
  number: number;
  code: FindingCode;
  severity: Severity;
  evidence: Record<string, unknown>;
  endpoint_count: number;
}

const ENDPOINTS = `
SELECT wanted.number::integer, served.* FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (organization_id, id, number)
CROSS JOIN LATERAL (
  SELECT id, host, port, sni, status, count(*) OVER ()::integer AS total FROM certificate_endpoints
  WHERE organization_id = wanted.organization_id AND certificate_id = wanted.id ORDER BY host, port, sni LIMIT $3
) AS served`;

const FINDINGS = `
SELECT DISTINCT ON (wanted.number, f.code, f.severity) wanted.number::integer, f.code, f.severity, f.evidence,
  count(*) OVER (PARTITION BY wanted.number, f.code, f.severity)::integer AS endpoint_count
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (organization_id, id, number)
JOIN certificate_endpoints e ON e.organization_id = wanted.organization_id AND e.certificate_id = wanted.id
JOIN certificate_findings f ON f.organization_id = e.organization_id AND f.endpoint_id = e.id
WHERE f.closed_at IS NULL AND f.code = ANY ($3)
ORDER BY wanted.number, f.code, f.severity, f.id`;

interface Wanted {
  organizationId: string;
  certificateIds: readonly string[];
}

/**
 * For certificates of an organization, by id: the endpoints that serve each as their own. Bounded however many there are.
 * Requests that arrive together share two statements.
 */
export function readServing(organizationId: string, certificateIds: readonly string[]): Promise<Map<string, Serving>> {
  const read = once("certificates.serving", () =>
    coalesce<Wanted, Map<string, Serving>>(async (all) => {
      const pairs = new Map(
        all.flatMap(({ organizationId, certificateIds }) =>
          certificateIds.map((id) => [`${organizationId} ${id}`, [organizationId, id]] as const),
        ),
      );
      const served = await readPairs([...pairs.values()]);
      const places = new Map([...pairs.keys()].map((pair, index) => [pair, index]));
      return ({ organizationId, certificateIds }) =>
        new Map(
          certificateIds.flatMap((id) => {
            const serving = served[places.get(`${organizationId} ${id}`) ?? -1];
            return serving ? [[id, serving]] : [];
          }),
        );
    }),
  );
  return read({ organizationId, certificateIds });
}

/** In the order of the pairs of organization and certificate. */
async function readPairs(pairs: (readonly [organizationId: string, certificateId: string])[]): Promise<Serving[]> {
  const wanted = [pairs.map(([organizationId]) => organizationId), pairs.map(([, id]) => id)];
  const [{ rows: endpointRows }, { rows: findingRows }] = await Promise.all([
    pool().query<EndpointRow>({ name: "serving-endpoints", text: ENDPOINTS, values: [...wanted, MOST_ENDPOINTS] }),
    pool().query<FindingRow>({ name: "serving-findings", text: FINDINGS, values: [...wanted, chainCodes] }),
  ]);
  const endpoints = groupBy(endpointRows, ({ number }) => number);
  const findings = groupBy(findingRows, ({ number }) => number);
  return pairs.map((_, index) => {
    const own = endpoints.get(index + 1) ?? [];
    const about = findings.get(index + 1) ?? [];
    return {
      chain_findings: about
        .map(({ code, severity, evidence, endpoint_count }) => ({ code, severity, endpoint_count, evidence }))
        .sort(byGravity),
      endpoints: own.map((row) => ({ ...toPlace(row), status: row.status })),
      endpoint_count: own[0]?.total ?? 0,
    };
  });
}
