/** SQL: the certificate that the place of the sighting `s` began to serve last before it. Those of one check are not before each other. */
const certificateBefore = (place: string) => `(SELECT b.certificate_id FROM certificate_sightings b
    WHERE b.organization_id = s.organization_id AND b.endpoint_id = s.endpoint_id ${place} AND b.first_seen_at < s.first_seen_at
    ORDER BY b.first_seen_at DESC, b.address LIMIT 1)`;

/** SQL: the previous certificate at the address of the sighting `s`; null for the first. */
export const BEFORE_AT_ADDRESS = certificateBefore("AND b.address = s.address");

/**
 * SQL: the renewals in sightings of an organization, which `condition` selects by endpoint: an endpoint began to serve a certificate that
 * expires later than the previous one at the same address, or at a new address, than the previous one at any.
 */
export function seenRenewals(organization: string, condition = "true"): string {
  return `SELECT s.endpoint_id, s.first_seen_at AS at, old.id AS old_certificate_id, new.id AS new_certificate_id,
      extract(epoch FROM old.not_after - s.first_seen_at)::float8 / 86400 AS days_left,
      extract(epoch FROM old.not_after - s.first_seen_at)::float8
        / greatest(1, extract(epoch FROM old.not_after - old.not_before))::float8 AS share_left
    FROM (
      SELECT DISTINCT ON (organization_id, endpoint_id, certificate_id) organization_id, endpoint_id, certificate_id, address, first_seen_at
      FROM certificate_sightings WHERE organization_id = ${organization} AND ${condition}
      ORDER BY organization_id, endpoint_id, certificate_id, first_seen_at, address
    ) s
    CROSS JOIN LATERAL (SELECT coalesce(${BEFORE_AT_ADDRESS}, ${certificateBefore("")}) AS id OFFSET 0) AS before
    JOIN certificates old ON old.organization_id = s.organization_id AND old.id = before.id
    JOIN certificates new ON new.organization_id = s.organization_id AND new.id = s.certificate_id
    WHERE new.not_after > old.not_after`;
}
