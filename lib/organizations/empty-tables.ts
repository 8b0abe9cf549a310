import { pool } from "@/lib/db/app";
import { inSteps, type Step } from "@/lib/db/in-steps";
import { type OwnTable, readOwnTables } from "@/lib/organizations/own-tables";

/** Emptied first: then nobody gets in any more, and nobody is notified of what vanishes. */
const FIRST = ["api_keys", "invitations", "notification_channels", "alert_rules"];
/** What the purge itself still needs. */
const LEFT_OUT = "organization_purges";

/** Those that refer to others first, and of these the ones in FIRST before all. */
function inOrder(tables: readonly OwnTable[]): OwnTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const ordered = new Set<OwnTable>();
  const visit = (name: string) => {
    const table = byName.get(name);
    if (table === undefined || ordered.has(table)) return;
    for (const child of table.children) if (child !== name) visit(child);
    ordered.add(table);
  };
  for (const name of [...FIRST, ...byName.keys()]) visit(name);
  return [...ordered];
}

/**
 * Deletes an organization's rows from every table of the monitoring database, in short steps that each commit. Returns false if
 * `stop` ended it before: called again, it goes on.
 */
export async function emptyTables(organizationId: string, stop: () => boolean): Promise<boolean> {
  if (!(await inSteps(peopleStep(organizationId), stop))) return false;
  const tables = (await readOwnTables()).filter(({ name }) => name !== LEFT_OUT);
  for (const table of inOrder(tables)) {
    const step = table.keys.length > 0 ? stepByKey(table, organizationId) : anyStep(table.name, organizationId);
    if (!(await inSteps(step, stop))) return false;
  }
  return true;
}

/** In the order of the key, so that no step looks at what those before it deleted. */
function stepByKey({ name, keys }: OwnTable, organizationId: string): Step {
  const columns = keys.map((key) => `"${key.name}"`).join(", ");
  const position = (from: number) => keys.map(({ type }, index) => `$${index + from}::${type}`).join(", ");
  let after: string[] = [];
  return async (size) => {
    const began = after;
    const range = `organization_id = $1${began.length > 0 ? ` AND (${columns}) > (${position(2)})` : ""}`;
    const { rows } = await pool().query<{ last: string[] }>(
      `SELECT ARRAY[${keys.map((key) => `"${key.name}"::text`).join(", ")}] AS last FROM "${name}"
       WHERE ${range} ORDER BY ${columns} OFFSET ${size - 1} LIMIT 1`,
      [organizationId, ...began],
    );
    const last = rows[0]?.last ?? [];
    const end = last.length > 0 ? ` AND (${columns}) <= (${position(began.length + 2)})` : "";
    await pool().query(`DELETE FROM "${name}" WHERE ${range}${end}`, [organizationId, ...began, ...last]);
    after = last;
    return last.length > 0;
  };
}

/** For tables that hold little of one organization. */
function anyStep(name: string, organizationId: string): Step {
  return async (size) => {
    const { rowCount } = await pool().query(
      `DELETE FROM "${name}" WHERE ctid = ANY (ARRAY(SELECT ctid FROM "${name}" WHERE organization_id = $1 LIMIT ${size}))`,
      [organizationId],
    );
    return rowCount === size;
  };
}

/** Who is a member of nothing else was known for the sake of this organization alone. */
function peopleStep(organizationId: string): Step {
  return async (size) => {
    const { rowCount } = await pool().query(
      `DELETE FROM users WHERE id = ANY (ARRAY(
         SELECT m.user_id FROM memberships m WHERE m.organization_id = $1
           AND NOT EXISTS (SELECT FROM memberships o WHERE o.user_id = m.user_id AND o.organization_id <> $1)
         LIMIT ${size}))`,
      [organizationId],
    );
    return rowCount === size;
  };
}
