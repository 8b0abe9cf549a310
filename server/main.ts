import { readFileSync } from "node:fs";
import { config } from "@/lib/config";
import { ensureBuild } from "@/server/build";
import { Refusal, showFailure } from "@/server/refusal";
import { Supervisor } from "@/server/supervisor";

const PARENT_CHECK_MS = 500;

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

/** Calls `stop` at whatever means that we should end: signals, a closed terminal, or npm having been killed above us. */
function onEnd(stop: () => void): void {
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

async function serve(dev: boolean): Promise<void> {
  const supervisor = new Supervisor({ dev });
  let stopping = false;
  onEnd(() => {
    if (stopping) return;
    stopping = true;
    console.error("Stopping…");
    void supervisor.stop().then(() => process.exit(0));
  });
  try {
    await supervisor.start();
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

try {
  config();
  const [mode, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || !["--dev", "--build-only", undefined].includes(mode)) {
    throw new Refusal(
      `Unknown arguments: ${process.argv.slice(2).join(" ")}. Sealwatch is set up by environment variables; see .env.example.`,
    );
  }
  await (mode === "--build-only" ? build() : serve(mode === "--dev"));
} catch (error) {
  showFailure(error);
  process.exit(1);
}
