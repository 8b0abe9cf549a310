import type { Format } from "@/lib/audit-logs/read/export-contract";

const NEWLINE = 10;
const QUOTE = 34;

/** Counts the rows of an export as its bytes arrive. In CSV, a line break within quotes does not end a row. */
export function rowCounter(format: Format): { add: (bytes: Uint8Array) => void; rows: () => number } {
  let lines = 0;
  let isQuoted = false;
  return {
    add: (bytes) => {
      for (const byte of bytes) {
        if (byte === QUOTE && format === "csv") isQuoted = !isQuoted;
        else if (byte === NEWLINE && !isQuoted) lines++;
      }
    },
    // CSV has a header line, JSON the lines "[" and "]", and NDJSON a last line about the file.
    rows: () => Math.max(0, { csv: lines - 1, json: lines - 2, ndjson: lines - 1 }[format]),
  };
}
