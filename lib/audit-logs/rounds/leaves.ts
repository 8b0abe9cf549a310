import type pg from "pg";
import { installationEntry } from "@/lib/sealed-log/heads";
import { type Hash, leafHash } from "@/lib/sealed-log/tree";

/** The leaves [from, to) of the log over all heads, from stored rounds. Throws RangeError if one is not stored any more. */
export async function leavesOfRounds(
  database: Pick<pg.ClientBase, "query">,
  epoch: number,
  from: number,
  to: number,
): Promise<Hash[]> {
  const { rows } = await database.query<{ slots: number; root: Buffer }>(
    `SELECT slots::float8 AS slots, root FROM audit_seal_rounds
     WHERE epoch = $1 AND index >= $2 AND index < $3 ORDER BY index`,
    [epoch, from, to],
  );
  if (rows.length !== to - from) throw new RangeError(`the rounds ${from} to ${to - 1} are not all stored`);
  return rows.map(({ slots, root }) => leafHash(installationEntry(slots, root)));
}
