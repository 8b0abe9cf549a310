import type pg from "pg";
import { isRead, READ } from "@/lib/audit-logs/count/dimensions";
import { foldDeltas, foldHour } from "@/lib/audit-logs/count/fold-deltas";
import type { ActiveHold } from "@/lib/audit-logs/held/active-holds";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { DROP_MARGIN_MS } from "@/lib/audit-logs/retain/drop-margin";
import { moveNext, nextEvents, withHolds } from "@/lib/audit-logs/retain/hold-step";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { idAt, idTime } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const ALL = { low: idAt(0), high: "ffffffff-ffff-ffff-ffff-ffffffffffff" };

/**
 * Files what only released holds of an organization kept: events that its plan keeps at `now` (Unix milliseconds) return to the plan's
 * class, others are deleted. Repeat the call to continue after `stop`.
 */
export async function settleReleased(organizationId: string, now: number, stop: () => boolean): Promise<void> {
  const days = new Set<number>();
  for (let low = ALL.low; !stop(); ) {
    const range = { organizationId, from: HELD_CLASS, low, high: ALL.high, isHeld: false };
    const filed = await moveNext(range, async (ids) => {
      const planned = await planDays(organizationId);
      const oldest = now - planned * DAY_MS - DROP_MARGIN_MS;
      const expired = ids.filter((id) => idTime(id) < oldest);
      return expired.length > 0 ? { class: null, ids: expired } : { class: planned, ids };
    });
    for (const id of filed) days.add(idTime(id) - (idTime(id) % DAY_MS));
    const last = filed.at(-1);
    if (last === undefined) break;
    low = last;
  }
  // Also creates the days that counts of dropped ones would need.
  if (days.size > 0) await foldDeltas();
  for (const day of days)
    if (!stop()) await withHolds(organizationId, (client) => recount(client, organizationId, day));
  if (!stop()) await withHolds(organizationId, (client, holds) => settle(client, organizationId, holds));
}

async function planDays(organizationId: string): Promise<number> {
  const { rows } = await pool().query<{ plan: string }>("SELECT plan FROM organizations WHERE id = $1", [
    organizationId,
  ]);
  // A deleted organization's events are deleted with its log.
  return auditRetentionDays(rows[0]?.plan ?? "enterprise");
}

/** Deletes the counts of a day without held events, and sets the slowest response of each hour of another to that of what is left. */
async function recount(client: pg.PoolClient, organizationId: string, day: number): Promise<void> {
  for (let hour = day; hour < day + DAY_MS; hour += HOUR_MS) await foldHour(client, organizationId, idAt(hour));
  const own = [organizationId, HELD_CLASS, new Date(day).toISOString(), new Date(day + DAY_MS).toISOString()];
  const within = "organization_id = $1 AND retention_days = $2";
  await client.query(
    `DELETE FROM audit_rollups WHERE ${within} AND start >= $3 AND start < $4 AND (events <= 0 OR NOT EXISTS (
       SELECT FROM audit_events WHERE ${within} AND id >= audit_id_at($3) AND id < audit_id_at($4)
     ))`,
    own,
  );
  await client.query(
    `WITH slowest AS (
       SELECT grain, date_trunc(grain, occurred_at, 'UTC') AS start, CASE WHEN ${isRead("tokens")} THEN '${READ}' ELSE '' END AS value,
         max(response_time_us) AS peak
       FROM audit_events CROSS JOIN (VALUES ('hour'), ('day')) AS grains (grain)
       WHERE ${within} AND id >= audit_id_at($3) AND id < audit_id_at($4) GROUP BY 1, 2, 3
     )
     UPDATE audit_rollups r SET peak = s.peak FROM slowest s
     WHERE r.organization_id = $1 AND r.retention_days = $2 AND r.dimension = 'total' AND r.grain = s.grain AND r.start = s.start
       AND r.value = s.value`,
    own,
  );
}

/** Notes that nothing is left to file for the released holds, unless something is. */
async function settle(client: pg.PoolClient, organizationId: string, holds: readonly ActiveHold[]): Promise<void> {
  const left = await nextEvents(client, { organizationId, from: HELD_CLASS, ...ALL }, holds, false);
  if (left.length > 0) return;
  await withTransaction(pool(), async (app) => {
    const own = [organizationId];
    // Locked first, so that a hold that is placed now is seen.
    await app.query("SELECT FROM organizations WHERE id = $1 FOR UPDATE", own);
    const { rows } = await app.query<{ id: string }>(
      "SELECT id FROM audit_holds WHERE organization_id = $1 AND released_at IS NULL",
      own,
    );
    // Released since the holds were read: the next run.
    if (holds.some(({ id }) => !rows.some((row) => row.id === id))) return;
    await app.query(
      "UPDATE audit_holds SET settled_at = now() WHERE organization_id = $1 AND released_at IS NOT NULL AND settled_at IS NULL",
      own,
    );
    if (rows.length > 0) return;
    await app.query("UPDATE organizations SET audit_has_held = false WHERE id = $1", own);
  });
}
