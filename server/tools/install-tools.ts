import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Packages with a lock file of their own, because only some changes need them: `.api-tools` generates clients and checks the OpenAPI
 * document (200 MB, some need another TypeScript), `.deploy-tools` has the published schemas of what `deploy` has.
 */
type Tools = ".api-tools" | ".deploy-tools";

/** Installs packages from their lock file unless they are installed. @returns their folder */
export function installTools(tools: Tools): string {
  const folder = resolve(tools);
  /** A copy of the lock file from which the packages were installed. */
  const stamp = join(folder, "node_modules/.installed-lock.json");
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    execFileSync(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", 2, 2] });
    writeFileSync(stamp, lock);
  }
  return folder;
}

/** Imports a module of these packages, by its path below `node_modules`. Its types are those that the caller states. */
export async function importTool<Module>(tools: Tools, path: string): Promise<Module> {
  return (await import(pathToFileURL(join(installTools(tools), "node_modules", path)).href)) as Module;
}
