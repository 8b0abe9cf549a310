import type pg from "pg";
import { isRead, READ } from "@/lib/audit-logs/count/dimensions";
import { foldDeltas, foldHour } from "@/lib/audit-logs/count/fold-deltas";
import { type ActiveHold, readUnsettledHolds } from "@/lib/audit-logs/held/active-holds";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { DROP_MARGIN_MS } from "@/lib/audit-logs/retain/drop-margin";
import { moveNext, withHolds } from "@/lib/audit-logs/retain/hold-step";
import { listDays } from "@/lib/audit-logs/retain/list-days";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { idAt, idTime } from "@/lib/ids";
import { auditRetentionDays } from "@/lib/plans";
import { processSingleton } from "@/lib/process-singleton";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

/** The days of the class of held events that have nothing left to file for certain holds of an organization. */
interface Searched {
  /** As `readUnsettledHolds` returns them: other holds may leave other events. */
  holds: string;
  /** Starts, Unix milliseconds. */
  days: Set<number>;
}

const searchedDays = () => processSingleton("audit-logs.settled-days", () => new Map<string, Searched>());

/** Forgets what was searched for other organizations than these. */
export function forgetOthers(releasing: ReadonlySet<string>): void {
  for (const id of searchedDays().keys()) if (!releasing.has(id)) searchedDays().delete(id);
}

/**
 * Files what only released holds of an organization kept, day by day: events that its plan keeps at `now` (Unix milliseconds) return to
 * the plan's class, others are deleted. Repeat the call to continue after `stop`.
 */
export async function settleReleased(organizationId: string, now: number, stop: () => boolean): Promise<void> {
  const searched = await searchedFor(organizationId);
  for (const { day } of await listDays(HELD_CLASS)) {
    if (searched.days.has(day)) continue;
    if (stop()) return;
    if (await fileDay(organizationId, day, now, stop)) {
      // Also creates the days that counts of dropped ones would need.
      await foldDeltas();
      await withHolds(organizationId, (client) => recount(client, organizationId, day));
    }
    if (!stop()) searched.days.add(day);
  }
  if (!stop()) await withHolds(organizationId, (client, holds) => settle(client, organizationId, holds, searched));
}

async function searchedFor(organizationId: string): Promise<Searched> {
  const holds = await readUnsettledHolds(organizationId);
  const known = searchedDays().get(organizationId);
  if (known?.holds === holds) return known;
  const searched = { holds, days: new Set<number>() };
  searchedDays().set(organizationId, searched);
  return searched;
}

/** Files the events of a day that no active hold covers. Returns whether there were any. */
async function fileDay(organizationId: string, day: number, now: number, stop: () => boolean): Promise<boolean> {
  const high = idAt(day + DAY_MS);
  let isFiled = false;
  for (let low = idAt(day); !stop(); ) {
    const filed = await moveNext({ organizationId, from: HELD_CLASS, low, high, isHeld: false }, async (ids) => {
      const planned = await planDays(organizationId);
      const oldest = now - planned * DAY_MS - DROP_MARGIN_MS;
      const expired = ids.filter((id) => idTime(id) < oldest);
      return expired.length > 0 ? { class: null, ids: expired } : { class: planned, ids };
    });
    const last = filed.at(-1);
    if (last === undefined) break;
    [low, isFiled] = [last, true];
  }
  return isFiled;
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

/** Notes that nothing is left to file for the released holds, unless a day was not searched for the holds of now. */
async function settle(
  client: pg.PoolClient,
  organizationId: string,
  holds: readonly ActiveHold[],
  searched: Searched,
): Promise<void> {
  if ((await readUnsettledHolds(organizationId)) !== searched.holds) return;
  const days = await listDays(HELD_CLASS, client);
  if (days.some(({ day }) => !searched.days.has(day))) return;
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
