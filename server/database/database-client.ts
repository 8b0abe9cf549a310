import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const SCHEMA = "prisma/app";
const FOLDER = "lib/db/generated";
const TOOL = "prisma";
const GENERATOR = resolve(TOOL, "node_modules/prisma/build/index.js");
const STAMP = `${FOLDER}/stamp`;

const prismaVersion = () =>
  (JSON.parse(readFileSync("node_modules/@prisma/client/package.json", "utf8")) as { version: string }).version;

function schemaFiles(): string[] {
  return readdirSync(SCHEMA)
    .filter((name) => name.endsWith(".prisma"))
    .sort();
}

/** A digest of the generated client's inputs: the schema and the version of Prisma. */
function digestSchema(): string {
  const hash = createHash("sha256").update(prismaVersion());
  for (const name of schemaFiles())
    hash
      .update("\0")
      .update(name)
      .update("\0")
      .update(readFileSync(join(SCHEMA, name)));
  return hash.digest("hex");
}

/** Whether the generated client in the checkout belongs to the current schema. */
export function isClientCurrent(): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8").trim() === digestSchema();
}

/**
 * The files that Prisma generates for the schema, by path. Installs `prisma`, which nothing else needs, from its own package and
 * lock file: as a peer dependency of its client it would be part of every installation.
 */
export function generateClient(): Map<string, string> {
  const draft = mkdtempSync(join(tmpdir(), "sealwatch-prisma-"));
  try {
    cpSync(SCHEMA, join(draft, SCHEMA), { recursive: true });
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    execFileSync(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: TOOL, stdio: ["ignore", 2, 2] });
    execFileSync(process.execPath, [GENERATOR, "generate", "--schema", join(draft, SCHEMA)], {
      cwd: draft,
      stdio: ["ignore", 2, 2],
      env: {
        ...process.env,
        // Prisma would download its schema engine, which `generate` does not use: any existing file satisfies it.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: "1",
        CHECKPOINT_DISABLE: "1",
      },
    });
    return readClient(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The files of a checkout's generated client, by path. */
export function readClient(checkout = "."): Map<string, string> {
  const folder = join(FOLDER, "app");
  const names = readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(checkout, folder).length + 1));
  return new Map(names.sort().map((name) => [join(folder, name), readFileSync(join(checkout, folder, name), "utf8")]));
}

/** Replaces the checkout's generated client. */
export function writeClient(files: ReadonlyMap<string, string>): void {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const [file, text] of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(STAMP, `${digestSchema()}\n`);
}
