import type pg from "pg";
import { readHoldingOrganizations } from "@/lib/audit-logs/held/active-holds";
import { type LogKey, StoredNodes } from "@/lib/audit-logs/seal/nodes";
import { NODE_LEVELS } from "@/lib/audit-logs/seal/seal-rows";
import { auditPool } from "@/lib/db/audit";
import { byteaArray } from "@/lib/db/bytea-array";
import { withTransaction } from "@/lib/db/connections";
import { logFailure } from "@/lib/db/outage-log";
import { rangeNodes, type TreeNode } from "@/lib/sealed-log/tree";

/** Events of the smallest subtrees that are always stored. */
const BLOCK = 2 ** NODE_LEVELS;
/** Rows per transaction, and milliseconds after which a log lets the next one go on. */
const LIMITS = { step: 2_000, turnMs: 5_000 };
/** SQL: the start of the first day whose seals are kept, of a class. `held` is a time since when events are on hold, or a null. */
const keptSince = (days: string, held: string) =>
  `least(date_trunc('day', now(), 'UTC') - make_interval(days => ${days} + 1), date_trunc('day', ${held}, 'UTC') - interval '1 day')`;

/** A log, and the class of its oldest seals. */
interface Expiring extends LogKey {
  retention_days: number;
  /** Since when holds of the organization cover events; null without one. */
  held_since: string | null;
}

/**
 * Worker job: deletes seals one day after the events of their class and day, as far as a checkpoint of these days covers them, which
 * shows the self-check that they were due. Those since the first event on hold stay. A large log takes turns with the others, and a failure
 * does not delay them. Calls `onProgress` after each turn of a log that has more.
 */
export async function expireSeals(signal: AbortSignal, onProgress?: () => void, limits = LIMITS): Promise<void> {
  const holding = await readHoldingOrganizations();
  const { rows } = await auditPool().query<Expiring>(
    `SELECT l.organization_id, oldest.epoch, oldest.retention_days, holding.since AS held_since
     FROM audit_seal_logs l LEFT JOIN unnest($1::uuid[], $2::timestamptz[]) AS holding (id, since) ON holding.id = l.organization_id
     CROSS JOIN LATERAL (
       SELECT epoch, filed_at, retention_days FROM audit_seals WHERE organization_id = l.organization_id ORDER BY filed_at LIMIT 1
     ) AS oldest WHERE filed_at < ${keptSince("retention_days", "holding.since")}`,
    [
      holding.map(({ organizationId }) => organizationId),
      holding.map(({ coversSince }) => new Date(coversSince).toISOString()),
    ],
  );
  for (let log = rows.shift(); log !== undefined && !signal.aborted; log = rows.shift()) {
    if (!(await takeTurn(log, signal, limits))) continue;
    onProgress?.();
    rows.push(log);
  }
}

/** Deletes seals of a log for some time. Returns whether there may be more. */
async function takeTurn(log: Expiring, signal: AbortSignal, { step, turnMs }: typeof LIMITS): Promise<boolean> {
  const end = performance.now() + turnMs;
  try {
    do {
      const deleted = await withTransaction(auditPool(), (client) => expire(client, log, step));
      if (deleted < step) return false;
    } while (!signal.aborted && performance.now() < end);
    return true;
  } catch (error) {
    logFailure("expired seals could not be deleted", error, { organization_id: log.organization_id });
    return false;
  }
}

/**
 * Deletes the first `step` rows, and stores the hashes that proofs of the remaining ones need of them, and consistency proofs from kept
 * checkpoints. Returns the number of rows.
 */
async function expire(client: pg.PoolClient, log: Expiring, step: number): Promise<number> {
  const own = [log.organization_id, log.epoch];
  const { rows } = await client.query<{ count: number; first: number; end: number }>(
    `SELECT count(*)::integer AS count, min(first_index)::float8 AS first, max(first_index + cardinality(ids))::float8 AS end FROM (
       SELECT first_index, ids FROM audit_seals WHERE organization_id = $1 AND epoch = $2
         AND filed_at < ${keptSince("retention_days", "$4::timestamptz")}
         AND first_index < coalesce((
           SELECT min(first_index) FROM audit_seals WHERE organization_id = $1 AND epoch = $2 AND max_at >= $4
         ), ${Number.MAX_SAFE_INTEGER})
         AND first_index + cardinality(ids) <= (
           SELECT max(size) FROM audit_seal_checkpoints
           WHERE organization_id = $1 AND epoch = $2 AND signed_at < ${keptSince("$3", "$4::timestamptz")}
         )
       ORDER BY first_index LIMIT $5
     ) AS expired`,
    [...own, log.retention_days, log.held_since, step],
  );
  const [{ count, first, end } = { count: 0, first: 0, end: 0 }] = rows;
  if (count === 0) return 0;
  const nodes = lastingNodes(await keptSizes(client, log, { first, end }), end);
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
  await client.query("DELETE FROM audit_redactions WHERE organization_id = $1 AND epoch = $2 AND index < $3", [
    ...own,
    end,
  ]);
  return count;
}

/** The sizes of kept checkpoints whose last block of 256 events is deleted now, in whole or in part. */
async function keptSizes(
  client: pg.PoolClient,
  { organization_id, epoch }: LogKey,
  { first, end }: { first: number; end: number },
): Promise<number[]> {
  const { rows } = await client.query<{ size: number }>(
    `SELECT size::float8 AS size FROM audit_seal_checkpoints
     WHERE organization_id = $1 AND epoch = $2 AND size > $3 AND size <= $4 ORDER BY size`,
    [organization_id, epoch, first - (first % BLOCK), end],
  );
  return rows.map(({ size }) => size);
}

/**
 * The subtrees smaller than a block, which are otherwise computed from seals, that stay known without the seals before `end`: those
 * of the compact ranges up to `end`, and up to and from each kept size.
 */
export function lastingNodes(kept: readonly number[], end: number): TreeNode[] {
  const ranges = kept.flatMap((size) => [
    ...rangeNodes(0, size),
    ...rangeNodes(size, Math.min(end, Math.ceil(size / BLOCK) * BLOCK)),
  ]);
  const low = [...rangeNodes(0, end), ...ranges].filter(({ level }) => level < NODE_LEVELS);
  return [...new Map(low.map((node) => [`${node.level} ${node.index}`, node])).values()];
}
