import { collectDefaultMetrics } from "prom-client";
import { config } from "@/lib/config";
import { logFailure } from "@/lib/db/outage-log";
import { declareMetrics, readMetrics, registry, type Snapshot } from "@/lib/metrics/metrics";

/** Counts of objects by type, whose names break Prometheus' conventions. */
const LEFT_OUT = /^nodejs_active_/;

/** What the supervisor asks of a process, and its answer. */
export type MetricsRequest = { type: "read_metrics"; id: number };
export type MetricsAnswer = { type: "metrics"; id: number; metrics: Snapshot[] };

/** Adds the metrics of Node.js: event loop, heap, garbage collection, processor time. */
export function measureRuntime(): void {
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) if (LEFT_OUT.test(name)) registry.removeSingleMetric(name);
}

/** Passes this process's metrics on to the supervisor when it asks, if METRICS_PORT is set. */
export function reportMetrics(): void {
  if (config().METRICS_PORT === undefined) return;
  declareMetrics();
  measureRuntime();
  process.on("message", (message: Partial<MetricsRequest>) => {
    if (message.type !== "read_metrics" || message.id === undefined) return;
    const { id } = message;
    readMetrics()
      .then((metrics) => process.connected && process.send?.({ type: "metrics", id, metrics } satisfies MetricsAnswer))
      .catch((error: unknown) => logFailure("the metrics could not be read", error));
  });
}
