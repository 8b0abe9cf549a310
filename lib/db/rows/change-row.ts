import { queryIn, type Transaction } from "@/lib/db/app";
import { Prisma } from "@/lib/db/generated/app/client";
import { columnOf } from "@/lib/db/insert-rows";

type Table = "certificate_endpoints" | "alerts" | "alert_rules";
type Key = Readonly<{ organizationId: string; id: string }>;

const named = (fields: object) =>
  Object.keys(fields)
    .map((field) => `${columnOf(field)} AS "${field}"`)
    .join(", ");

/**
 * The columns of each table with the names of Prisma's fields, for what a statement returns. Not `*`: prepared statements would fail
 * from the migration that adds a column until their release has ended.
 */
export const fieldsOf: Readonly<Record<Table, string>> = {
  certificate_endpoints: named(Prisma.CertificateEndpointScalarFieldEnum),
  alerts: named(Prisma.AlertScalarFieldEnum),
  alert_rules: named(Prisma.AlertRuleScalarFieldEnum),
};

/** The values of fields by column, for `jsonb_populate_record`. */
const jsonOf = (data: Readonly<Record<string, unknown>>) =>
  JSON.stringify(Object.fromEntries(Object.entries(data).map(([field, value]) => [columnOf(field), value])));

/** One row by its key, as Prisma would return it; undefined if there is none. */
export async function readRow<Row extends object>(
  tx: Transaction,
  table: Table,
  { organizationId, id }: Key,
): Promise<Row | undefined> {
  const [row] = await queryIn<Row>(tx, {
    text: `SELECT ${fieldsOf[table]} FROM ${table} WHERE organization_id = $1::uuid AND id = $2::uuid`,
    values: [organizationId, id],
  });
  return row;
}

/** Inserts one row and returns it as Prisma would, with what the database adds. `data` has the values of fields, as JSON. */
export async function insertRow<Row extends object>(
  tx: Transaction,
  table: Table,
  data: Readonly<Record<string, unknown>>,
): Promise<Row> {
  const columns = Object.keys(data).map(columnOf).join(", ");
  const [row] = await queryIn<Row>(tx, {
    text: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)
      RETURNING ${fieldsOf[table]}`,
    values: [jsonOf(data)],
  });
  if (row === undefined) throw new Error("the database returned no row");
  return row;
}

/** Changes one row by its key. `data` has the new values of fields, as JSON. */
export async function changeRow(
  tx: Transaction,
  table: Table,
  { organizationId, id }: Key,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const columns = Object.keys(data).map(columnOf);
  await queryIn(tx, {
    text: `UPDATE ${table} SET (${columns.join(", ")}) = ROW(${columns.map((column) => `new.${column}`).join(", ")})
      FROM jsonb_populate_record(NULL::${table}, $3::jsonb) AS new
      WHERE ${table}.organization_id = $1::uuid AND ${table}.id = $2::uuid`,
    values: [organizationId, id, jsonOf(data)],
  });
}
