import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Locked = { version?: string; optionalDependencies?: Record<string, string> };

/** Where npm finds `name` for the package at `path`: in its own folder, or in that of a package around it. */
function resolve(packages: Record<string, Locked>, path: string, name: string): string | undefined {
  const candidate = path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  if (packages[candidate]) return candidate;
  if (path === "") return undefined;
  return resolve(packages, path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name);
}

// A registry that lacks another platform's package makes npm leave it out of the lock file, and then `npm ci`, which a
// fresh clone depends on, refuses the file everywhere.
test("the lock file names the packages of every platform", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => resolve(packages, path, name) === undefined),
  );
  expect(missing).toEqual([]);
});
