import type pg from "pg";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";
import type { HeadsProof } from "@/lib/sealed-log/heads";

type Database = Pick<pg.ClientBase, "query">;

/** Number of newest checkpoints to search for time stamps. */
const NEWEST = 400;

/** A checkpoint of an organization's log, with the time stamp over the installation's checkpoint in `heads`. */
interface StampedCheckpoint {
  epoch: number;
  size: number;
  note: string;
  heads: HeadsProof;
  stamped_at: Date;
  /** The host of the authority. */
  authority: string;
  token: Buffer;
}

/** The checkpoints with a time stamp among the newest 400 from `first` to `end` entries, newest first, at most `limit`. */
export async function listStamped(
  database: Database,
  { organization_id, epoch }: LogKey,
  { first, end, limit = NEWEST }: { first: number; end: number; limit?: number },
): Promise<StampedCheckpoint[]> {
  const { rows } = await database.query<StampedCheckpoint>(
    `SELECT c.epoch, c.size::float8 AS size, c.checkpoint AS note, c.heads, s.stamped_at, s.authority, s.token
     FROM (
       SELECT epoch, size, checkpoint, heads FROM audit_seal_checkpoints
       WHERE organization_id = $1 AND epoch = $2 AND size BETWEEN $3 AND $4 ORDER BY size DESC LIMIT ${NEWEST}
     ) AS c JOIN audit_seal_stamps s ON s.epoch = c.epoch AND s.index = (c.heads->>'index')::bigint AND s.token IS NOT NULL
     ORDER BY c.size DESC LIMIT $5`,
    [organization_id, epoch, first, end, limit],
  );
  return rows;
}
