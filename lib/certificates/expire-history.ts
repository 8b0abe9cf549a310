import { pool } from "@/lib/db/app";
import { inSteps } from "@/lib/db/in-steps";
import { eachOrganization } from "@/lib/organizations/each-organization";

/**
 * The worker's job: deletes findings that were closed, sightings that ended and certificates that were last seen longer ago than the
 * plan keeps audit events. Certificates that somebody handed in stay.
 */
export async function expireCertificateHistory(signal: AbortSignal): Promise<void> {
  await eachOrganization(signal, "old findings, sightings and certificates", async (organizationId, before, stop) => {
    await expire(FINDINGS, [organizationId, before], stop);
    await expire(SIGHTINGS, [organizationId, before], stop);
    await expire(CERTIFICATES, [organizationId, before, await readIssuers(organizationId)], stop);
  });
}

const FINDINGS = `DELETE FROM certificate_findings WHERE organization_id = $1 AND id = ANY (ARRAY(
  SELECT id FROM certificate_findings WHERE organization_id = $1 AND closed_at < $2 LIMIT $size))`;

// While a certificate is still served, nothing is written to its sighting.
const SIGHTINGS = `DELETE FROM certificate_sightings WHERE ctid = ANY (ARRAY(
  SELECT s.ctid FROM certificate_sightings s
  JOIN certificate_endpoints e ON e.organization_id = s.organization_id AND e.id = s.endpoint_id
  WHERE s.organization_id = $1 AND s.last_seen_at < $2 AND NOT e.observed @> jsonb_build_array(jsonb_build_object(
    'address', nullif(s.address, ''), 'certificate_id', s.certificate_id))
  LIMIT $size)) AND organization_id = $1 AND last_seen_at < $2`;

// An endpoint's own certificate has a sighting for as long as its last one is remembered.
const CERTIFICATES = `DELETE FROM certificates WHERE organization_id = $1 AND id = ANY (ARRAY(
  SELECT c.id FROM certificates c
  WHERE c.organization_id = $1 AND c.first_seen_at < $2 AND c.added_at IS NULL AND c.id <> ALL ($3::uuid[])
    AND NOT EXISTS (SELECT FROM certificate_endpoints e WHERE e.organization_id = $1 AND e.certificate_id = c.id)
    AND NOT EXISTS (SELECT FROM certificate_endpoints e WHERE e.organization_id = $1 AND e.previous_certificate_id = c.id)
    AND NOT EXISTS (SELECT FROM certificate_sightings s WHERE s.organization_id = $1 AND s.certificate_id = c.id)
  LIMIT $size))`;

async function expire(text: string, values: unknown[], stop: () => boolean): Promise<void> {
  await inSteps(async (size) => {
    const { rowCount } = await pool().query(text.replace("$size", String(size)), values);
    return rowCount === size;
  }, stop);
}

/** Issuers in the chains that are, or should be, served: few, whatever the number of endpoints. */
async function readIssuers(organizationId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT DISTINCT unnest(served_chain[2:] || expected_chain[2:]) AS id FROM certificate_endpoints WHERE organization_id = $1`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
}
