export type ImportFormat = "lines" | "csv";

export interface ImportPiece {
  text: string;
  /** What must be added to a line's number within the piece to have its number in the whole. */
  offset: number;
  /** How many endpoints it lists, or nearly: what cannot be read counts as well. */
  count: number;
}

interface Record {
  text: string;
  /** Counted from 1. */
  line: number;
  lines: number;
}

/** A line each; in a CSV one that breaks within quotes goes on (RFC 4180). */
function recordsOf(text: string, format: ImportFormat): Record[] {
  const records: Record[] = [];
  let [open, line] = ["", 1];
  let lines = 0;
  for (const each of text.split(/\r\n|\n|\r/)) {
    open = lines === 0 ? each : `${open}\n${each}`;
    lines += 1;
    const isOpen = format === "csv" && open.split('"').length % 2 === 0;
    if (isOpen) continue;
    records.push({ text: open, line, lines });
    line += lines;
    lines = 0;
  }
  if (lines > 0) records.push({ text: open, line, lines });
  return records;
}

function hasContent({ text }: Record, format: ImportFormat): boolean {
  return text.trim() !== "" && (format === "csv" || !text.trim().startsWith("#"));
}

/** Cuts what is to be imported into pieces of at most `size` endpoints, each of which the API takes by itself. */
export function splitImport(text: string, format: ImportFormat, size: number): ImportPiece[] {
  const records = recordsOf(text, format);
  const header = format === "csv" ? records.find(({ text: line }) => line.trim() !== "") : undefined;
  const rows = records.filter((record) => record !== header && hasContent(record, format));
  const pieces: ImportPiece[] = [];
  for (let at = 0; at < rows.length; at += size) {
    const [first] = rows.slice(at);
    const last = rows[Math.min(at + size, rows.length) - 1];
    if (!first || !last) break;
    const own = records.filter((record) => record !== header && record.line >= first.line && record.line <= last.line);
    pieces.push({
      text: [...(header ? [header] : []), ...own].map((record) => record.text).join("\n"),
      offset: first.line - 1 - (header?.lines ?? 0),
      count: Math.min(size, rows.length - at),
    });
  }
  return pieces;
}

/** What a text seems to be: a CSV where its first line names the column `host` beside others. */
export function formatOf(text: string): ImportFormat {
  const [first = ""] = text.trimStart().split(/\r\n|\n|\r/, 1);
  const cells = first.split(",").map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .toLowerCase(),
  );
  return cells.includes("host") ? "csv" : "lines";
}
