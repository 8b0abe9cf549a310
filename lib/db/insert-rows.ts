import { queryIn, type Transaction } from "@/lib/db/app";
import { mapInTurns } from "@/lib/turns";

/** Maximum characters of rows per statement: Prisma serializes them in a few milliseconds. */
const MAX_STATEMENT_LENGTH = 256 * 1024;

/** The column of a field: its name in snake case. */
export const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value as `jsonb_populate_recordset` reads it; bytes in hexadecimal. */
const jsonOf = (value: unknown) => (value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value);

/**
 * Inserts many rows with the same fields, with column names in snake case. Prisma's `createMany` compiles a parameter for each value of
 * each row: a thousand rows block the event loop for most of a second.
 */
export async function insertRows(
  tx: Transaction,
  table: "uptime_monitors" | "certificate_endpoints",
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const fields = Object.keys(rows[0] ?? {});
  const texts = await mapInTurns(rows, (row) =>
    JSON.stringify(Object.fromEntries(fields.map((field) => [columnOf(field), jsonOf(row[field])]))),
  );
  const columns = fields.map(columnOf).join(", ");
  for (let at = 0; at < texts.length; ) {
    const sent: string[] = [];
    for (let size = 0; at < texts.length && size < MAX_STATEMENT_LENGTH; at++) {
      size += texts[at]?.length ?? 0;
      sent.push(texts[at] ?? "");
    }
    await queryIn(tx, {
      text: `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
      values: [`[${sent.join()}]`],
    });
  }
}
