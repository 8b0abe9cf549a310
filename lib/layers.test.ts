import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const MAX_FILES = 25;

const files = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("db/generated"))
  .map((name) => ({ name, folder: dirname(name) }));

/** Imports between folders of `lib`: a file, and the folder of the module it imports. Tests may import anything. */
const imports = files
  .filter(({ name }) => !name.includes(".test."))
  .flatMap(({ name, folder }) => {
    const text = readFileSync(join("lib", name), "utf8");
    return [...text.matchAll(/\b(?:from |import\()"@\/lib\/([^"]+)"/g)].map(([, path = ""]) => ({
      name,
      folder,
      to: path.startsWith("db/generated") ? "db" : dirname(path),
    }));
  });

/** The layers in docs/architecture.md, from the bottom up, each with its folders. */
const table = readFileSync("docs/architecture.md", "utf8").split(/<!-- layers:(?:begin|end) -->/)[1] ?? "";
const layers = [...table.matchAll(/^\| (?!layer|-)([^|]+)\|([^|]+)\|/gm)].map(([, name = "", folders = ""]) => ({
  name: name.trim(),
  folders: [...folders.replaceAll(/\([^)]*\)/g, "").matchAll(/`([^`]+)`/g)].map(([, folder]) => folder ?? ""),
}));

const topOf = (folder: string) => (folder === "." ? "lib" : (folder.split("/")[0] ?? ""));

test("every folder of lib belongs to one layer on the architecture page", () => {
  const folders = [...new Set(files.map(({ folder }) => topOf(folder)))].sort();
  expect(layers.flatMap((layer) => layer.folders).sort()).toEqual(folders);
});

test("no layer imports one above it", () => {
  const levelOf = (folder: string) => layers.findIndex((layer) => layer.folders.includes(topOf(folder)));
  const upwards = imports.filter(({ folder, to }) => levelOf(to) > levelOf(folder));
  expect(upwards.map(({ name, to }) => `${name} imports ${to}`)).toEqual([]);
});

test.each([
  ["folders and folders inside them", (folder: string) => folder],
  ["groups of folders", topOf],
])("%s do not import each other, directly or indirectly", (_, of) => {
  const next = new Map<string, Set<string>>();
  for (const { folder, to } of imports) {
    if (of(folder) === of(to)) continue;
    next.set(of(folder), (next.get(of(folder)) ?? new Set()).add(of(to)));
  }
  // A folder that imports none of the remaining folders is not part of a cycle.
  for (let size = -1; size !== next.size; ) {
    size = next.size;
    for (const [folder, targets] of next) if ([...targets].every((target) => !next.has(target))) next.delete(folder);
  }
  expect([...next].map(([folder, targets]) => `${folder} → ${[...targets].join(", ")}`)).toEqual([]);
});

test(`no folder of code has more than ${MAX_FILES} files`, () => {
  const counts = new Map<string, number>();
  for (const top of ["bench", "components", "e2e", "lib", "server"]) {
    for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /generated|\.next\b/.test(entry.parentPath)) continue;
      counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1);
    }
  }
  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
});
