// Bundles the processes of production as JavaScript. This file is plain JavaScript because it runs before any TypeScript can.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { exclusively } from "../exclusive.mjs";
import { isUnchanged } from "./unchanged.mjs";

const FOLDER = "dist";
const STAMP = `${FOLDER}/stamp.json`;
const PROCESSES = ["main", "web", "worker", "demo", "cli"];

/** Next loads these packages too. Their classes and settings must exist once per process, so the web process shares its copies. */
const SHARED_WITH_NEXT = [
  "next",
  "pg",
  "pino",
  "prom-client",
  "maxmind",
  "ioredis",
  "stripe",
  "@prisma/client",
  "@prisma/adapter-pg",
];
/** Reads a WebAssembly file from its own folder. */
const NEVER_BUNDLED = ["@prisma/client/runtime/*.wasm-base64.mjs"];

/** Loaded only if traces are exported, so no part of the bundles. Their API is, because prom-client needs it anyway. */
const LOADED_ON_DEMAND = [
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/exporter-trace-otlp-proto",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
];

/** CommonJS packages call `require`, which ES modules do not have. */
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';

/** @returns a digest of these files, or undefined if one is missing */
function digestFiles(files) {
  const hash = createHash("sha256");
  try {
    for (const file of files) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
  return hash.digest("hex");
}

function isCurrent() {
  if (!existsSync(STAMP)) return false;
  const { files, digest } = JSON.parse(readFileSync(STAMP, "utf8"));
  return isUnchanged([STAMP, ...files], `${FOLDER}/marks`, () => digestFiles(files) === digest);
}

async function bundle(processes, external, folder) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: processes.map((name) => `server/${name}.ts`),
    outdir: `${folder}/server`,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    // What a process loads on demand, it does not parse before.
    splitting: true,
    banner: { js: REQUIRE },
    external,
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

/** Bundles the processes into `dist` unless the bundle there is of the same sources. */
export async function ensureBundle() {
  if (isCurrent()) return;
  await exclusively("bundle", async () => {
    if (isCurrent()) return;
    process.stderr.write("Bundling the server…\n");
    const draft = `${FOLDER}.new`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft);
    const inputs = await Promise.all([
      bundle(["web"], [...SHARED_WITH_NEXT, ...NEVER_BUNDLED, ...LOADED_ON_DEMAND], draft),
      bundle(
        PROCESSES.filter((name) => name !== "web"),
        [...NEVER_BUNDLED, ...LOADED_ON_DEMAND],
        draft,
      ),
    ]);
    // Packages change only with the lock file.
    const ours = new Set(inputs.flat().filter((file) => !file.includes("node_modules/")));
    const files = ["package-lock.json", "server/build/bundle.mjs", "tsconfig.json", ...[...ours].sort()];
    writeFileSync(`${draft}/stamp.json`, JSON.stringify({ files, digest: digestFiles(files) }));
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(draft, FOLDER);
  });
}

/** @returns the path of a TypeScript file's bundle */
export function bundled(source) {
  return `${FOLDER}/${source.replace(/\.ts$/, ".js")}`;
}
