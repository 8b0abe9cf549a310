import { readFileSync } from "node:fs";
import { requireReadableRoots } from "@/lib/certificates/trust-stores/trust-store";
import { config } from "@/lib/config";
import { log } from "@/lib/log";
import { witness } from "@/lib/witness/identity";
import { ensureBuild } from "@/server/build/ensure-build";
import { claimDataDir } from "@/server/demo/data-dir";
import { migrateOnly } from "@/server/start/migrate-only";
import { type Part, partArguments, requireSettingsOf } from "@/server/start/parts";
import { onStopRequest } from "@/server/start/stop-requests";
import { Supervisor } from "@/server/supervisor";
import { Refusal, showFailure } from "@/server/web/refusal";

const PARENT_CHECK_MS = 500;

/** The parent and grandparent processes: npm puts a shell between itself and us. The grandparent is known only on Linux. */
function ancestors(): string {
  let grandparent = "";
  try {
    // The fields of /proc/<pid>/stat follow the name, which is in parentheses and may contain anything.
    const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
    grandparent = stat.slice(stat.lastIndexOf(")")).split(" ")[2] ?? "";
  } catch {}
  return `${process.ppid} ${grandparent}`;
}

/** Calls `stop` once, on a signal, a closed terminal or the death of npm, which started us, and `insist` on later signals. */
function onEnd(stop: () => void, insist: () => void = () => {}): void {
  const { request } = onStopRequest(stop, insist);
  if (!process.env.npm_lifecycle_event) return;
  const before = ancestors();
  setInterval(() => ancestors() !== before && request(), PARENT_CHECK_MS).unref();
}

async function build(): Promise<void> {
  const interrupted = new AbortController();
  onEnd(() => interrupted.abort());
  await ensureBuild(interrupted.signal);
}

async function serve(options: { dev: boolean; demo: boolean; part: Part }): Promise<void> {
  const supervisor = new Supervisor(options);
  const stop = () => {
    log.info("stopping");
    void supervisor.stop().then(() => process.exit(0));
  };
  onEnd(stop, () => supervisor.stopWaiting());
  try {
    await supervisor.start();
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

/** The demonstration uses its own data directory and never writes to configured databases. Throws Refusal. */
function prepareDemo(): void {
  const { DATA_DIR, DATABASE_URL, OIDC_ISSUER } = config();
  if (DATABASE_URL || OIDC_ISSUER) {
    throw new Refusal(
      "The demonstration starts its own databases and sign-in. Unset the database URLs and OIDC_ISSUER.",
    );
  }
  claimDataDir(DATA_DIR);
}

try {
  const words = process.argv.slice(2);
  const demo = words.includes("--demo");
  if (demo) prepareDemo();
  else config();
  requireReadableRoots(config().PUBLIC_ROOTS_FILE ?? []);
  witness();
  const [mode, ...rest] = words.filter((word) => word !== "--demo");
  const part = partArguments[mode ?? ""] ?? "all";
  if (rest.length > 0 || (part === "all" && !["--dev", "--build-only", undefined].includes(mode))) {
    throw new Refusal(
      `Unknown arguments: ${process.argv.slice(2).join(" ")}. Sealwatch is configured with environment variables; see .env.example.`,
    );
  }
  if (demo && part !== "all") throw new Refusal("The demonstration runs all parts on one machine.");
  requireSettingsOf(part);
  if (mode === "--build-only") await build();
  else if (part === "migrations") await migrateOnly();
  else await serve({ dev: mode === "--dev", demo, part });
} catch (error) {
  showFailure(error);
  process.exit(1);
}
