import type { Format } from "@/lib/audit-logs/read/export-contract";

const NEWLINE = 10;
const QUOTE = 34;
const BRACE = 123;

/**
 * Counts the rows of an export as its bytes arrive. In CSV, a line break within quotes does not end a row; in JSON and NDJSON, each row
 * is a line that begins with `{`.
 */
export function rowCounter(format: Format): { add: (bytes: Uint8Array) => void; rows: () => number } {
  let lines = 0;
  let [isQuoted, isAtStart] = [false, true];
  return {
    add: (bytes) => {
      for (const byte of bytes) {
        if (byte === QUOTE && format === "csv") isQuoted = !isQuoted;
        else if (format === "csv" ? byte === NEWLINE && !isQuoted : isAtStart && byte === BRACE) lines++;
        isAtStart = byte === NEWLINE;
      }
    },
    // CSV has a header line, and NDJSON a last line about the file.
    rows: () => Math.max(0, format === "json" ? lines : lines - 1),
  };
}
