import type pg from "pg";
import { wakeRules } from "@/lib/alert-schedule/wake";
import { type LogKey, rootAt } from "@/lib/audit-logs/seal/nodes";
import { leavesOf, treeOf } from "@/lib/audit-logs/seal/seal-rows";
import { HeadsTree } from "@/lib/audit-logs/sign/heads-tree";
import type { Installation } from "@/lib/audit-logs/sign/installation";
import { readSealedHeads, type SealedHead } from "@/lib/audit-logs/sign/sealed-heads";
import { auditPool } from "@/lib/db/audit";
import { byteaArray } from "@/lib/db/bytea-array";
import { withTransaction } from "@/lib/db/connections";
import { log } from "@/lib/log";
import { installationEntry } from "@/lib/sealed-log/heads";
import { organizationOrigin } from "@/lib/sealed-log/origin";
import { type CompactRange, leafHash } from "@/lib/sealed-log/tree";
import { nextTurn } from "@/lib/turns";

/** Organizations per round, and rows of seals per query. */
const ROUND_SIZE = 1_000;
const SEAL_ROWS = 1_000;
/** Rows of each log that are read together with those of all others: most have grown by few. */
const FIRST_ROWS = 4;

/** The log over all heads, to which an entry is appended. */
type HeadsLog = Pick<Installation, "epoch" | "size" | "edge">;

/** An organization's log, with the head that is to be signed. */
interface ChangedLog {
  organization_id: string;
  epoch: number;
  size: number;
  edge: Buffer;
  head_size: number;
  head_edge: Buffer;
}

/** What a round has to do, if anything. */
interface Begun {
  /** Whether there is a round to complete. */
  isBegun: boolean;
  /** Whether further organizations wait for the next round. */
  hasMore: boolean;
}

/**
 * Begins a round, unless one is unfinished: takes the trees of the organizations that have grown as their heads, and appends the root
 * over all heads to the installation's log. A log that does not continue what was signed last is refused and left out.
 */
export function beginRound(host: string): Promise<Begun> {
  return withTransaction(auditPool(), async (client) => {
    const { rows: unfinished } = await client.query("SELECT FROM audit_seal_rounds WHERE checkpoint IS NULL LIMIT 1");
    if (unfinished.length > 0) return { isBegun: true, hasMore: true };
    const grown = await grownLogs(client);
    const hasMore = grown.length === ROUND_SIZE;
    const signed = await readSealedHeads(grown.map(({ organization_id }) => organization_id));
    const first = await firstRows(client, grown);
    const accepted: ChangedLog[] = [];
    for (const each of grown) {
      const own = { signed: signed.get(each.organization_id), rows: first.get(each.organization_id) ?? [] };
      const refusal = await refusalOf(client, each, own).catch(damage);
      if (refusal === null) accepted.push(each);
      else await refuse(client, each, refusal);
    }
    if (accepted.length === 0) return { isBegun: false, hasMore };
    await takeHeads(client, accepted);
    const { rows } = await client.query<HeadsLog>(
      "SELECT epoch, size::float8 AS size, edge FROM audit_seal_installation FOR UPDATE",
    );
    if (rows[0] === undefined) throw new Error("the audit database has no sealed log");
    await appendEntry(client, rows[0], await readHeads(client, host));
    return { isBegun: true, hasMore };
  });
}

/** Locks logs, so that they neither grow nor begin another epoch. Logs that are being sealed wait for the next round. */
async function grownLogs(client: pg.PoolClient): Promise<ChangedLog[]> {
  const { rows } = await client.query<ChangedLog>(
    `SELECT organization_id, epoch, size::float8 AS size, edge, head_size::float8 AS head_size, head_edge
     FROM audit_seal_logs WHERE size > head_size AND refused IS NULL ORDER BY sealed_at LIMIT ${ROUND_SIZE} FOR UPDATE SKIP LOCKED`,
  );
  return rows;
}

/** Why a log must not be signed: it does not continue the last signed head. Null if it does. */
async function refusalOf(
  client: pg.PoolClient,
  { organization_id, epoch, size, edge, head_size, head_edge }: ChangedLog,
  { signed, rows: first }: { signed: SealedHead | undefined; rows: readonly StoredRow[] },
): Promise<string | null> {
  // The log is new in this epoch, as after a restore to a time before it was created.
  const last = signed !== undefined && signed.epoch < epoch && head_size === 0 ? undefined : signed;
  if (last !== undefined && last.epoch !== epoch)
    return `It was signed in epoch ${last.epoch}, and is in epoch ${epoch}.`;
  if (last !== undefined && last.size > head_size) {
    return `It was signed with ${last.size} events; now there are only ${head_size} of them.`;
  }
  if (last === undefined && head_size > 0) {
    return `It was signed with ${head_size} events, but the monitoring database knows of none.`;
  }
  if (last !== undefined) {
    const root = await rootAt(client, { organization_id, epoch }, { size: head_size, edge: head_edge }, last.size);
    if (root === null || Buffer.compare(root, last.root) !== 0) {
      return `Its first ${last.size} events are not those that were signed.`;
    }
  }
  const range = treeOf({ size: head_size, edge: head_edge });
  for (const row of first) for (const hash of leavesOf(row)) range.append(hash);
  for (let rows = first.length < FIRST_ROWS ? 0 : SEAL_ROWS; rows === SEAL_ROWS; await nextTurn()) {
    rows = await appendRows(client, { organization_id, epoch }, range, size);
  }
  const isWhole = range.end === size && Buffer.compare(Buffer.concat(range.hashes), edge) === 0;
  return isWhole ? null : `Its events from ${head_size} to ${size - 1} are not those that were sealed.`;
}

/** The ids and commitments of consecutive entries. */
interface StoredRow {
  ids: string[];
  commitments: Buffer;
}

/** The first rows of seals that each log has grown by, in order. */
async function firstRows(client: pg.PoolClient, logs: readonly ChangedLog[]): Promise<Map<string, StoredRow[]>> {
  const { rows } = await client.query<StoredRow & { organization_id: string }>(
    `SELECT grown.organization_id, ids, commitments
     FROM unnest($1::uuid[], $2::integer[], $3::bigint[], $4::bigint[]) AS grown (organization_id, epoch, head_size, size) CROSS JOIN LATERAL (
       SELECT first_index, ids, commitments FROM audit_seals
       WHERE organization_id = grown.organization_id AND epoch = grown.epoch AND first_index >= head_size AND first_index < size
       ORDER BY first_index LIMIT ${FIRST_ROWS}
     ) AS seals ORDER BY grown.organization_id, first_index`,
    [
      logs.map(({ organization_id }) => organization_id),
      logs.map(({ epoch }) => epoch),
      logs.map(({ head_size }) => head_size),
      logs.map(({ size }) => size),
    ],
  );
  const ofLog = new Map<string, StoredRow[]>(logs.map(({ organization_id }) => [organization_id, []]));
  for (const row of rows) ofLog.get(row.organization_id)?.push(row);
  return ofLog;
}

/** Appends the next rows of seals before `size` to a range. Returns their number. */
async function appendRows(
  client: pg.PoolClient,
  { organization_id, epoch }: LogKey,
  range: CompactRange,
  size: number,
): Promise<number> {
  const { rows } = await client.query<StoredRow>(
    `SELECT ids, commitments FROM audit_seals
     WHERE organization_id = $1 AND epoch = $2 AND first_index >= $3 AND first_index < $4 ORDER BY first_index LIMIT ${SEAL_ROWS}`,
    [organization_id, epoch, range.end, size],
  );
  for (const row of rows) for (const hash of leavesOf(row)) range.append(hash);
  return rows.length;
}

/** Damaged hashes refuse their log alone. */
function damage(error: unknown): string {
  if (error instanceof RangeError) return `Its hashes are damaged: ${error.message}.`;
  throw error;
}

async function refuse(client: pg.PoolClient, { organization_id }: ChangedLog, reason: string): Promise<void> {
  log.error({ organization_id, reason }, "a sealed log is no longer signed");
  await client.query("UPDATE audit_seal_logs SET refused = $2, refused_at = now() WHERE organization_id = $1", [
    organization_id,
    reason,
  ]);
  wakeRules("events", [organization_id]);
}

async function takeHeads(client: pg.PoolClient, logs: readonly ChangedLog[]): Promise<void> {
  await client.query(
    `UPDATE audit_seal_logs l SET head_size = next.size, head_edge = next.edge, head_root = next.root
     FROM unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::bytea[]) AS next (organization_id, size, edge, root)
     WHERE l.organization_id = next.organization_id`,
    [
      logs.map(({ organization_id }) => organization_id),
      logs.map(({ size }) => size),
      byteaArray(logs.map(({ edge }) => edge)),
      byteaArray(logs.map((each) => Buffer.from(treeOf(each).root()))),
    ],
  );
}

/** The heads of all logs. Logs without events have none. */
export async function readHeads(client: Pick<pg.ClientBase, "query">, host: string): Promise<HeadsTree> {
  const { rows } = await client.query<{
    organization_id: string;
    slot: number;
    epoch: number;
    size: number;
    root: Buffer;
  }>(
    `SELECT organization_id, slot::float8 AS slot, epoch, head_size::float8 AS size, head_root AS root
     FROM audit_seal_logs WHERE head_root IS NOT NULL`,
  );
  return new HeadsTree(
    rows.map(({ organization_id, slot, epoch, size, root }) => ({
      ...{ slot, size, root },
      origin: organizationOrigin({ host, organizationId: organization_id, slot, epoch }),
    })),
  );
}

async function appendEntry(client: pg.PoolClient, { epoch, size, edge }: HeadsLog, heads: HeadsTree): Promise<void> {
  const range = treeOf({ size, edge });
  const root = Buffer.from(heads.root());
  range.append(leafHash(installationEntry(heads.slots, root)));
  await client.query(
    "INSERT INTO audit_seal_rounds (epoch, index, slots, root, edge_before) VALUES ($1, $2, $3, $4, $5)",
    [epoch, size, heads.slots, root, edge],
  );
  await client.query("UPDATE audit_seal_installation SET size = $1, edge = $2", [
    range.end,
    Buffer.concat(range.hashes),
  ]);
}
