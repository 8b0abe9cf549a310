import type pg from "pg";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";

type Database = Pick<pg.ClientBase, "query">;

/** A place in the sealed log of an organization: in front of the entry with this index. */
export interface LogPosition {
  epoch: number;
  index: number;
}

/** The end of what signed checkpoints cover; null until something is signed. */
export async function signedEnd(database: Database, organizationId: string): Promise<LogPosition | null> {
  const { rows } = await database.query<LogPosition>(
    "SELECT epoch, signed_size::float8 AS index FROM audit_seal_logs WHERE organization_id = $1",
    [organizationId],
  );
  return rows[0] ?? null;
}

/** In front of the first entry that was sealed at or after a time, as far as seals are kept. Null if there is none. */
export async function positionAt(database: Database, organizationId: string, time: Date): Promise<LogPosition | null> {
  for (let epoch = await nextEpoch(database, organizationId, 0); epoch !== null; ) {
    const index = await firstSealedSince(database, { organization_id: organizationId, epoch }, time);
    if (index !== null) return { epoch, index };
    epoch = await nextEpoch(database, organizationId, epoch);
  }
  return null;
}

/** The first epoch after this one of which seals are kept; null if there is none. */
async function nextEpoch(database: Database, organizationId: string, epoch: number): Promise<number | null> {
  const { rows } = await database.query<{ epoch: number }>(
    "SELECT epoch FROM audit_seals WHERE organization_id = $1 AND epoch > $2 ORDER BY epoch LIMIT 1",
    [organizationId, epoch],
  );
  return rows[0]?.epoch ?? null;
}

/**
 * The first kept entry of a log that was sealed at or after a time; null if there is none. No index has these times, but they never
 * decrease from row to row: each step reads the row in the middle of what is left.
 */
export async function firstSealedSince(
  database: Database,
  { organization_id, epoch }: LogKey,
  time: Date,
): Promise<number | null> {
  const { rows } = await database.query<{ index: number | null }>(
    `WITH RECURSIVE search AS (
       SELECT min(first_index) AS low, max(first_index) + 1 AS high, NULL::bigint AS found
       FROM audit_seals WHERE organization_id = $1 AND epoch = $2
       UNION ALL
       SELECT CASE WHEN is_after THEN low ELSE first_index + 1 END, CASE WHEN is_after THEN (low + high) / 2 ELSE high END,
         CASE WHEN is_after THEN first_index END
       FROM search CROSS JOIN LATERAL (
         SELECT first_index, sealed_at >= $3 AS is_after FROM audit_seals
         WHERE organization_id = $1 AND epoch = $2 AND first_index >= (low + high) / 2 ORDER BY first_index LIMIT 1
       ) AS middle
       WHERE low < high
     )
     SELECT min(found)::float8 AS index FROM search`,
    [organization_id, epoch, time.toISOString()],
  );
  return rows[0]?.index ?? null;
}

/** In front of the first kept row of entries of which an event occurred at or after a time. Null if there is none. */
export async function positionOfEvents(
  database: Database,
  organizationId: string,
  time: Date,
): Promise<LogPosition | null> {
  const { rows } = await database.query<LogPosition>(
    `SELECT epoch, first_index::float8 AS index FROM audit_seals
     WHERE organization_id = $1 AND max_at >= $2 ORDER BY epoch, first_index LIMIT 1`,
    [organizationId, time],
  );
  return rows[0] ?? null;
}

/** What can be read of an epoch from an entry on. */
export interface Kept {
  /** The first entry from there on whose seal is kept; null if there is none. */
  first: number | null;
  /** The end of what signed checkpoints cover; 0 without one. */
  end: number;
  /** Whether a later epoch has begun: nothing more is added to this one. */
  isClosed: boolean;
}

/** The entries of an epoch from a position on, as far as a signed checkpoint covers them. Null without a log. */
export async function keptFrom(
  database: Database,
  organizationId: string,
  { epoch, index }: LogPosition,
): Promise<Kept | null> {
  const { rows } = await database.query<{ first: number | null; end: number | null; signed: number; current: number }>(
    `SELECT l.epoch AS current, coalesce((
         SELECT max(first_index) FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND first_index <= $3
       ), (
         SELECT min(first_index) FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND first_index > $3
       ))::float8 AS first, (
         SELECT first_index + cardinality(ids) FROM audit_seals WHERE organization_id = $1 AND epoch = $2
         ORDER BY first_index DESC LIMIT 1
       )::float8 AS end,
       coalesce((SELECT max(size) FROM audit_seal_checkpoints WHERE organization_id = $1 AND epoch = $2), 0)::float8 AS signed
     FROM audit_seal_logs l WHERE organization_id = $1`,
    [organizationId, epoch, index],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const isKept = row.first !== null && row.end !== null && row.end > index;
  const first = isKept ? Math.max(row.first ?? 0, index) : null;
  return { first, end: row.signed, isClosed: row.current > epoch };
}
