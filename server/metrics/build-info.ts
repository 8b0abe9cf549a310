import { readFileSync } from "node:fs";

/** The versions of this release and of the Node.js that runs it. */
export function buildInfo(): { version: string; node: string } {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  return { version, node: process.versions.node };
}
