import { pool } from "@/lib/db/app";
import { byteaArray } from "@/lib/db/bytea-array";
import { withTransaction } from "@/lib/db/connections";
import type { Head } from "@/lib/sealed-log/proofs";
import { EMPTY_ROOT } from "@/lib/sealed-log/tree";

/** The name of the log over all heads. */
export const INSTALLATION = "installation";

/** The size and root of a log, in the monitoring database: the last that may have been signed. */
export interface SealedHead extends Head {
  /** An organization's id, or INSTALLATION. */
  log: string;
  epoch: number;
}

/** The heads of these logs as the monitoring database has them, by log. Logs that were never signed are missing. */
export async function readSealedHeads(logs: readonly string[]): Promise<Map<string, SealedHead>> {
  const { rows } = await pool().query<SealedHead>(
    "SELECT log, epoch, size::float8 AS size, root FROM sealed_heads WHERE log = ANY($1)",
    [logs],
  );
  return new Map(rows.map((row) => [row.log, row]));
}

/** A head that replaces another of the same log; from nothing for the first. */
interface Advance {
  from: SealedHead | undefined;
  to: SealedHead;
}

/** Another worker advanced a head in the meantime. */
export class LostSwap extends Error {
  override readonly name = "LostSwap";
}

/** Compares and swaps all heads in one transaction, or none. Throws LostSwap if one is neither `from` nor already `to`. */
export async function advanceSealedHeads(advances: readonly Advance[]): Promise<void> {
  const isBackwards = ({ from, to }: Advance) =>
    from !== undefined && (from.epoch > to.epoch || (from.epoch === to.epoch && from.size > to.size));
  if (advances.some(isBackwards)) throw new LostSwap("a head is further than what is to be signed");
  await withTransaction(pool(), async (client) => {
    const first = advances.flatMap(({ from, to }) => (from === undefined ? to : []));
    await client.query(
      `INSERT INTO sealed_heads (log, epoch, size, root)
       SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bytea[]) ON CONFLICT DO NOTHING`,
      columns(first),
    );
    const from = columns(advances.map(({ from, to }) => from ?? to));
    const { rowCount } = await client.query(
      `UPDATE sealed_heads h SET epoch = next.epoch, size = next.size, root = next.root
       FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bytea[], $5::integer[], $6::bigint[], $7::bytea[])
         AS next (log, epoch, size, root, from_epoch, from_size, from_root)
       WHERE h.log = next.log
         AND (h.epoch, h.size, h.root) IN ((from_epoch, from_size, from_root), (next.epoch, next.size, next.root))`,
      [...columns(advances.map(({ to }) => to)), ...from.slice(1)],
    );
    if (rowCount !== advances.length) throw new LostSwap("another worker advanced a head in the meantime");
  });
}

/** Sets the head of a log that was signed further than the monitoring database knows. */
export async function raiseSealedHead(head: SealedHead): Promise<void> {
  await pool().query(
    `INSERT INTO sealed_heads (log, epoch, size, root)
     SELECT log, epoch, size, root FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bytea[]) AS raised (log, epoch, size, root)
     ON CONFLICT (log) DO UPDATE SET epoch = excluded.epoch, size = excluded.size, root = excluded.root
     WHERE (sealed_heads.epoch, sealed_heads.size) < (excluded.epoch, excluded.size)`,
    columns([head]),
  );
}

/** Sets the heads of these logs to the beginning of an epoch. */
export async function startSealedHeads(logs: readonly string[], epoch: number): Promise<void> {
  await pool().query(
    `INSERT INTO sealed_heads (log, epoch, size, root)
     SELECT log, epoch, size, root FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bytea[]) AS start (log, epoch, size, root)
     ON CONFLICT (log) DO UPDATE SET epoch = excluded.epoch, size = excluded.size, root = excluded.root`,
    columns(logs.map((log) => ({ log, epoch, size: 0, root: EMPTY_ROOT }))),
  );
}

/** The columns of heads as parameters: log, epoch, size, root. */
function columns(heads: readonly SealedHead[]): unknown[] {
  return [
    heads.map(({ log }) => log),
    heads.map(({ epoch }) => epoch),
    heads.map(({ size }) => size),
    byteaArray(heads.map(({ root }) => Buffer.from(root))),
  ];
}
