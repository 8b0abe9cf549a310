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
  /** Where it begins in the records joined by line breaks. */
  at: number;
  /** Counted from 1. */
  line: number;
  lines: number;
}

/** One record per line; in a CSV, a quoted line break continues the record (RFC 4180). */
function recordsOf(text: string, format: ImportFormat): Record[] {
  const records: Record[] = [];
  let [open, at, line] = ["", 0, 1];
  let lines = 0;
  for (const each of text.split(/\r\n|\n|\r/)) {
    open = lines === 0 ? each : `${open}\n${each}`;
    lines += 1;
    const isOpen = format === "csv" && open.split('"').length % 2 === 0;
    if (isOpen) continue;
    records.push({ text: open, at, line, lines });
    at += open.length + 1;
    line += lines;
    lines = 0;
  }
  if (lines > 0) records.push({ text: open, at, line, lines });
  return records;
}

function hasContent({ text }: Record, format: ImportFormat): boolean {
  return text.trim() !== "" && (format === "csv" || !text.trim().startsWith("#"));
}

/** What a piece may have. */
interface Limits {
  endpoints: number;
  characters: number;
  lines: number;
}

/** Within what the API accepts. Few endpoints, so that progress is visible and little is lost by a failure; sessions have no rate limit. */
const LIMITS: Limits = { endpoints: 100, characters: 900_000, lines: 9_000 };

/** Splits an import into pieces, each of which the API accepts as a request. A record above the limits is a piece of its own. */
export function splitImport(text: string, format: ImportFormat, limits = LIMITS): ImportPiece[] {
  const records = recordsOf(text, format);
  const header = format === "csv" ? records.find(({ text: line }) => line.trim() !== "") : undefined;
  const rows = records.filter((record) => record !== header && hasContent(record, format));
  const groups: { first: Record; last: Record; count: number }[] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const isFull =
      group === undefined ||
      group.count === limits.endpoints ||
      (header ? header.text.length + 1 : 0) + row.at + row.text.length - group.first.at > limits.characters ||
      (header?.lines ?? 0) + row.line + row.lines - group.first.line > limits.lines;
    if (isFull) groups.push({ first: row, last: row, count: 1 });
    else Object.assign(group, { last: row, count: group.count + 1 });
  }
  const whole = records.map((record) => record.text).join("\n");
  return groups.map(({ first, last, count }) => ({
    text: `${header ? `${header.text}\n` : ""}${whole.slice(first.at, last.at + last.text.length)}`,
    offset: first.line - 1 - (header?.lines ?? 0),
    count,
  }));
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
