import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Refusal } from "@/server/web/refusal";

/** The maximum JavaScript that a page may load before it is interactive, in bytes as sent by the server (gzip). */
const MAX_BYTES = 180_000;

const MANIFEST = "page_client-reference-manifest.js";

interface FirstLoad {
  /** The page's path, such as `/audit-logs/[id]`. */
  page: string;
  bytes: number;
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

/** The chunks of a page and its layouts. The manifest is a script that assigns a JSON object. */
function chunksOf(manifest: string): string[] {
  const script = readFileSync(manifest, "utf8");
  const object = script.slice(script.indexOf("] = {") + 4, script.lastIndexOf("}") + 1);
  const { entryJSFiles } = JSON.parse(object) as { entryJSFiles: Record<string, string[]> };
  return Object.values(entryJSFiles).flat();
}

/** The JavaScript that each page of the build in `folder` loads at first, largest first. */
export function firstLoads(folder: string): FirstLoad[] {
  const { rootMainFiles } = readJson<{ rootMainFiles: string[] }>(join(folder, "build-manifest.json"));
  const addresses = readJson<Record<string, string>>(join(folder, "app-path-routes-manifest.json"));
  const sizes = new Map<string, number>();
  const sizeOf = (chunk: string) => {
    const size = sizes.get(chunk) ?? gzipSync(readFileSync(join(folder, chunk))).length;
    sizes.set(chunk, size);
    return size;
  };
  const app = join(folder, "server", "app");
  return readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(MANIFEST))
    .map((file) => {
      const entry = `/${file.slice(0, -MANIFEST.length).replaceAll("\\", "/")}page`;
      const chunks = new Set([...rootMainFiles, ...chunksOf(join(app, file))]);
      return { page: addresses[entry] ?? entry, bytes: [...chunks].reduce((sum, chunk) => sum + sizeOf(chunk), 0) };
    })
    .sort((a, b) => b.bytes - a.bytes);
}

/** Prints the first load of each page. Throws a Refusal that names the pages above the limit. */
export function checkFirstLoads(loads: readonly FirstLoad[]): void {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  console.error("JavaScript that a page loads at first, compressed:");
  for (const { page, bytes } of loads) console.error(`${kilobytes(bytes).padStart(10)}  ${page}`);
  const over = loads.filter(({ bytes }) => bytes > MAX_BYTES);
  if (over.length === 0) return;
  const pages = over.map(({ page }) => page).join(", ");
  throw new Refusal(`No page may load more than ${kilobytes(MAX_BYTES)} at first. These pages do: ${pages}.`);
}
