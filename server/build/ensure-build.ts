import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isUnchanged } from "@/server/build/unchanged.mjs";
import { exclusively } from "@/server/exclusive.mjs";
import { spawnTied } from "@/server/tied.mjs";
import { checkFirstLoads, firstLoads } from "@/server/web/first-load";
import { Refusal } from "@/server/web/refusal";

const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "prisma/app",
  "next.config.mjs",
  "package-lock.json",
  "postcss.config.mjs",
];
const STAMP = ".next/sealwatch-build";

function files(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found === undefined ? [] : [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? files(join(path, entry.name)) : [join(path, entry.name)]));
}

/** Every source of the build; test files are not part of it, nor is the release of Node.js, which changes nothing. */
const sources = () => SOURCES.flatMap(files).filter((name) => !/\.(test|spec)\.tsx?$/.test(name));

function digestFiles(all: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of all) {
    hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function isCurrent(): boolean {
  if (!existsSync(".next/BUILD_ID") || !existsSync(STAMP)) return false;
  const all = sources();
  return isUnchanged([STAMP, ...all], ".next/sealwatch-marks", () => readFileSync(STAMP, "utf8") === digestFiles(all));
}

/** Builds the web application unless the existing build is of the same sources. `signal` interrupts. Throws Refusal. */
export async function ensureBuild(signal: AbortSignal): Promise<void> {
  // A container image has the build without its sources.
  if (existsSync(".next/BUILD_ID") && !existsSync("app")) return;
  if (isCurrent()) return;
  await exclusively("build", async () => {
    if (isCurrent() || signal.aborted) return;
    const digest = digestFiles(sources());
    console.error("Building the web application (first start, or the sources changed)…");
    // In its own process group: Next starts workers, and a stop must end all of them.
    const child = spawnTied(["node_modules/next/dist/bin/next", "build"], {
      env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
      graceMs: 0,
      detached: true,
    });
    const interrupt = () => {
      if (child.pid) process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
    };
    signal.addEventListener("abort", interrupt, { once: true });
    const code = await new Promise((resolve) => child.once("exit", resolve));
    signal.removeEventListener("abort", interrupt);
    if (signal.aborted) return;
    if (code !== 0 || !existsSync(".next/BUILD_ID")) {
      throw new Refusal("The web application could not be built. See the error above.");
    }
    checkFirstLoads(firstLoads(".next"));
    writeFileSync(STAMP, digest);
  });
}
