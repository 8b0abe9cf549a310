import type { AnalyticsExpiry } from "@/lib/analytics/contract";
import { ALSO_SERVED } from "@/lib/certificates/inventory/also-served";
import { pool } from "@/lib/db/app";

/** `in_use`: the leaf certificates that endpoints of organization $1 serve now, with the number of endpoints. */
const IN_USE = `in_use AS (
    SELECT c.id, c.common_name, c.issuer, c.not_before, c.not_after, c.key_type, c.key_bits, c.signature_algorithm, served.endpoints
    FROM (
      SELECT certificate_id, count(*)::integer AS endpoints FROM (
        SELECT certificate_id FROM certificate_endpoints WHERE organization_id = $1 AND certificate_id IS NOT NULL
        UNION ALL SELECT s.certificate_id FROM certificate_endpoints e ${ALSO_SERVED} WHERE e.organization_id = $1
      ) each GROUP BY certificate_id
    ) served
    JOIN certificates c ON c.organization_id = $1 AND c.id = served.certificate_id
  )`;

/** Counts per group. */
export const COUNTS = "count(*)::integer AS certificates, coalesce(sum(endpoints), 0)::integer AS endpoints";

/** Queries `in_use`; $1 is the organization. */
export async function queryInUse<Row extends object>(
  organizationId: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await pool("report").query<Row>(`WITH ${IN_USE} ${text}`, [organizationId, ...values]);
  return rows;
}

export interface InUseRow {
  id: string;
  common_name: string | null;
  issuer: string;
  not_before: Date;
  not_after: Date;
  endpoints: number;
}

/** The columns of `InUseRow`. */
export const SHOWN = "id, common_name, issuer, not_before, not_after, endpoints";

/** A certificate in use as the contract shows it. */
export function toCertificateInUse(row: InUseRow): AnalyticsExpiry["next"][number] {
  return {
    id: row.id,
    common_name: row.common_name,
    issuer: row.issuer,
    not_before: row.not_before.toISOString(),
    not_after: row.not_after.toISOString(),
    endpoints: row.endpoints,
  };
}
