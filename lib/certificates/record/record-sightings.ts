import type pg from "pg";
import type { Observed } from "@/lib/certificates/record/record-endpoints";

/** Sightings that began or ended with a check. `address` is empty where somebody reported what is served. */
export interface SightingChange {
  organization_id: string;
  endpoint_id: string;
  address: string;
  certificate_id: string;
  /** For one that ended, when it was last seen. */
  at: Date;
}

interface Place {
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

/** What changed from one check that saw a certificate to the next; `lastAt` is when the former was. Nothing, nearly always. */
export function changesOfSightings(
  place: Place,
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

/** Writes them; one that begins again keeps when it was first seen. */
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
