import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A position in a bundle of ours: its file, line and column. */
const POSITION = /(?:file:\/\/)?(\/[^\s():]+\/dist\/server\/\w+\.js):(\d+):(\d+)/g;
/** Maps are large, so they are forgotten after this time, in milliseconds. */
const KEPT_MS = 60_000;

const maps = new Map<string, SourceMap | null>();

/** Null if the file has no map. */
function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  let map: SourceMap | null = null;
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMapPayload);
  } catch {}
  maps.set(file, map);
  setTimeout(() => maps.delete(file), KEPT_MS).unref();
  return map;
}

/**
 * A stack with positions in sources instead of bundles. Node's `--enable-source-maps` does the same, but it keeps the map of every
 * file that is loaded, with Next's sources.
 */
export function withSourcePositions(stack: string): string {
  return stack.replace(POSITION, (whole, file: string, line: string, column: string) => {
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return whole;
    const source = fileURLToPath(new URL(entry.originalSource, pathToFileURL(file)));
    return `${relative(resolve(), source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
