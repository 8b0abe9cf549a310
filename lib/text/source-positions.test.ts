import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { log } from "@/lib/log";
import { withSourcePositions } from "@/lib/text/source-positions";

const folder = mkdtempSync(join(tmpdir(), "source-positions-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("positions in a bundle become those of its sources, all others stay", () => {
  const source = join(folder, "fails.ts");
  writeFileSync(source, "interface None {}\n\nexport function fails(): None {\n  return new Error('made here');\n}\n");
  const bundle = join(folder, "dist", "server", "web.js");
  mkdirSync(join(folder, "dist", "server"), { recursive: true });
  buildSync({
    entryPoints: [source],
    outfile: bundle,
    bundle: true,
    format: "esm",
    sourcemap: true,
    minifyWhitespace: true,
  });
  // In a process without maps, as in production.
  const code = `import { fails } from ${JSON.stringify(bundle)}; console.log(fails().stack);`;
  const stack = execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  const [, frame = ""] = withSourcePositions(stack).split("\n");
  expect(frame).toMatch(/^ {4}at .*fails/);
  expect(frame).toContain(`${relative(resolve(), source)}:4:`);
  const elsewhere = "    at node:internal/timers:581:17\n    at /app/dist/server/none.js:1:2";
  expect(withSourcePositions(elsewhere)).toBe(elsewhere);
});

test.each([null, undefined, "text", 7, new Error("an error")])(
  "the log takes %s where an error is expected",
  (thrown) => {
    expect(() => log.error({ err: thrown }, "a test")).not.toThrow();
  },
);
