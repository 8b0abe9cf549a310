import type { Page } from "@/lib/http/endpoint";
import { beginningOf } from "@/lib/http/schemas/csv-bom";
import { type Cell, toCsvLine } from "@/lib/text/csv";

const PAGE = 1000;
const contentTypes = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
} as const;

type ExportFormat = keyof typeof contentTypes;

/** A list is an array in JSON, and its JSON in the cell of a CSV. */
type Value = Cell | readonly string[];

/** Bidirectional controls as JSON escapes them: others, with which cells are shown, could not be read back. */
function toCell(value: Value): Cell {
  if (typeof value !== "object" || value === null) return value;
  return JSON.stringify(value).replace(
    /\p{Bidi_Control}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A file of a whole list, one flat record per item. The file is completed before its first byte is sent, so that a received file
 * is complete. `name` is its name without date and extension. Throws 400 for a byte order mark in a format that is not CSV.
 */
export async function exportFile<Item>(
  name: string,
  { format, bom }: { format: ExportFormat; bom: boolean },
  read: (limit: number, cursor: string | undefined) => Promise<Page<Item>>,
  columns: Record<string, (item: Item) => Value>,
): Promise<Response> {
  const isCsv = format === "csv";
  const beginning = beginningOf(format, bom);
  const parts: string[] = isCsv ? [toCsvLine(Object.keys(columns))] : [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await read(PAGE, cursor);
    for (const item of items) {
      const record = Object.entries(columns).map(([column, value]) => [column, value(item)] as const);
      parts.push(
        isCsv ? toCsvLine(record.map(([, value]) => toCell(value))) : JSON.stringify(Object.fromEntries(record)),
      );
    }
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  const file = `sealwatch-${name}-${new Date().toISOString().slice(0, 10)}.${format}`;
  return new Response(isCsv ? beginning + parts.join("") : `[${parts.join(",\n")}]\n`, {
    headers: { "Content-Type": contentTypes[format], "Content-Disposition": `attachment; filename="${file}"` },
  });
}
