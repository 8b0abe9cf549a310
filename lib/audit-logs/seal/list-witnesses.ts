import type pg from "pg";

type Database = Pick<pg.ClientBase, "query">;

/** After this time without a cosignature, a witness counts as silent. */
const SILENT = "1 day";

/** A witness of the installation's log, as its operator sees it. */
export interface WitnessState {
  name: string;
  vkey: string;
  url: string;
  /** The number of rounds that its last cosignature covers, of the present epoch; null before the first. */
  size: number | null;
  cosigned_at: Date | null;
  /** Since when it has not cosigned; null if it did within a day. */
  silent_since: Date | null;
  /** What the last attempt failed with; null if it succeeded. */
  failure: string | null;
  /** Why it made signing stop in this epoch; null if it did not. */
  refused: string | null;
}

/** The witnesses by name. */
export async function listWitnesses(database: Database): Promise<WitnessState[]> {
  const { rows } = await database.query<WitnessState>(
    `SELECT name, vkey, url, cosigned_at, failure, CASE WHEN refused_epoch = i.epoch THEN w.refused END AS refused,
       CASE WHEN w.epoch = i.epoch THEN w.size END::float8 AS size,
       CASE WHEN coalesce(cosigned_at, added_at) < now() - interval '${SILENT}' THEN coalesce(cosigned_at, added_at) END AS silent_since
     FROM audit_seal_witnesses w CROSS JOIN audit_seal_installation i ORDER BY name`,
  );
  return rows;
}
