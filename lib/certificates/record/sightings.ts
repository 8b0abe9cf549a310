import { BEFORE_AT_ADDRESS } from "@/lib/certificates/seen-renewals";
import { pool } from "@/lib/db/app";
import { decodePosition, encodeCursor } from "@/lib/http/cursor";
import type { Principal } from "@/lib/http/principal";

/** A period in which an address of an endpoint served a certificate. */
interface SightingRow {
  endpoint_id: string;
  address: string;
  certificate_id: string;
  first_seen_at: Date;
  last_seen_at: Date;
  is_current: boolean;
  host: string;
  port: number;
  sni: string;
  /** The previous certificate at that address; null for the first. */
  before_id: string | null;
}

/**
 * A current sighting was last seen at the endpoint's last check, because sightings are only written when they change. If checks fail, it
 * was last seen when that began.
 */
const SIGHTINGS = `SELECT s.endpoint_id, s.address, s.certificate_id, s.first_seen_at, e.host, e.port, e.sni, current.is_current,
    CASE WHEN current.is_current THEN greatest(s.last_seen_at, coalesce(e.failing_since, e.last_checked_at)) ELSE s.last_seen_at END AS last_seen_at,
    ${BEFORE_AT_ADDRESS} AS before_id
  FROM certificate_sightings s
  JOIN certificate_endpoints e ON e.organization_id = s.organization_id AND e.id = s.endpoint_id
  CROSS JOIN LATERAL (SELECT e.observed @> jsonb_build_array(jsonb_build_object(
    'address', nullif(s.address, ''), 'certificate_id', s.certificate_id)) AS is_current) AS current
  WHERE s.organization_id = $1`;

interface Wanted {
  by: "endpoint_id" | "certificate_id";
  id: string;
  limit: number;
  cursor: string | undefined;
}

/** A page of the sightings of an endpoint or of a certificate, newest first. Throws 400 for an invalid cursor. */
export async function readSightings(
  { organizationId }: Principal,
  { by, id, limit, cursor }: Wanted,
): Promise<{ rows: SightingRow[]; nextCursor: string | null }> {
  const bound = ["certificates/sightings", by, id];
  const values: unknown[] = [organizationId, id, limit + 1];
  let beyond = "";
  if (cursor !== undefined) {
    values.push(...decodePosition(cursor, bound, ["time", "id", "text", "id"]));
    beyond = "AND (s.first_seen_at, s.endpoint_id, s.address, s.certificate_id) < ($4, $5::uuid, $6, $7::uuid)";
  }
  const { rows } = await pool().query<SightingRow>(
    `${SIGHTINGS} AND s.${by} = $2 ${beyond}
     ORDER BY s.first_seen_at DESC, s.endpoint_id DESC, s.address DESC, s.certificate_id DESC LIMIT $3`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last && [last.first_seen_at.toISOString(), last.endpoint_id, last.address, last.certificate_id];
  return { rows: page, nextCursor: rows.length > limit && next ? encodeCursor(next, bound) : null };
}

/** What the history of an endpoint and that of a certificate have in common. */
export function toSeen({ address, first_seen_at, last_seen_at, is_current }: SightingRow) {
  return {
    address: address === "" ? null : address,
    first_seen_at: first_seen_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    is_current,
  };
}
