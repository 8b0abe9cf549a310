import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { log } from "@/lib/log";
import { spawnTied } from "@/server/tied.mjs";
import type { SharedListener } from "@/server/web/shared-listener";

/** A child ends with this code when restarting it would not help; it has said why (`EX_CONFIG` of sysexits.h). */
export const EXIT_REFUSED = 78;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
/** One that dies as soon as it is ready must not take the whole machine for its starts. */
const BETWEEN_STARTS_MS = 1_000;

/** When we are killed, a child may finish what it is doing for this long; the next start waits for its locks a little longer. */
export const ORPHAN_GRACE_MS = 8_000;
const ORPHAN_MS = ORPHAN_GRACE_MS + 3_000;

type Options = {
  /** Also of its entry. */
  name: "web" | "worker" | "demo";
  args: string[];
  env: Record<string, string>;
  /** Hands the child its connections, as one of several that share a port. */
  listener?: SharedListener | undefined;
  onReady?: () => void;
  /** Called instead of a restart when the child refuses, or never became ready in several attempts. */
  onRefusal: (sentence: string) => void;
};

/** In production this module is part of a bundle, beside those of the other processes. */
function entryOf(name: string): string[] {
  const isBundled = import.meta.url.endsWith(".js");
  return isBundled
    ? ["--enable-source-maps", fileURLToPath(new URL(`${name}.js`, import.meta.url))]
    : ["--import", "tsx", `server/${name}.ts`];
}

/** One of our processes, restarted with back-off when it dies. */
export class Child {
  #process: ChildProcess | undefined;
  #deaths = 0;
  #wasReady = false;
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: Options) {}

  start(): void {
    const { name } = this.options;
    const startedAt = Date.now();
    const child = this.#spawn();
    this.#process = child;
    child.on("message", (message) => {
      if (typeof message !== "object" || !("type" in message) || message.type !== "ready") return;
      this.#wasReady = true;
      if (this.#deaths > 0) log.info({ process: name }, "a process that died runs again");
      // Waiting longer each time is for one that does not come up: while this one is away, nobody is served.
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
        return this.options.onRefusal(`The ${name} process does not start; the reason stands above.`);
      const soonest = Math.max(0, startedAt + BETWEEN_STARTS_MS - Date.now());
      const wait =
        this.#deaths === 1 ? soonest : Math.min(FIRST_BACKOFF_MS * 2 ** (this.#deaths - 2), LONGEST_BACKOFF_MS);
      log.error({ process: name, code, signal, restart_in_ms: wait }, "a process died");
      this.#timer = setTimeout(() => this.start(), wait);
    });
  }

  #spawn(): ChildProcess {
    const { name, args, env } = this.options;
    // Detached from the terminal, so that Ctrl-C reaches us alone and the children are stopped in order.
    return spawnTied([...entryOf(name), ...args], { env, patienceMs: ORPHAN_MS, detached: true });
  }

  /** Asks the child to finish what it is doing and end; ends it by force after `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (!child) return;
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    const timer = setTimeout(() => {
      log.warn({ process: this.options.name }, "a process did not end in time");
      child.kill("SIGKILL");
    }, patienceMs);
    await gone;
    clearTimeout(timer);
  }

  /** Asks again: whatever it still waits for is cut off. */
  hurry(): void {
    this.#process?.kill("SIGTERM");
  }

  /** Ends the child and starts it again, with what was configured since. */
  async restart(patienceMs: number): Promise<void> {
    await this.stop(patienceMs);
    this.#stopping = false;
    this.#deaths = 0;
    this.start();
  }
}
