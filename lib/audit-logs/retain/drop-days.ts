import type pg from "pg";
import { Conditions } from "@/lib/audit-logs/conditions";
import { type HoldingOrganization, readActiveHolds } from "@/lib/audit-logs/held/active-holds";
import { heldByAny } from "@/lib/audit-logs/held/held-by";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { keepDay } from "@/lib/audit-logs/retain/keep-day";
import { auditPool } from "@/lib/db/audit";
import { withShortLock } from "@/lib/db/short-lock";
import { log } from "@/lib/log";
import { DAY_MS } from "@/lib/time/units";

/** Maximum time to move one organization's held events, in milliseconds. If some are left, the day waits for the next run. */
const TURN_MS = 30_000;

/** The tables of a day. */
const DAY_TABLES = ["audit_events", "audit_bodies", "audit_rollups"] as const;

/** A day of a retention class. */
export interface ClassDay {
  /** The class, in days. */
  from: number;
  /** Start, Unix milliseconds. */
  day: number;
  /** `20261121`, as in the names of its partitions. */
  label: string;
  /** Those of its tables that exist. */
  tables: Set<string>;
}

/** The names of a day's tables, without their schema. */
export function tablesOf({ from, label, tables }: ClassDay): string[] {
  return DAY_TABLES.filter((table) => tables.has(table)).map((table) => `${table}_${from}_${label}`);
}

/** The active holds of an organization. */
interface Held {
  organizationId: string;
  holds: Awaited<ReturnType<typeof readActiveHolds>>;
}

/** An event on hold arrived while its day was dropped, or any event of a day that had none. */
class StillHeld extends Error {}

/** `held`: an event that is kept arrived meanwhile, or another worker dropped them. `busy`: a transaction uses a table. */
type Outcome = "dropped" | "held" | "busy";

/**
 * Drops expired days of one class, of which held events are moved first, or days of the class of held events, if they have no events.
 * All or none: what cannot be dropped now waits for the next run.
 */
export async function dropDays(
  days: readonly ClassDay[],
  holding: readonly HoldingOrganization[],
  stop: () => boolean,
): Promise<Outcome> {
  const tables = days.flatMap(tablesOf);
  try {
    const holds: Held[] = [];
    for (const { organizationId, isActive } of holding) {
      if (!isActive || days.every(({ from }) => from === HELD_CLASS)) continue;
      for (const { from, day } of days) {
        const end = performance.now() + TURN_MS;
        await keepDay({ organizationId, from, day }, () => stop() || performance.now() > end);
      }
      holds.push({ organizationId, holds: await readActiveHolds(organizationId) });
    }
    await withShortLock(auditPool(), async (client) => {
      for (const day of days) await assertNoneKept(client, day, holds);
      for (const { from, day } of days) await deleteDeltas(client, from, day);
      // Locks the tables of this class only, for as long as it takes to forget the partitions: their size does not matter.
      await client.query(`DROP TABLE ${tables.map((name) => `partitions."${name}"`).join(", ")}`);
      for (const day of days) if (!day.tables.has("audit_events")) await assertGone(client, day);
    });
    return "dropped";
  } catch (error) {
    if (error instanceof StillHeld || isGone(error)) return "held";
    log.warn({ err: error, partitions: tables }, "expired partitions are in use; they will be dropped later");
    return "busy";
  }
}

/** Locks the events of a day against writes. Throws if any of them are kept. */
async function assertNoneKept(
  client: pg.PoolClient,
  { from, label, tables }: ClassDay,
  holds: readonly Held[],
): Promise<void> {
  if (!tables.has("audit_events")) return;
  const name = `audit_events_${from}_${label}`;
  // Late events of this day wait, and create it anew.
  await client.query(`LOCK TABLE partitions."${name}" IN SHARE MODE`);
  if (from === HELD_CLASS) await assertEmpty(client, name);
  else for (const each of holds) await assertNoneHeld(client, name, each);
}

/** Deletes the counts of a day that are not folded yet: they would be counted again where a larger plan moves them. */
async function deleteDeltas(client: pg.PoolClient, days: number, day: number): Promise<void> {
  await client.query("DELETE FROM audit_deltas WHERE retention_days = $1 AND start >= $2 AND start < $3", [
    days,
    new Date(day).toISOString(),
    new Date(day + DAY_MS).toISOString(),
  ]);
}

/** Whether a day has no events. */
export async function isEmptyDay({ from, label, tables }: ClassDay): Promise<boolean> {
  if (!tables.has("audit_events")) return true;
  const { rows } = await auditPool().query(`SELECT FROM partitions."audit_events_${from}_${label}" LIMIT 1`);
  return rows.length === 0;
}

/** Whether another worker dropped the table meanwhile (SQLSTATE 42P01, `undefined_table`). */
const isGone = (error: unknown) => error instanceof Error && "code" in error && error.code === "42P01";

/** A day whose events were dropped earlier may have received new events before its other tables were locked. */
async function assertGone(client: pg.PoolClient, { from, label }: ClassDay): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    `partitions."audit_events_${from}_${label}"`,
  ]);
  if (rows[0]?.exists !== false) throw new StillHeld();
}

async function assertEmpty(client: pg.PoolClient, name: string): Promise<void> {
  const { rows } = await client.query(`SELECT FROM partitions."${name}" LIMIT 1`);
  if (rows.length > 0) throw new StillHeld();
}

async function assertNoneHeld(client: pg.PoolClient, name: string, { organizationId, holds }: Held): Promise<void> {
  const all = new Conditions();
  const own = `organization_id = ${all.value(organizationId)}`;
  const { rows } = await client.query(
    `SELECT FROM partitions."${name}" WHERE ${own} AND (${heldByAny(all, holds)}) LIMIT 1`,
    all.values,
  );
  if (rows.length > 0) throw new StillHeld();
}
