import type pg from "pg";
import type { Observed } from "@/lib/certificates/record/record-endpoints";

/** Sightings that began or ended with a check. `address` is empty if the certificate was reported. */
interface SightingChange {
  organization_id: string;
  endpoint_id: string;
  address: string;
  certificate_id: string;
  /** For an ended sighting, when it was last seen. */
  at: Date;
}

interface EndpointKey {
  organization_id: string;
  endpoint_id: string;
}

function pairs(observed: readonly Observed[]): Map<string, { address: string; certificate_id: string }> {
  return new Map(
    observed.flatMap(({ address, certificate_id }) =>
      certificate_id === null ? [] : [[`${address} ${certificate_id}`, { address: address ?? "", certificate_id }]],
    ),
  );
}

/**
 * Changes between two consecutive checks that saw a certificate; `lastAt` is the time of the first, or of the failure that followed it.
 * Usually none.
 */
export function changesOfSightings(
  place: EndpointKey,
  before: readonly Observed[],
  lastAt: Date | null,
  now: readonly Observed[],
  at: Date,
): { begun: SightingChange[]; ended: SightingChange[] } {
  const [old, current] = [pairs(before), pairs(now)];
  const begun = [...current].flatMap(([key, pair]) => (old.has(key) ? [] : [{ ...place, ...pair, at }]));
  const ended = [...old].flatMap(([key, pair]) => (current.has(key) ? [] : [{ ...place, ...pair, at: lastAt ?? at }]));
  return { begun, ended };
}

/** Writes the changes; a sighting that resumes keeps its first time. */
export async function writeSightings(
  client: pg.ClientBase,
  { begun, ended }: { begun: readonly SightingChange[]; ended: readonly SightingChange[] },
): Promise<void> {
  if (ended.length > 0) {
    await client.query(
      `UPDATE certificate_sightings s SET last_seen_at = gone.at
       FROM jsonb_to_recordset($1) AS gone (organization_id uuid, endpoint_id uuid, address text, certificate_id uuid, at timestamptz)
       WHERE s.organization_id = gone.organization_id AND s.endpoint_id = gone.endpoint_id AND s.address = gone.address
         AND s.certificate_id = gone.certificate_id`,
      [JSON.stringify(ended)],
    );
  }
  if (begun.length > 0) {
    await client.query(
      `INSERT INTO certificate_sightings (organization_id, endpoint_id, address, certificate_id, first_seen_at, last_seen_at)
       SELECT organization_id, endpoint_id, address, certificate_id, at, at
       FROM jsonb_to_recordset($1) AS seen (organization_id uuid, endpoint_id uuid, address text, certificate_id uuid, at timestamptz)
       ON CONFLICT (organization_id, endpoint_id, address, certificate_id) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
      [JSON.stringify(begun)],
    );
  }
}
