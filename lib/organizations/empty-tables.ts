import { pool } from "@/lib/db/app";
import { deleteInSteps } from "@/lib/db/delete-in-steps";
import { deletePeopleInSteps } from "@/lib/db/delete-people-in-steps";
import { inSteps, type Step } from "@/lib/db/in-steps";
import { type OwnTable, readOwnTables } from "@/lib/organizations/own-tables";

/** Emptied first, so that nobody has access any more and nobody is notified of the rows that disappear. */
const FIRST = ["api_keys", "invitations", "status_pages", "notification_channels", "alert_rules"];
/** The purge itself still needs this table. */
const LEFT_OUT = "organization_purges";

/** People who are members of no other organization, and created no other: those count although their creators left. */
const PEOPLE = `EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id AND m.organization_id = $1)
  AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id AND m.organization_id <> $1)
  AND NOT EXISTS (SELECT FROM organizations o WHERE o.created_by = users.id AND o.id <> $1)`;

/** Referring tables before the tables they refer to, starting with those in FIRST. */
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
 * `stop` interrupted it; the next call continues.
 */
export async function emptyTables(organizationId: string, stop: () => boolean): Promise<boolean> {
  if (!(await deletePeopleInSteps(PEOPLE, [organizationId], stop))) return false;
  const tables = (await readOwnTables()).filter(({ name }) => name !== LEFT_OUT);
  for (const table of inOrder(tables)) {
    const isEmpty =
      table.keys.length > 0
        ? await inSteps(stepByKey(table, organizationId), stop)
        : await deleteInSteps(table.name, "organization_id = $1", [organizationId], stop);
    if (!isEmpty) return false;
  }
  return true;
}

/** Follows the order of the key, so that no step scans rows that earlier steps deleted. */
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
