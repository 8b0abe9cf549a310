import { visible } from "@/lib/visible";

/** What a spreadsheet would run as a formula when it begins a cell. */
const FORMULA = /^[=+\-@\t\r]/;

export type Cell = string | number | boolean | null;

/** One line of CSV (RFC 4180), with its end. Text that a spreadsheet would run is preceded by `'`. */
export function toCsvLine(cells: readonly Cell[]): string {
  const written = cells.map((cell) => {
    const shown = visible(String(cell ?? ""));
    const text = typeof cell === "string" && FORMULA.test(cell) ? `'${shown}` : shown;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${written.join(",")}\r\n`;
}

export interface CsvRow {
  /** Where it begins, counted from 1. */
  line: number;
  cells: string[];
}

/** Cells of one file, empty ones included. */
const MAX_CELLS = 50_000;

/**
 * The rows of a CSV file (RFC 4180; lines may end as they like), without the empty ones. Throws for a quote that is not closed, and for
 * more cells than can be read without keeping others waiting.
 */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  let cells = 0;
  const source = text.replace(/^\uFEFF/, "");
  const cell = /"((?:[^"]|"")*)"(?=[,\r\n]|$)|([^",\r\n][^,\r\n]*)?/y;
  for (let at = 0; at <= source.length; at++) {
    cell.lastIndex = at;
    const [whole = "", quoted, plain = ""] = cell.exec(source) ?? [];
    at += whole.length;
    if (source[at] === '"') throw new Error(`line ${line}: a quote is not closed, or text follows one`);
    if (++cells > MAX_CELLS) throw new Error(`must have at most ${MAX_CELLS} cells`);
    row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split("\n").length - 1;
    if (source[at] === ",") continue;
    if (row.cells.some((each) => each !== "")) rows.push(row);
    if (source[at] === "\r" && source[at + 1] === "\n") at++;
    row = { line: ++line, cells: [] };
  }
  return rows;
}
