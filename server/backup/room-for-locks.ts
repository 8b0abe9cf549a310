import type pg from "pg";
import { pathOf } from "@/server/backup/catalogue";
import type { BackedUpTable, DatabaseName } from "@/server/backup/manifest";
import { CliError } from "@/server/cli-error";

type Database = Pick<pg.ClientBase, "query">;
type Partitions = readonly Pick<BackedUpTable, "partition">[];

/** Besides a partition and its indexes: the table for its long values, and that table's index. */
const OTHER_LOCKS = 2;

/** How many locks a transaction holds that makes these partitions, whose parents exist. */
export async function locksOf(database: Database, tables: Partitions): Promise<number> {
  const partitions = new Map<string, number>();
  for (const { partition } of tables) {
    if (partition === null) continue;
    const parent = pathOf({ schema: partition.schema, name: partition.of });
    partitions.set(parent, (partitions.get(parent) ?? 0) + 1);
  }
  const { rows } = await database.query<{ locks: number }>(
    `SELECT coalesce(sum(partitions * (1 + ${OTHER_LOCKS} + (SELECT count(*) FROM pg_index WHERE indrelid = parent::regclass))), 0)::integer
       AS locks FROM unnest($1::text[], $2::integer[]) AS given (parent, partitions)`,
    [[...partitions.keys()], [...partitions.values()]],
  );
  return rows[0]?.locks ?? 0;
}

/** Throws CliError if PostgreSQL has no room for the locks of these partitions, beside those that are held now. */
export async function assertRoomForLocks(database: Database, name: DatabaseName, tables: Partitions): Promise<void> {
  const { rows } = await database.query<{ held: number; sessions: number; room: number }>(
    `SELECT (SELECT count(DISTINCT (database, relation, classid, objid)) FROM pg_locks)::integer AS held,
       sessions, sessions * current_setting('max_locks_per_transaction')::integer AS room
     FROM (SELECT current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer AS sessions) AS s`,
  );
  const { held, sessions, room } = rows[0] ?? { held: 0, sessions: 1, room: 0 };
  const needed = held + (await locksOf(database, tables));
  if (needed <= room) return;
  throw new CliError(
    `The ${name} database has so many partitions that its restore needs ${needed} locks, and this PostgreSQL has room for ${room}. Set its max_locks_per_transaction to at least ${Math.ceil(needed / sessions)}, and restart it. Nothing was changed.`,
  );
}
