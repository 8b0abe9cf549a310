import { setTimeout as delay } from "node:timers/promises";
import type { Api } from "@/e2e/support/api";

const PATHS = ["/api-keys", "/uptime", "/certificates/endpoints", "/audit-logs?limit=5", "/alerts", "/nowhere"];

/** Callers that send a request each twice a second, or as often as given, whatever is answered: a machine is busy and not full. */
export class PacedLoad {
  readonly statuses = new Map<number | "none", number>();
  private isStopped = false;
  private readonly running: Promise<unknown>;

  constructor(callers: readonly Api[], { every = 500, paths = PATHS } = {}) {
    this.running = Promise.all(
      callers.map(async (caller, at) => {
        for (let n = at; !this.isStopped; n++) {
          const path = paths[n % paths.length] ?? "";
          const status = await caller.get(path).then(
            (answer) => answer.status,
            () => "none" as const,
          );
          this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
          await delay(every);
        }
      }),
    );
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }
}
