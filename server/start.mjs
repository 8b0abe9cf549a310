// The entry of `npm start`. Plain JavaScript without packages, because it installs them if they are missing. It then
// continues in the same process: with the bundle, or with TypeScript for development and tests.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundled, ensureBundle } from "./build/bundle.mjs";
import { exclusively } from "./exclusive.mjs";
import { spawnTied } from "./tied.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRIES = {
  "--cli": "server/cli.ts",
  "--test": "server/testing/test.ts",
  "--bench": "bench/main.ts",
  "--screenshots": "server/testing/screenshots.ts",
};
/** The entries that run from bundles. */
const BUNDLED = ["server/main.ts", "server/cli.ts"];

/** Exits with a message for the operator. */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs a Node.js program with its output on standard error. @returns its exit code */
function run(script, args) {
  return new Promise((resolve) => {
    const child = spawnTied([script, ...args], { env: {}, graceMs: 0, detached: false });
    const stop = (signal) => {
      child.kill(signal);
      process.exit(128 + constants.signals[signal]);
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    child.on("exit", (code) => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
      resolve(code ?? 1);
    });
  });
}

function digest(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

function isStamped(file, stamp) {
  return existsSync(file) && readFileSync(file, "utf8") === stamp;
}

/** Whether npm has already installed exactly the locked packages for this platform, for example by a manual `npm ci`. */
function isInstalledByHand(purpose) {
  const record = "node_modules/.package-lock.json";
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  const present = JSON.parse(readFileSync(record, "utf8")).packages;
  if (!present[`node_modules/@esbuild/${process.platform}-${process.arch}`]) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional, dev }]) =>
      path === "" ||
      (dev && purpose === "production") ||
      (optional && !present[path]) ||
      present[path]?.version === version,
  );
}

/** The npm that runs this script, or the first npm on the PATH. */
function npmScript() {
  const candidates = [process.env.npm_execpath ?? ""];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (existsSync(join(folder, "npm"))) candidates.push(realpathSync(join(folder, "npm")));
    candidates.push(join(folder, "node_modules", "npm", "bin", "npm-cli.js"));
  }
  const script = candidates.find((path) => /npm-cli\.[cm]?js$/.test(path) && existsSync(path));
  return script ?? refuse("The packages are not installed and npm was not found. Run `npm ci`, then start again.");
}

/** Installs the packages of `purpose` unless they are installed. Production omits packages that neither builds nor starts need. */
async function install(purpose) {
  const stampFile = "node_modules/.sealwatch-installed";
  const [major] = process.versions.node.split(".");
  const platform = [process.platform, process.arch, major];
  const stampOf = (installed) => digest(readFileSync("package-lock.json"), ...platform, installed);
  const isInstalled = () =>
    isStamped(stampFile, stampOf("development")) ||
    (purpose === "production" && isStamped(stampFile, stampOf("production")));
  if (isInstalled()) return;
  await exclusively("install", async () => {
    if (isInstalled()) return;
    if (!isInstalledByHand(purpose)) {
      process.stderr.write("Installing packages (only once; takes about a minute)…\n");
      const scope = purpose === "development" ? "--include=dev" : "--omit=dev";
      // No package needs its install script.
      const code = await run(npmScript(), [
        "ci",
        scope,
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
      ]);
      if (code !== 0) refuse(`The packages could not be installed: npm exited with code ${code}. See the error above.`);
    }
    // A read-only checkout works too, only without this shortcut.
    try {
      writeFileSync(stampFile, stampOf(purpose));
    } catch {}
  });
}

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Sealwatch needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
}
// As npm does: commands find files where they are called.
process.env.INIT_CWD ||= process.cwd();
process.chdir(root);
/** A container image has the bundle and the packages that it needs, and no sources. */
const isPacked = !existsSync("server/main.ts");
const words = process.argv.slice(2);
const source = ENTRIES[words[0]] ?? "server/main.ts";
const isBundled = BUNDLED.includes(source) && !words.includes("--dev");
try {
  if (!isPacked) await install(isBundled ? "production" : "development");
  if (isBundled && !isPacked) await ensureBundle();
  if (!isBundled) (await import("tsx/esm/api")).register();
} catch (error) {
  refuse(`Sealwatch could not be prepared in ${root}: ${error.message}.`);
}
// The demonstration has its own data directory. It is set here because the first module that logs reads the settings.
if (words.includes("--demo")) process.env.DATA_DIR ||= ".data-demo";
const entry = join(root, isBundled ? bundled(source) : source);
process.argv = [process.execPath, entry, ...(words[0] in ENTRIES ? words.slice(1) : words)];
try {
  await import(pathToFileURL(entry).href);
} catch (error) {
  // The first module that logs reads the settings, so an invalid one may throw before the entry can catch it.
  refuse(["ConfigError", "Refusal"].includes(error?.name) ? error.message : (error?.stack ?? error));
}
