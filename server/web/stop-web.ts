import type { Server } from "node:http";
import { flushUses } from "@/lib/api-keys/last-use";
import { config } from "@/lib/config";
import { log } from "@/lib/log";
import { requestShutdown, unfinishedWork } from "@/lib/shutdown";
import { closeTracer } from "@/lib/tracing/span";
import { ORPHAN_GRACE_MS } from "@/server/child";
import type { Connections } from "@/server/web/connections";
import { stopListeningWhenQuiet } from "@/server/web/stop-listening";

/** How long the events of requests that were cut off at the end of the grace period may take to be written, in milliseconds. */
const LAST_EVENTS_MS = 8_000;

/**
 * Stops the web process on SIGTERM, SIGINT or the supervisor's death: it accepts no connections, ends event streams, and gives
 * requests and exports the grace period. A second signal ends that period. `underWay` has the requests in progress, whose events
 * must be durable before the process exits.
 */
export function stopOnSignal(server: Server, connections: Connections, underWay: ReadonlySet<Promise<void>>): void {
  const graceMs = config().SHUTDOWN_GRACE_SECONDS * 1_000;
  let isStopping = false;

  const cut = () => {
    connections.cut();
    setTimeout(() => {
      log.error({ requests: underWay.size, connections: connections.count }, "the web process did not stop in time");
      process.exit(1);
    }, LAST_EVENTS_MS);
  };

  const stop = async () => {
    isStopping = true;
    requestShutdown();
    if (process.connected) process.send?.({ type: "stopping" });
    if (server.listening) await stopListeningWhenQuiet(server);
    await connections.close();
    while (underWay.size > 0) await Promise.all(underWay);
    await unfinishedWork();
    await flushUses();
    await closeTracer();
    process.exit(0);
  };

  const within = (ms: number) => {
    setTimeout(cut, ms);
    if (!isStopping) void stop();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => within(isStopping ? 0 : graceMs));
  // The next start after a kill waits no longer than this.
  process.on("disconnect", () => within(Math.min(graceMs, ORPHAN_GRACE_MS)));
}
