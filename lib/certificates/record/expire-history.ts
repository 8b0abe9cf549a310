import { pool } from "@/lib/db/app";
import { deleteInSteps } from "@/lib/db/delete-in-steps";
import { eachOrganization } from "@/lib/jobs/each-organization";
import { processSingleton } from "@/lib/process-singleton";
import { DAY_MS } from "@/lib/time/units";

/**
 * Worker job: deletes closed findings, ended sightings and certificates last seen before the plan's retention period for
 * audit events. Keeps certificates that were submitted, and handed-in ones until they have expired as long ago; a longer validity than a
 * public authority may issue does not count.
 */
export async function expireCertificateHistory(signal: AbortSignal): Promise<void> {
  await eachOrganization(signal, "old findings, sightings and certificates", async (organizationId, before, stop) => {
    const own = [organizationId, before];
    await deleteInSteps("certificate_findings", "organization_id = $1 AND closed_at < $2", own, stop);
    await deleteInSteps("certificate_sightings", ENDED, own, stop);
    if (!(await mayExpire(organizationId, before))) return;
    const issuers = await readIssuers(organizationId);
    issuersOfToday().set(organizationId, issuers);
    await deleteInSteps("certificates", UNUSED, [...own, issuers], stop);
  });
}

// While a certificate is still served, its sighting is not updated. The first condition is for the index: checks never change that time.
const ENDED = `organization_id = $1 AND first_seen_at < $2 AND last_seen_at < $2 AND NOT EXISTS (
  SELECT FROM certificate_endpoints e
  WHERE e.organization_id = certificate_sightings.organization_id AND e.id = certificate_sightings.endpoint_id
    AND e.observed @> jsonb_build_array(jsonb_build_object(
      'address', nullif(certificate_sightings.address, ''), 'certificate_id', certificate_sightings.certificate_id)))`;

// A leaf certificate has sightings until the last sighting expires.
const UNUSED = `organization_id = $1 AND first_seen_at < $2 AND added_at IS NULL AND id <> ALL ($3::uuid[])
  AND (obtained_at IS NULL OR least(not_after, obtained_at + interval '400 days') < $2)
  AND NOT EXISTS (SELECT FROM certificate_endpoints e WHERE e.organization_id = $1 AND e.certificate_id = certificates.id)
  AND NOT EXISTS (SELECT FROM certificate_endpoints e WHERE e.organization_id = $1 AND e.previous_certificate_id = certificates.id)
  AND NOT EXISTS (SELECT FROM scanned_certificates s WHERE s.organization_id = $1 AND s.certificate_id = certificates.id)
  AND NOT EXISTS (SELECT FROM certificate_sightings s WHERE s.organization_id = $1 AND s.certificate_id = certificates.id)`;

/** Issuers that chains had today, by organization. */
interface Today {
  day: number;
  issuers: Map<string, string[]>;
}

function issuersOfToday(): Map<string, string[]> {
  const today = processSingleton("certificates.issuers-of-today", (): Today => ({ day: 0, issuers: new Map() }));
  const day = Math.floor(Date.now() / DAY_MS);
  if (today.day !== day) Object.assign(today, { day, issuers: new Map() });
  return today.issuers;
}

/**
 * Whether any certificate may be unused, so that the chains of all endpoints must be read. An issuer that chains had today counts as used
 * until tomorrow.
 */
async function mayExpire(organizationId: string, before: Date): Promise<boolean> {
  const { rows } = await pool().query<{ may: boolean }>(
    `SELECT EXISTS (SELECT FROM certificates WHERE ${UNUSED}) AS may`,
    [organizationId, before, issuersOfToday().get(organizationId) ?? []],
  );
  return rows[0]?.may === true;
}

/** Issuers in served and expected chains: few, whatever the number of endpoints. */
async function readIssuers(organizationId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT DISTINCT unnest(served_chain[2:] || expected_chain[2:]) AS id FROM certificate_endpoints WHERE organization_id = $1",
    [organizationId],
  );
  return rows.map(({ id }) => id);
}
