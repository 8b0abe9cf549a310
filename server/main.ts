import { readFileSync } from "node:fs";
import { config } from "@/lib/config";
import { log } from "@/lib/log";
import { ensureBuild } from "@/server/build";
import { claimDataDir } from "@/server/demo/data-dir";
import { Supervisor } from "@/server/supervisor";
import { Refusal, showFailure } from "@/server/web/refusal";

const PARENT_CHECK_MS = 500;
/** npm hands on the signal that the terminal sent us as well: what follows sooner is the same request, in milliseconds. */
const SECOND_SIGNAL_MS = 1_000;

/** The processes above us: npm puts a shell between itself and us. The second is known on Linux only. */
function ancestors(): string {
  let grandparent = "";
  try {
    // Fields of /proc/<pid>/stat follow the name, which is in parentheses and may hold anything.
    const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
    grandparent = stat.slice(stat.lastIndexOf(")")).split(" ")[2] ?? "";
  } catch {}
  return `${process.ppid} ${grandparent}`;
}

/** Calls `stop` at whatever means that we should end, perhaps often: signals, a closed terminal, or npm having been killed above us. */
function onEnd(stop: (reason?: NodeJS.Signals) => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // A reader of our output that went away is no reason to die.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  if (!process.env.npm_lifecycle_event) return;
  const before = ancestors();
  setInterval(() => ancestors() !== before && stop(), PARENT_CHECK_MS).unref();
}

async function build(): Promise<void> {
  const interrupted = new AbortController();
  onEnd(() => interrupted.abort());
  await ensureBuild(interrupted.signal);
}

async function serve(options: { dev: boolean; demo: boolean }): Promise<void> {
  const supervisor = new Supervisor(options);
  let stoppedAt: number | undefined;
  onEnd((signal) => {
    if (stoppedAt !== undefined) {
      if (signal && performance.now() - stoppedAt > SECOND_SIGNAL_MS) supervisor.hurry();
      return;
    }
    stoppedAt = performance.now();
    log.info("stopping");
    void supervisor.stop().then(() => process.exit(0));
  });
  try {
    await supervisor.start();
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

/** The demonstration has a data directory of its own, and writes into no database that others know. Throws Refusal. */
function prepareDemo(): void {
  const { DATA_DIR, DATABASE_URL, OIDC_ISSUER } = config();
  if (DATABASE_URL || OIDC_ISSUER) {
    throw new Refusal(
      "The demonstration brings its own databases and sign-in: unset the database URLs and OIDC_ISSUER.",
    );
  }
  claimDataDir(DATA_DIR);
}

try {
  const words = process.argv.slice(2);
  const demo = words.includes("--demo");
  if (demo) prepareDemo();
  else config();
  const [mode, ...rest] = words.filter((word) => word !== "--demo");
  if (rest.length > 0 || !["--dev", "--build-only", undefined].includes(mode)) {
    throw new Refusal(
      `Unknown arguments: ${process.argv.slice(2).join(" ")}. Sealwatch is set up by environment variables; see .env.example.`,
    );
  }
  await (mode === "--build-only" ? build() : serve({ dev: mode === "--dev", demo }));
} catch (error) {
  showFailure(error);
  process.exit(1);
}
