import type pg from "pg";
import type { HoldingOrganization } from "@/lib/audit-logs/held/active-holds";
import { readActiveHolds } from "@/lib/audit-logs/held/active-holds";
import { heldByAny } from "@/lib/audit-logs/held/held-by";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { keepDay } from "@/lib/audit-logs/retain/keep-day";
import { Conditions } from "@/lib/audit-logs/where";
import { auditPool } from "@/lib/db/audit";
import { withShortLock } from "@/lib/db/short-lock";
import { log } from "@/lib/log";

const DAY_MS = 86_400_000;
/** Maximum time to move one organization's held events, in milliseconds. If some are left, the day waits for the next run. */
const TURN_MS = 30_000;

/** The tables of a day, in the order in which they are dropped: counts and bodies only when the events are gone. */
export const DAY_TABLES = ["audit_events", "audit_bodies", "audit_rollups"] as const;

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

/** An event on hold arrived while its day was dropped. */
class StillHeld extends Error {}

/** `held`: an event on hold arrived meanwhile, or the day's events are still there, or nothing is. `busy`: somebody uses the table. */
type Outcome = "dropped" | "held" | "busy";

/**
 * Drops one table of an expired day, of which held events are moved first, or of a day of the class of held events, if it has no events.
 * What cannot be dropped now waits for the next run.
 */
export async function dropTable(
  table: (typeof DAY_TABLES)[number],
  { from, day, label }: ClassDay,
  holding: readonly HoldingOrganization[],
  stop: () => boolean,
): Promise<Outcome> {
  const [parent, name] = [`${table}_${from}`, `${table}_${from}_${label}`];
  const holders = from === HELD_CLASS ? [] : holding.filter(({ isActive }) => isActive);
  try {
    if (table === "audit_events")
      for (const { organizationId } of holders) {
        const end = performance.now() + TURN_MS;
        await keepDay({ organizationId, from, day }, () => stop() || performance.now() > end);
      }
    const holds = await Promise.all(
      holders.map(async ({ organizationId }) => ({ organizationId, holds: await readActiveHolds(organizationId) })),
    );
    await withShortLock(auditPool(), async (client) => {
      // Late events of this day wait, and create it anew.
      await client.query(`LOCK TABLE partitions."${name}" IN SHARE MODE`);
      if (table !== "audit_events") await assertGone(client, `audit_events_${from}_${label}`);
      else if (from === HELD_CLASS) await assertEmpty(client, name);
      else for (const each of holds) await assertNoneHeld(client, name, each);
      if (table === "audit_rollups") await deleteDeltas(client, from, day);
      // Detached first, so that the short exclusive lock affects only one class; the drop then locks no other table.
      await client.query(`ALTER TABLE partitions."${parent}" DETACH PARTITION partitions."${name}"`);
      await client.query(`DROP TABLE partitions."${name}"`);
    });
    return "dropped";
  } catch (error) {
    if (error instanceof StillHeld || isGone(error)) return "held";
    log.warn({ err: error, partition: name }, "an expired partition is in use; it will be dropped later");
    return "busy";
  }
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

/** Whether the events of a day are dropped is decided first; without them, nothing else of the day is held. */
async function assertGone(client: pg.PoolClient, name: string): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [
    `partitions."${name}"`,
  ]);
  if (rows[0]?.exists !== false) throw new StillHeld();
}

async function assertEmpty(client: pg.PoolClient, name: string): Promise<void> {
  const { rows } = await client.query(`SELECT FROM partitions."${name}" LIMIT 1`);
  if (rows.length > 0) throw new StillHeld();
}

async function assertNoneHeld(
  client: pg.PoolClient,
  name: string,
  { organizationId, holds }: { organizationId: string; holds: Awaited<ReturnType<typeof readActiveHolds>> },
): Promise<void> {
  const all = new Conditions();
  const own = `organization_id = ${all.value(organizationId)}`;
  const { rows } = await client.query(
    `SELECT FROM partitions."${name}" WHERE ${own} AND (${heldByAny(all, holds)}) LIMIT 1`,
    all.values,
  );
  if (rows.length > 0) throw new StillHeld();
}
