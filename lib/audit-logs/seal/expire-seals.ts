import type pg from "pg";
import { type LogKey, StoredNodes } from "@/lib/audit-logs/seal/nodes";
import { NODE_LEVELS } from "@/lib/audit-logs/seal/seal-rows";
import { auditPool } from "@/lib/db/audit";
import { byteaArray } from "@/lib/db/bytea-array";
import { withTransaction } from "@/lib/db/connections";
import { logFailure } from "@/lib/db/outage-log";
import { rangeNodes } from "@/lib/sealed-log/tree";

/** Rows per transaction. */
const STEP = 2_000;
/** The start of the first day whose seals are kept, of a class. */
const keptSince = (days: string) => `date_trunc('day', now(), 'UTC') - make_interval(days => ${days} + 1)`;
const EXPIRED = `filed_at < ${keptSince("retention_days")}`;

/** A log, and the class of its oldest seals. */
interface Expiring extends LogKey {
  retention_days: number;
}

/**
 * Worker job: deletes seals one day after the events of their class and day, as far as a checkpoint of these days covers them, which
 * tells the self-check that they were due. A failure does not delay other organizations.
 */
export async function expireSeals(signal: AbortSignal): Promise<void> {
  const { rows } = await auditPool().query<Expiring>(
    `SELECT l.organization_id, oldest.epoch, oldest.retention_days FROM audit_seal_logs l CROSS JOIN LATERAL (
       SELECT epoch, filed_at, retention_days FROM audit_seals WHERE organization_id = l.organization_id ORDER BY filed_at LIMIT 1
     ) AS oldest WHERE ${EXPIRED}`,
  );
  for (const log of rows) {
    try {
      for (let deleted = STEP; deleted === STEP && !signal.aborted; ) {
        deleted = await withTransaction(auditPool(), (client) => expire(client, log));
      }
    } catch (error) {
      logFailure("expired seals could not be deleted", error, { organization_id: log.organization_id });
    }
  }
}

/** Deletes the first rows, and stores the hashes that proofs of the remaining ones need of them. Returns the number of rows. */
async function expire(client: pg.PoolClient, log: Expiring): Promise<number> {
  const own = [log.organization_id, log.epoch];
  const { rows } = await client.query<{ count: number; end: number }>(
    `SELECT count(*)::integer AS count, max(first_index + cardinality(ids))::float8 AS end FROM (
       SELECT first_index, ids FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND ${EXPIRED}
         AND first_index + cardinality(ids) <= (
           SELECT max(size) FROM audit_seal_checkpoints WHERE organization_id = $1 AND epoch = $2 AND signed_at < ${keptSince("$3")}
         )
       ORDER BY first_index LIMIT ${STEP}
     ) AS expired`,
    [...own, log.retention_days],
  );
  const [{ count, end } = { count: 0, end: 0 }] = rows;
  if (count === 0) return 0;
  const nodes = rangeNodes(0, end).filter(({ level }) => level < NODE_LEVELS);
  const hashes = await StoredNodes.read(client, log, nodes);
  await client.query(
    `INSERT INTO audit_seal_nodes (organization_id, epoch, level, position, hash)
     SELECT $1, $2, * FROM unnest($3::smallint[], $4::bigint[], $5::bytea[]) ON CONFLICT DO NOTHING`,
    [
      ...own,
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      byteaArray(nodes.map(({ level, index }) => Buffer.from(hashes.at(level, index)))),
    ],
  );
  await client.query("DELETE FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND first_index < $3", [
    ...own,
    end,
  ]);
  return count;
}
