import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const FOLDER = resolve(".api-tools");
/** A copy of the lock file from which the packages were installed. */
const STAMP = join(FOLDER, "node_modules/.installed-lock.json");

/**
 * The folder of the packages that generate clients and check the OpenAPI document. Installs them from their own lock file, because
 * some need another TypeScript, and together they take 200 MB that only a change of the API needs.
 */
export function installTools(): string {
  const lock = readFileSync(join(FOLDER, "package-lock.json"), "utf8");
  if (!existsSync(STAMP) || readFileSync(STAMP, "utf8") !== lock) {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    execFileSync(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: FOLDER, stdio: ["ignore", 2, 2] });
    writeFileSync(STAMP, lock);
  }
  return FOLDER;
}

/** Imports a module of these packages, by its path below `node_modules`. Its types are those that the caller states. */
export async function importTool<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(join(installTools(), "node_modules", path)).href)) as Module;
}
