export type ImportFormat = "lines" | "csv";

interface ImportPiece {
  text: string;
  /** Added to a line's number within the piece, gives its number in the whole text. */
  offset: number;
  /** The number of endpoints, including lines that cannot be parsed. */
  count: number;
}

interface Record {
  text: string;
  /** Counted from 1. */
  line: number;
  lines: number;
}

/** One record per line; in a CSV, a quoted line break continues the record (RFC 4180). */
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

/** Splits an import into pieces of at most `size` endpoints, each of which the API accepts as a request. */
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

/** Guesses the format of a text: a CSV if its first line has a column `host`. */
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
