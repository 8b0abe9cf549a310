import type pg from "pg";
import type { ClassDay } from "@/lib/audit-logs/retain/drop-days";
import { auditPool } from "@/lib/db/audit";

/** Every day that has tables, oldest first: of every class, or of one (in days). */
export async function listDays(
  ofClass?: number,
  database: Pick<pg.ClientBase, "query"> = auditPool(),
): Promise<ClassDay[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT child.relname AS name
     FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid JOIN pg_namespace n ON n.oid = child.relnamespace
     WHERE n.nspname = 'partitions' AND child.relkind = 'r' AND child.relname ~ $1 ORDER BY child.relname`,
    [`_${ofClass ?? "\\d+"}_\\d{8}$`],
  );
  const days = new Map<string, ClassDay>();
  for (const { name } of rows) {
    const [, table = "", from = "", label = ""] = /^(.*)_(\d+)_(\d{8})$/.exec(name) ?? [];
    const day = Date.parse(label.replace(/(....)(..)(..)/, "$1-$2-$3T00:00:00Z"));
    const known = days.get(`${from} ${label}`) ?? { from: Number(from), day, label, tables: new Set<string>() };
    known.tables.add(table);
    days.set(`${from} ${label}`, known);
  }
  return [...days.values()].sort((one, other) => one.day - other.day);
}
