import type pg from "pg";
import { Conditions } from "@/lib/audit-logs/conditions";
import { heldByAny } from "@/lib/audit-logs/held/held-by";
import { withHolds } from "@/lib/audit-logs/retain/hold-step";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { idAt } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

/** Maximum number of events, bytes of their bodies, and counts to move per step. */
const MAX_EVENTS = 2_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_COUNTS = 5_000;

interface DayToMove {
  organizationId: string;
  /** Retention classes, in days; null deletes. */
  from: number;
  to: number | null;
  /** Start of the day in UTC, Unix milliseconds. */
  day: number;
}

/**
 * Moves a day of an organization to another retention class, or deletes it without what is on hold, in short transactions: each event with its body is always
 * in exactly one class, and the total counts never change. Repeat the call to continue after `stop`.
 */
export async function moveDay(move: DayToMove, stop: () => boolean): Promise<void> {
  const end = idAt(move.day + DAY_MS);
  for (let low = idAt(move.day); low !== end; ) {
    if (stop()) return;
    const high = await endOfStep(move, low, end);
    if (move.to === null) await deleteUnheld(move, low, high);
    else
      await withTransaction(auditPool(), async (client) => {
        for (const table of ["audit_events", "audit_bodies"]) {
          await moveRows(client, table, move, "id >= $3 AND id < $4", [low, high]);
        }
      });
    low = high;
  }
  const range = [new Date(move.day).toISOString(), new Date(move.day + DAY_MS).toISOString()];
  const within = "organization_id = $1 AND retention_days = $2 AND start >= $3 AND start < $4";
  for (let moved = MAX_COUNTS; moved > 0; ) {
    if (stop()) return;
    moved = await withTransaction(auditPool(), (client) =>
      moveRows(
        client,
        "audit_rollups",
        move,
        // The day outside too: rows are looked for in every day of the class otherwise.
        `start >= $3 AND start < $4
           AND (tableoid, ctid) IN (SELECT tableoid, ctid FROM audit_rollups WHERE ${within} LIMIT ${MAX_COUNTS})`,
        range,
      ),
    );
  }
  const own = [move.organizationId, move.from, ...range];
  if (move.to === null) await auditPool().query(`DELETE FROM audit_deltas WHERE ${within}`, own);
  else await auditPool().query(`UPDATE audit_deltas SET retention_days = $5 WHERE ${within}`, [...own, move.to]);
}

/** Deletes events with their bodies, except those that a hold covers: one may have arrived since they were moved. */
function deleteUnheld({ organizationId, from }: DayToMove, low: string, high: string): Promise<void> {
  return withHolds(organizationId, async (client, holds) => {
    const own = "organization_id = $1 AND retention_days = $2";
    const all = new Conditions([organizationId, from, low, high]);
    const unheld = `NOT (${heldByAny(all, holds)})`;
    await client.query(`DELETE FROM audit_events WHERE ${own} AND id >= $3 AND id < $4 AND ${unheld}`, all.values);
    await client.query(
      `DELETE FROM audit_bodies b WHERE ${own} AND id >= $3 AND id < $4
         AND NOT EXISTS (SELECT FROM audit_events e WHERE ${own} AND e.id = b.id)`,
      [organizationId, from, low, high],
    );
  });
}

/** The id at which a step that starts at `low` ends (exclusive). */
async function endOfStep({ organizationId, from }: DayToMove, low: string, end: string): Promise<string> {
  const { rows } = await auditPool().query<{ id: string }>(
    `SELECT id FROM (
       SELECT id, row_number() OVER ids AS number, sum(coalesce(body_size, 0)) OVER ids AS bytes FROM (
         SELECT id, body_size FROM audit_events WHERE organization_id = $1 AND retention_days = $2 AND id >= $3 AND id < $4
         ORDER BY id LIMIT ${MAX_EVENTS + 1}
       ) AS step WINDOW ids AS (ORDER BY id)
     ) AS counted WHERE number > 1 AND (number > ${MAX_EVENTS} OR bytes > ${MAX_BODY_BYTES}) ORDER BY id LIMIT 1`,
    [organizationId, from, low, end],
  );
  return rows[0]?.id ?? end;
}

/** Moves or deletes the organization's rows of a class that meet `condition` (on $3 and $4). Returns their number. */
async function moveRows(
  client: pg.PoolClient,
  table: string,
  { organizationId, from, to }: DayToMove,
  condition: string,
  bounds: string[],
): Promise<number> {
  const deletion = `DELETE FROM ${table} WHERE organization_id = $1 AND retention_days = $2 AND ${condition}`;
  const values = [organizationId, from, ...bounds];
  if (to === null) return (await client.query(deletion, values)).rowCount ?? 0;
  const { rows } = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
    [table],
  );
  const names = rows.map(({ name }) => name);
  const conflict =
    table === "audit_rollups"
      ? `(organization_id, retention_days, grain, dimension, start, value) DO UPDATE
         SET events = kept.events + excluded.events, peak = greatest(kept.peak, excluded.peak)`
      : "DO NOTHING";
  const { rows: counted } = await client.query<{ count: number }>(
    `WITH moved AS (${deletion} RETURNING *), kept AS (
       INSERT INTO ${table} AS kept (${names.join(", ")})
       SELECT ${names.map((name) => (name === "retention_days" ? "$5::smallint" : name)).join(", ")} FROM moved
       ON CONFLICT ${conflict}
     )
     SELECT count(*)::integer AS count FROM moved`,
    [...values, to],
  );
  return counted[0]?.count ?? 0;
}
