import { type CertificateRow, certificateColumns, toCertificateSummary } from "@/lib/certificates/certificate";
import type { EndpointStatus } from "@/lib/certificates/endpoint-statuses";
import { toEndpointReference } from "@/lib/certificates/endpoints/certificate-endpoint";
import { toRenewalFields } from "@/lib/certificates/renewal-fields";
import type * as contract from "@/lib/certificates/renewals/renewal-contract";
import { db, pool } from "@/lib/db/app";
import { decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";

/** Maximum number of endpoints named per renewal. */
const MAX_ENDPOINTS = 20;

interface Row {
  due_at: Date;
  certificate_id: string;
  owner: string;
  renewalMethod: string | null;
  renewalNote: string | null;
  renewalLink: string | null;
  ids: string[];
  total: number;
  is_renewed: boolean;
  is_late: boolean;
}

/** The first value that an endpoint of the group has. */
const first = (column: string, name: string) =>
  `(array_agg(${column} ORDER BY id) FILTER (WHERE ${column} IS NOT NULL))[1] AS "${name}"`;
const hasFinding = (code: string) =>
  `EXISTS (SELECT FROM certificate_findings f WHERE f.organization_id = $1 AND f.endpoint_id = ANY (due.ids)
     AND f.code = '${code}' AND f.closed_at IS NULL)`;

/** The index on (organization, due, certificate, owner) has the groups in this order, so that a page reads little more than its rows. */
const SQL = `
SELECT due.due_at, due.certificate_id, due.owner, due."renewalMethod", due."renewalNote", due."renewalLink", due.total,
  due.ids[1:${MAX_ENDPOINTS}] AS ids, ${hasFinding("renewed_not_deployed")} AS is_renewed,
  ${hasFinding("renewal_later_than_usual")} AS is_late
FROM (
  SELECT renewal_due_at AS due_at, certificate_id, owner, count(*)::integer AS total, array_agg(id ORDER BY id) AS ids,
    ${first("renewal_method", "renewalMethod")}, ${first("renewal_note", "renewalNote")}, ${first("renewal_link", "renewalLink")}
  FROM certificate_endpoints
  WHERE organization_id = $1 AND renewal_due_at < $2 AND certificate_id IS NOT NULL
    AND ($3::text IS NULL OR owner = $3) AND ($4::boolean IS NULL OR (owner <> '') = $4)
    AND ($5::timestamptz IS NULL OR (renewal_due_at, certificate_id, owner) > ($5, $6::uuid, $7::text))
  GROUP BY renewal_due_at, certificate_id, owner ORDER BY renewal_due_at, certificate_id, owner LIMIT $8
) AS due ORDER BY due.due_at, due.certificate_id, due.owner`;

/** Certificates that must be renewed, first due first. Throws 400 for an invalid cursor. */
export async function listRenewals(
  { organizationId }: Principal,
  { limit, cursor, days, owner, owned }: Input<typeof contract.listRenewals>,
): Promise<Output<typeof contract.listRenewals>> {
  const bound = ["certificates/renewals", days, owner, owned];
  const after = cursor === undefined ? [null, null, null] : decodePosition(cursor, bound, ["time", "id", "text"]);
  const until = new Date(Date.now() + days * DAY_MS);
  const isOwned = owned === undefined ? null : owned === "true";
  const { rows } = await pool().query<Row>(SQL, [
    ...[organizationId, until, owner ?? null, isOwned],
    ...after,
    limit + 1,
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last ? [last.due_at.toISOString(), last.certificate_id, last.owner] : null;
  return { items: await withNames(organizationId, page), nextCursor: next && encodeCursor(next, bound) };
}

/** The rows with their certificates and endpoints. */
async function withNames(organizationId: string, rows: readonly Row[]): Promise<contract.CertificateRenewal[]> {
  const [certificates, endpoints] = await Promise.all([
    db().certificate.findMany({
      where: { organizationId, id: { in: rows.map(({ certificate_id }) => certificate_id) } },
      select: certificateColumns,
    }),
    db().certificateEndpoint.findMany({
      where: { organizationId, id: { in: rows.flatMap(({ ids }) => ids) } },
      select: { id: true, host: true, port: true, sni: true, status: true },
    }),
  ]);
  const certificateOf = new Map(certificates.map((row): [string, CertificateRow] => [row.id, row]));
  const endpointOf = new Map(endpoints.map((row) => [row.id, row]));
  return rows.flatMap((row) => {
    const certificate = certificateOf.get(row.certificate_id);
    if (certificate === undefined) return [];
    return {
      due_at: row.due_at.toISOString(),
      action: row.is_renewed ? "deploy" : "renew",
      is_later_than_usual: row.is_late,
      ...toRenewalFields(row),
      certificate: toCertificateSummary(certificate),
      endpoints: row.ids.flatMap((id) => {
        const endpoint = endpointOf.get(id);
        return endpoint ? { ...toEndpointReference(endpoint), status: endpoint.status as EndpointStatus } : [];
      }),
      endpoint_count: row.total,
    };
  });
}
