import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const TSC = resolve("node_modules/typescript/bin/tsc");

/** Writes the npm package of the client into a folder, which is emptied: JavaScript modules with their types. */
export function buildClientPackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, [TSC, "-p", "lib/client/tsconfig.json", "--outDir", resolve(folder)], {
    stdio: ["ignore", 2, 2],
  });
  const { version, license } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string; license: string };
  const manifest = {
    name: "@sealwatch/client",
    version,
    description: "Client of Sealwatch's API, for Node.js and browsers.",
    license,
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    exports: { ".": { types: "./client.d.ts", default: "./client.js" } },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  // The pages that it refers to are not in the package.
  const page = readFileSync("docs/client.md", "utf8").replace(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, "$1");
  writeFileSync(join(folder, "README.md"), page);
  cpSync("LICENSE", join(folder, "LICENSE"));
}
