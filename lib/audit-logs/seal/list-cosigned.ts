import type pg from "pg";
import type { LogKey } from "@/lib/audit-logs/seal/nodes";
import { groupBy } from "@/lib/group-by";
import type { HeadsProof } from "@/lib/sealed-log/heads";

type Database = Pick<pg.ClientBase, "query">;

/** The checkpoints of a range that are looked at for their cosignatures. */
const NEWEST = 400;

/** A checkpoint of an organization's log that a cosigned checkpoint of the installation covers, cosigned once or at two times. */
export interface CosignedCheckpoint {
  size: number;
  note: string;
  /** With the first cosignatures, and with the last ones; equal if there are no others. */
  first: HeadsProof;
  last: HeadsProof;
  /** The latest time of the first cosignatures, and the earliest of the last ones, whichever witness is trusted. Unix ms. */
  first_at: number;
  last_at: number;
}

interface Row {
  size: number;
  note: string;
  heads: HeadsProof;
  first_at: Date;
  first_line: string;
  last_at: Date;
  last_line: string;
}

interface CosignedRange {
  first: number;
  end: number;
  /** The most that are looked at: the largest, or with `ASC` the smallest ones. */
  limit?: number;
  order?: "ASC" | "DESC";
}

/** The checkpoints of a log with a cosignature from `first` to `end` entries, smallest first, always with one of `first` entries. */
export async function listCosigned(
  database: Database,
  { organization_id, epoch }: LogKey,
  { first, end, limit = NEWEST, order = "DESC" }: CosignedRange,
): Promise<CosignedCheckpoint[]> {
  const range = [organization_id, epoch, first, end];
  const { rows } = await database.query<Row>(
    `SELECT c.size::float8 AS size, c.checkpoint AS note, place.heads, s.first_at, s.first_line, s.last_at, s.last_line
     FROM (
       (SELECT size, epoch, checkpoint, first_heads, heads, covered FROM audit_seal_checkpoints
        WHERE organization_id = $1 AND epoch = $2 AND size BETWEEN $3 AND $4
        ORDER BY size ${order} LIMIT $5)
       UNION
       (SELECT size, epoch, checkpoint, first_heads, heads, covered FROM audit_seal_checkpoints
        WHERE organization_id = $1 AND epoch = $2 AND size = $3)
     ) AS c
     CROSS JOIN LATERAL (VALUES (c.first_heads), (c.heads), (c.covered)) AS place (heads)
     JOIN audit_seal_cosignatures s ON s.epoch = c.epoch AND s.index = (place.heads->>'index')::bigint
     ORDER BY c.size, s.index, s.vkey`,
    [...range, limit],
  );
  return [...groupBy(rows, ({ size }) => size).values()].flatMap(cosignedOf);
}

/** The rows of one checkpoint, by place and witness. */
function cosignedOf(rows: readonly Row[]): CosignedCheckpoint[] {
  const [one, newest] = [rows[0], rows.at(-1)];
  if (one === undefined || newest === undefined) return [];
  const of = ({ heads }: Row) => rows.filter((row) => row.heads.index === heads.index);
  const [firsts, lasts] = [of(one), of(newest)];
  return [
    {
      size: one.size,
      note: one.note,
      first: withLines(
        one.heads,
        firsts.map(({ first_line }) => first_line),
      ),
      last: withLines(
        newest.heads,
        lasts.map(({ last_line }) => last_line),
      ),
      first_at: Math.max(...firsts.map(({ first_at }) => first_at.getTime())),
      last_at: Math.min(...lasts.map(({ last_at }) => last_at.getTime())),
    },
  ];
}

/** The installation's checkpoint with the lines of cosignatures behind its signatures, each once. */
function withLines(heads: HeadsProof, lines: readonly string[]): HeadsProof {
  return { ...heads, checkpoint: heads.checkpoint + [...new Set(lines)].join("") };
}
