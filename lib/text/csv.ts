import { visible } from "@/lib/text/visible";

/** The beginning of a cell that a spreadsheet would run as a formula, or that looks like one that was made safe. */
const FORMULA = /^'*[=+\-@\t\r]/;

export type Cell = string | number | boolean | null;

/** One line of CSV (RFC 4180) with its line break. A `'` precedes text that a spreadsheet would run. */
export function toCsvLine(cells: readonly Cell[]): string {
  const written = cells.map((cell) => {
    const shown = visible(String(cell ?? ""));
    const text = typeof cell === "string" && FORMULA.test(cell) ? `'${shown}` : shown;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${written.join(",")}\r\n`;
}

interface CsvRow {
  /** The line on which the row begins, from 1. */
  line: number;
  cells: string[];
}

/** Maximum cells of a file, including empty cells. */
const MAX_CELLS = 50_000;

/**
 * The rows of a CSV file (RFC 4180, any line breaks), without empty rows and without the `'` that `toCsvLine` adds. Throws if a quote is
 * not closed, or if the file has so many cells that parsing would block other requests.
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
    const written = quoted === undefined ? plain : quoted.replaceAll('""', '"');
    row.cells.push(written.startsWith("'") && FORMULA.test(written) ? written.slice(1) : written);
    line += whole.split("\n").length - 1;
    if (source[at] === ",") continue;
    if (row.cells.some((each) => each !== "")) rows.push(row);
    if (source[at] === "\r" && source[at + 1] === "\n") at++;
    row = { line: ++line, cells: [] };
  }
  return rows;
}
