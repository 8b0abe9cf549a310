import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A position in a bundle of ours: its file, line and column. */
const POSITION = /(?:file:\/\/)?(\/[^\s():]+\/dist\/server\/\w+\.js):(\d+):(\d+)/g;
/** Positions in sources by those in bundles. There are no more of them than places in the code that fail. */
const known = new Map<string, string>();

/** Null if the file has no map. */
function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMapPayload);
  } catch {
    return null;
  }
}

function find(map: SourceMap | null, file: string, line: number, column: number): string | undefined {
  const entry = map?.findEntry(line - 1, column - 1);
  if (entry === undefined || !("originalSource" in entry)) return undefined;
  const source = fileURLToPath(new URL(entry.originalSource, pathToFileURL(file)));
  return `${relative(resolve(), source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/**
 * A stack with positions in sources instead of bundles. Node's `--enable-source-maps` does the same, but it keeps the map of every
 * file that is loaded, with Next's sources. Reading a map takes some 150 ms and megabytes, so it is read for new positions only and not
 * kept.
 */
export function withSourcePositions(stack: string): string {
  const maps = new Map<string, SourceMap | null>();
  return stack.replace(POSITION, (whole, file: string, line: string, column: string) => {
    let position = known.get(whole);
    if (position === undefined) {
      if (!maps.has(file)) maps.set(file, readMap(file));
      position = find(maps.get(file) ?? null, file, Number(line), Number(column)) ?? whole;
      known.set(whole, position);
    }
    return position;
  });
}
