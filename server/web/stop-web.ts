import type { Server } from "node:http";
import { flushUses } from "@/lib/api-keys/last-use";
import { log } from "@/lib/log";
import { requestShutdown, unfinishedWork } from "@/lib/shutdown";
import { closeTracer } from "@/lib/tracing/span";
import { onStop } from "@/server/start/on-stop";
import type { Connections } from "@/server/web/connections";
import { stopListeningWhenQuiet } from "@/server/web/stop-listening";

/** How long the events of requests that were cut off at the end of the grace period may take to be written, in milliseconds. */
const LAST_EVENTS_MS = 8_000;

/**
 * Stops the web process when it shall stop (see onStop): it accepts no connections, ends event streams, and gives requests and exports
 * the grace period. `underWay` has the requests in progress, whose events must be durable before the process exits.
 */
export function stopOnSignal(server: Server, connections: Connections, underWay: ReadonlySet<Promise<void>>): void {
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

  onStop((graceMs) => {
    setTimeout(cut, graceMs);
    if (!isStopping) void stop();
  });
}
