import { constants, cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** Entries that a fresh clone lacks. Packages are linked, as if `npm ci` had installed them. */
const ABSENT = /^(\.git|\.env|\.data.*|node_modules|test-results|playwright-report|\.screenshots)$/;

/** Copies this checkout with its build, as if nothing had been started in it. */
export function cloneInto(folder: string): void {
  mkdirSync(folder, { mode: 0o711 });
  for (const name of readdirSync(".").filter((entry) => !ABSENT.test(entry))) {
    cpSync(name, join(folder, name), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
}
