import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Locked = { dev?: boolean; integrity?: string; resolved?: string; optionalDependencies?: Record<string, string> };

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };

/** The path where npm resolves `name` for the package at `path`: its own folder, or that of an enclosing package. */
function resolve(packages: Record<string, Locked>, path: string, name: string): string | undefined {
  const candidate = path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  if (packages[candidate]) return candidate;
  if (path === "") return undefined;
  return resolve(packages, path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name);
}

// If a registry lacks another platform's package, npm omits it from the lock file, and `npm ci` in a fresh clone then
// rejects the file on every platform.
test("the lock file lists the packages of every platform", () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => resolve(packages, path, name) === undefined),
  );
  expect(missing).toEqual([]);
});

/** Packages of other platforms without a checksum; see docs/decisions/0048-lock-file-checksums.md. This list must not grow. */
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

test("the lock file has a checksum for every package and no registry", () => {
  const installed = Object.entries(packages).filter(([path]) => path !== "");
  const unchecked = installed.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  expect(unchecked.map(([path]) => path)).toEqual(WITHOUT_INTEGRITY.map((name) => `node_modules/${name}`));
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

// npm installs a development package for production too if another package lists it as optional.
test("a production installation omits packages that only development uses", () => {
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const installed = Object.keys(devDependencies).filter((name) => !packages[`node_modules/${name}`]?.dev);
  // Some packages include types.
  expect(installed.filter((name) => !name.startsWith("@types/"))).toEqual([]);
});

test("Prisma's generator and runtime have the same version", () => {
  const versionIn = (file: string, name: string) => JSON.parse(readFileSync(file, "utf8")).dependencies[name];
  expect(versionIn("prisma/package.json", "prisma")).toBe(versionIn("package.json", "@prisma/client"));
});
