import { resolve } from "node:path";

/** A path as the caller means it: npm and start.mjs change the working directory, and keep the caller's in INIT_CWD. */
export function callersPath(path: string): string {
  return resolve(process.env.INIT_CWD || process.cwd(), path);
}
