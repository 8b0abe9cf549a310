import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Locked = { dev?: boolean; integrity?: string; resolved?: string; optionalDependencies?: Record<string, string> };

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };

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
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => resolve(packages, path, name) === undefined),
  );
  expect(missing).toEqual([]);
});

/** Packages of other platforms whose checksum could not be had; see docs/decisions/0048-lock-file-checksums.md. Only ever shorter. */
const WITHOUT_INTEGRITY = [
  ...["android-arm64", "android-x64", "darwin-arm64", "darwin-x64", "linux-arm64-musl", "linux-x64-musl"].map(biome),
  ...["win32-arm64", "win32-x64"].map(biome),
  ...["darwin-arm64", "darwin-x64", "win32-arm64-msvc", "win32-x64-msvc"].map((name) => `@next/swc-${name}`),
  ...["android-arm64", "darwin-arm64", "darwin-x64", "freebsd-x64", "linux-arm-gnueabihf"].map(oxide),
  ...["wasm32-wasi", "win32-arm64-msvc", "win32-x64-msvc"].map(oxide),
];

function biome(platform: string): string {
  return `@biomejs/cli-${platform}`;
}

function oxide(platform: string): string {
  return `@tailwindcss/oxide-${platform}`;
}

test("the lock file has a checksum for every package, and names no registry", () => {
  const installed = Object.entries(packages).filter(([path]) => path !== "");
  const unchecked = installed.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  expect(unchecked.map(([path]) => path)).toEqual(WITHOUT_INTEGRITY.map((name) => `node_modules/${name}`));
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

// A package that another one names as optional is installed for production, too, although it is listed for development.
test("an installation for production leaves out what only development uses", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const installed = Object.keys(devDependencies).filter((name) => !packages[`node_modules/${name}`]?.dev);
  // Some packages bring types with them.
  expect(installed.filter((name) => !name.startsWith("@types/"))).toEqual([]);
});
