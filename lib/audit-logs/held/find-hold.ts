import type pg from "pg";
import { Conditions } from "@/lib/audit-logs/conditions";
import { type ActiveHold, readActiveHolds } from "@/lib/audit-logs/held/active-holds";
import { coveredBy } from "@/lib/audit-logs/held/held-by";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { auditPool } from "@/lib/db/audit";

type Database = Pick<pg.ClientBase, "query">;

/** The oldest active hold that covers an event; null if none does. `database` is the monitoring database. */
export async function findHold(organizationId: string, id: string, database?: Database): Promise<ActiveHold | null> {
  const holds = await readActiveHolds(organizationId, database);
  if (holds.length === 0) return null;
  const all = new Conditions();
  const classes = `ANY(${all.value(CLASSES)}::smallint[])`;
  const own = `organization_id = ${all.value(organizationId)} AND retention_days = ${classes} AND id = ${all.value(id)}`;
  const covered = holds.map((hold) => coveredBy(all, hold)).join(", ");
  const { rows } = await auditPool().query<{ covered: boolean[] }>(
    `SELECT ARRAY[${covered}] AS covered FROM audit_events WHERE ${own} LIMIT 1`,
    all.values,
  );
  return holds.find((_, at) => rows[0]?.covered[at] === true) ?? null;
}
