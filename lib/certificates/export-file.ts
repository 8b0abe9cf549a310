import { type Cell, toCsvLine } from "@/lib/http/csv";
import type { Page } from "@/lib/http/endpoint";

const PAGE = 1000;
const contentTypes = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
} as const;

type ExportFormat = keyof typeof contentTypes;

/**
 * A file of a whole list, one flat record per item. The file is completed before its first byte is sent, so that a received file
 * is complete. `name` is its name without date and extension.
 */
export async function exportFile<Item>(
  name: string,
  format: ExportFormat,
  read: (limit: number, cursor: string | undefined) => Promise<Page<Item>>,
  columns: Record<string, (item: Item) => Cell>,
): Promise<Response> {
  const isCsv = format === "csv";
  const parts: string[] = isCsv ? [toCsvLine(Object.keys(columns))] : [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await read(PAGE, cursor);
    for (const item of items) {
      const record = Object.entries(columns).map(([column, value]) => [column, value(item)] as const);
      parts.push(isCsv ? toCsvLine(record.map(([, value]) => value)) : JSON.stringify(Object.fromEntries(record)));
    }
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  const file = `sealwatch-${name}-${new Date().toISOString().slice(0, 10)}.${format}`;
  return new Response(isCsv ? parts.join("") : `[${parts.join(",\n")}]\n`, {
    headers: { "Content-Type": contentTypes[format], "Content-Disposition": `attachment; filename="${file}"` },
  });
}
