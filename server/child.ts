import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { log } from "@/lib/log";
import type { Snapshot } from "@/lib/metrics/metrics";
import { askForMetrics } from "@/server/metrics/ask-for-metrics";
import { ORPHAN_GRACE_MS, STOP_WAITING } from "@/server/start/on-stop";
import { spawnTied } from "@/server/tied.mjs";
import type { SharedListener } from "@/server/web/shared-listener";

/** A child exits with this code after it has printed a reason that a restart does not fix (`EX_CONFIG` of sysexits.h). */
export const EXIT_REFUSED = 78;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
/** A process that dies as soon as it is ready must not use the whole machine for restarts. */
const BETWEEN_STARTS_MS = 1_000;

/** Less than a scrape's usual limit of 10 s, so that a process that hangs takes away only its own metrics. */
const METRICS_TIMEOUT_MS = 4_000;

/** The next start waits a little longer than a child's grace period for its locks. */
const ORPHAN_MS = ORPHAN_GRACE_MS + 3_000;

type Options = {
  /** Also the name of its entry file. */
  name: "web" | "worker" | "demo";
  /** Its name in the metrics, if several processes have the same entry file. */
  label?: string;
  args: string[];
  env: Record<string, string>;
  /** Passes connections to the child, one of several that share a port. */
  listener?: SharedListener | undefined;
  onReady?: () => void;
  /** Called instead of a restart when the child refuses to start, or was not ready after several attempts. */
  onRefusal: (sentence: string) => void;
};

/** In production this module is part of a bundle, in the same folder as the bundles of the other processes. */
function entryOf(name: string): string[] {
  const isBundled = import.meta.url.endsWith(".js");
  return isBundled ? [fileURLToPath(new URL(`${name}.js`, import.meta.url))] : ["--import", "tsx", `server/${name}.ts`];
}

/** A process of Sealwatch, restarted with back-off when it dies. */
export class Child {
  #process: ChildProcess | undefined;
  #deaths = 0;
  #wasReady = false;
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: Options) {}

  /** The value of the label `process` in its metrics. */
  get name(): string {
    return this.options.label ?? this.options.name;
  }

  /** Its metrics; null if it is not running or does not answer in time. */
  async readMetrics(): Promise<Snapshot[] | null> {
    return this.#process ? askForMetrics(this.#process, METRICS_TIMEOUT_MS) : null;
  }

  start(): void {
    const { name } = this.options;
    const startedAt = Date.now();
    const child = this.#spawn();
    this.#process = child;
    child.on("message", (message) => {
      if (typeof message !== "object" || !("type" in message) || message.type !== "ready") return;
      this.#wasReady = true;
      if (this.#deaths > 0) log.info({ process: name }, "a process that died runs again");
      // Back-off is for a process that does not start. This one did, and nobody is served while it is down.
      this.#deaths = 0;
      this.options.listener?.add(child);
      this.options.onReady?.();
    });
    child.on("error", (error) => log.error({ err: error, process: name }, "a process could not be started"));
    child.once("close", (code, signal) => {
      this.#process = undefined;
      if (this.#stopping) return;
      if (code === EXIT_REFUSED) return this.options.onRefusal("");
      this.#deaths++;
      if (!this.#wasReady && this.#deaths >= 3)
        return this.options.onRefusal(`The ${name} process does not start. See the error above.`);
      const soonest = Math.max(0, startedAt + BETWEEN_STARTS_MS - Date.now());
      const wait =
        this.#deaths === 1 ? soonest : Math.min(FIRST_BACKOFF_MS * 2 ** (this.#deaths - 2), LONGEST_BACKOFF_MS);
      log.error({ process: name, code, signal, restart_in_ms: wait }, "a process died");
      this.#timer = setTimeout(() => this.start(), wait);
    });
  }

  #spawn(): ChildProcess {
    const { name, args, env } = this.options;
    // Detached from the terminal, so that Ctrl-C reaches only the supervisor, which stops its children in order.
    return spawnTied([...entryOf(name), ...args], { env, graceMs: ORPHAN_MS, detached: true });
  }

  /** Asks the child to finish its work and exit; kills it after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (!child) return;
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    const timer = setTimeout(() => {
      log.warn({ process: this.options.name }, "a process did not end in time");
      child.kill("SIGKILL");
    }, graceMs);
    await gone;
    clearTimeout(timer);
  }

  /** The child stops waiting for open requests. A second signal could not say so: see onStop. */
  stopWaiting(): void {
    if (this.#process?.connected) this.#process.send(STOP_WAITING, () => {});
  }

  /** Stops the child and starts it again with the current configuration, unless `signal` aborts first. */
  async restart(graceMs: number, signal: AbortSignal): Promise<void> {
    await this.stop(graceMs);
    if (signal.aborted) return;
    this.#stopping = false;
    this.#deaths = 0;
    this.start();
  }
}
