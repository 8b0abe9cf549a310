import { constants, cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** What a fresh clone lacks. Packages are found by a link, as if `npm ci` had put them there. */
const ABSENT = /^(\.git|\.env|\.data.*|node_modules|test-results|playwright-report|\.screenshots)$/;

/** Makes a copy of this checkout, with its build, in which nothing was ever started. */
export function cloneInto(folder: string): void {
  mkdirSync(folder, { mode: 0o711 });
  for (const name of readdirSync(".").filter((entry) => !ABSENT.test(entry))) {
    cpSync(name, join(folder, name), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
}
