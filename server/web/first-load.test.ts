import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkFirstLoads, firstLoads } from "@/server/web/first-load";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sealwatch-build-"));
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a build in Next's layout, with chunks of random bytes, which do not compress. */
function lay(chunks: Record<string, number>, pages: Record<string, { address: string; parts: string[][] }>): void {
  const write = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  for (const [chunk, bytes] of Object.entries(chunks)) write(chunk, randomBytes(bytes));
  write("build-manifest.json", JSON.stringify({ rootMainFiles: ["main.js"] }));
  const addresses = Object.entries(pages).map(([entry, { address }]) => [entry, address]);
  write("app-path-routes-manifest.json", JSON.stringify(Object.fromEntries(addresses)));
  for (const [entry, { parts }] of Object.entries(pages)) {
    const entryJSFiles = Object.fromEntries(parts.map((part, at) => [`[project]/app/${at}`, part]));
    write(
      `server/app${entry}_client-reference-manifest.js`,
      `globalThis.__RSC_MANIFEST = globalThis.__RSC_MANIFEST || {};\nglobalThis.__RSC_MANIFEST["${entry}"] = ${JSON.stringify({ clientModules: {}, entryJSFiles })};\n`,
    );
  }
}

test("a page loads the shared chunks, those of its layouts and its own, each once", () => {
  lay(
    { "main.js": 100_000, "layout.js": 20_000, "list.js": 5000 },
    {
      "/(dashboard)/things/(list)/page": { address: "/things", parts: [["layout.js"], ["layout.js", "list.js"]] },
      "/sign-in/page": { address: "/sign-in", parts: [] },
    },
  );
  const loads = firstLoads(folder);
  expect(loads.map(({ page }) => page)).toEqual(["/things", "/sign-in"]);
  // Random bytes grow by gzip's header and trailer.
  expect(loads.map(({ bytes }) => Math.round(bytes / 1000))).toEqual([125, 100]);
  expect(() => checkFirstLoads(loads)).not.toThrow();
});

test("a page above the limit stops the build and is named", () => {
  lay(
    { "main.js": 150_000, "charts.js": 40_000 },
    {
      "/light/page": { address: "/light", parts: [] },
      "/heavy/page": { address: "/heavy", parts: [["charts.js"]] },
    },
  );
  expect(() => checkFirstLoads(firstLoads(folder))).toThrow(/180\.0 kB at first\. These pages do: \/heavy\.$/);
});
