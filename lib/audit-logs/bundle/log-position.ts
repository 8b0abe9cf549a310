import type pg from "pg";

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
  const { rows } = await database.query<LogPosition>(
    `SELECT epoch, first_index::float8 AS index FROM audit_seals
     WHERE organization_id = $1 AND sealed_at >= $2 ORDER BY epoch, first_index LIMIT 1`,
    [organizationId, time],
  );
  return rows[0] ?? null;
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
