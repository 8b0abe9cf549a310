import type pg from "pg";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { idAt } from "@/lib/ids";
import { log } from "@/lib/log";
import { auditRetentionDays } from "@/lib/organizations/plans";

const DAY_MS = 86_400_000;
/** A long read may make us wait this long, and whoever comes behind us; then it goes first, and the next run tries again. */
const LOCK_TIMEOUT_MS = 100;

interface Expired {
  parent: string;
  name: string;
}

/**
 * Drops every day of every class that has wholly expired at `now` (Unix milliseconds). Dropping a table costs the same whether
 * it holds ten events or ten million. Returns the names of what was dropped.
 */
export async function dropExpired(now = Date.now()): Promise<string[]> {
  const { rows } = await auditPool().query<Expired>(
    `SELECT parent.relname AS parent, child.relname AS name
     FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid JOIN pg_class parent ON parent.oid = inhparent
     JOIN pg_namespace n ON n.oid = child.relnamespace
     WHERE n.nspname = 'partitions' AND child.relkind = 'r' AND child.relname ~ '_\\d+_\\d{8}$' ORDER BY child.relname`,
  );
  const dropped: string[] = [];
  const busy = new Set<string>();
  for (const { parent, name } of rows) {
    const [, days = "", year, month, day] = /_(\d+)_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
    const end = Date.parse(`${year}-${month}-${day}T00:00:00Z`) + DAY_MS;
    if (end > now - Number(days) * DAY_MS || busy.has(parent)) continue;
    if (await drop(parent, name)) dropped.push(name);
    else busy.add(parent);
  }
  return dropped;
}

/** Detaching first leaves the short exclusive lock on one class; the drop itself then touches nobody's table. */
async function drop(parent: string, name: string): Promise<boolean> {
  try {
    await withTransaction(
      auditPool(),
      async (client) => {
        await client.query(`ALTER TABLE partitions."${parent}" DETACH PARTITION partitions."${name}"`);
        await client.query(`DROP TABLE partitions."${name}"`);
      },
      { lockMs: LOCK_TIMEOUT_MS },
    );
    return true;
  } catch (error) {
    log.warn({ err: error, partition: name }, "an expired partition is in use; it will be dropped later");
    return false;
  }
}

interface Moving {
  id: string;
  plan: string;
  audit_classes: number[];
}

/**
 * Moves the events of organizations whose plan changed into the class of their plan, a day at a time. The former class is looked
 * at for an hour more: a request that was under way, or an outbox, may still write with it.
 */
export async function moveClasses(now = Date.now()): Promise<void> {
  const { rows } = await pool().query<Moving>(
    "SELECT id, plan, audit_classes FROM organizations WHERE cardinality(audit_classes) > 1",
  );
  for (const { id, plan, audit_classes } of rows) {
    const to = auditRetentionDays(plan);
    let days = 0;
    for (const from of audit_classes) if (from !== to) days += await moveOrganization(id, from, to, now);
    if (days > 0) continue;
    await pool().query(
      `UPDATE organizations SET audit_classes = $2 WHERE id = $1 AND plan = $3
         AND plan_changed_at < now() - interval '1 hour'
         AND NOT EXISTS (SELECT FROM audit_outbox WHERE organization_id = $1)`,
      [id, [to], plan],
    );
  }
}

/** The UTC days (`2026-11-21`) on which an organization has anything in a class. */
export async function daysOf(organizationId: string, days: number): Promise<string[]> {
  // Counts may be left where no events are: deltas that were folded just when their day was moved.
  const own = "organization_id = $1 AND retention_days = $2";
  const { rows } = await auditPool().query<{ day: string }>(
    `SELECT DISTINCT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM (
       SELECT occurred_at FROM audit_events WHERE ${own} UNION SELECT start FROM audit_rollups WHERE ${own}
       UNION SELECT start FROM audit_deltas WHERE ${own}
     ) AS times (time) ORDER BY day`,
    [organizationId, days],
  );
  return rows.map(({ day }) => day);
}

/** Deletes what an organization has in a class on one UTC day. */
export async function dropDay(organizationId: string, days: number, day: string): Promise<void> {
  await moveDay(organizationId, days, days, Date.parse(`${day}T00:00:00Z`), false);
}

/** Returns how many days there were to move. */
async function moveOrganization(organizationId: string, from: number, to: number, now: number): Promise<number> {
  const oldest = now - to * DAY_MS;
  const days = await daysOf(organizationId, from);
  for (const day of days) {
    const start = Date.parse(`${day}T00:00:00Z`);
    const kept = start + DAY_MS > oldest;
    if (kept) await auditPool().query("SELECT audit_make_day($1::smallint, $2::date)", [to, day]);
    await moveDay(organizationId, from, to, start, kept);
    log.info(
      { organization_id: organizationId, day, from, to: kept ? to : null },
      "moved a day of events between classes",
    );
  }
  return days.length;
}

/** One day of events, bodies and rollups in one transaction; not kept means that the new class has let that day go. */
async function moveDay(organizationId: string, from: number, to: number, start: number, kept: boolean): Promise<void> {
  await withTransaction(auditPool(), async (client) => {
    for (const table of ["audit_events", "audit_bodies", "audit_rollups"] as const) {
      await moveRows(client, table, organizationId, from, to, start, kept);
    }
    const range = [organizationId, from, new Date(start).toISOString(), new Date(start + DAY_MS).toISOString()];
    const deltas = "organization_id = $1 AND retention_days = $2 AND start >= $3 AND start < $4";
    if (kept) await client.query(`UPDATE audit_deltas SET retention_days = $5 WHERE ${deltas}`, [...range, to]);
    else await client.query(`DELETE FROM audit_deltas WHERE ${deltas}`, range);
  });
}

async function moveRows(
  client: pg.PoolClient,
  table: "audit_events" | "audit_bodies" | "audit_rollups",
  organizationId: string,
  from: number,
  to: number,
  start: number,
  kept: boolean,
): Promise<void> {
  const column = table === "audit_rollups" ? "start" : "id";
  const bound = (time: number) => (table === "audit_rollups" ? new Date(time).toISOString() : idAt(time));
  const range = `organization_id = $1 AND retention_days = $2 AND ${column} >= $3 AND ${column} < $4`;
  const values = [organizationId, from, bound(start), bound(start + DAY_MS)];
  if (!kept) return void (await client.query(`DELETE FROM ${table} WHERE ${range}`, values));
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
  await client.query(
    `WITH moved AS (DELETE FROM ${table} WHERE ${range} RETURNING *)
     INSERT INTO ${table} AS kept (${names.join(", ")})
     SELECT ${names.map((name) => (name === "retention_days" ? "$5::smallint" : name)).join(", ")} FROM moved
     ON CONFLICT ${conflict}`,
    [...values, to],
  );
}

/** The worker's job. What was dropped goes to the operator's log. */
export async function enforceRetention(): Promise<void> {
  await moveClasses();
  const dropped = await dropExpired();
  if (dropped.length > 0) log.info({ partitions: dropped }, "dropped expired audit partitions");
}
