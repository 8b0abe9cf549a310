import type { ChildProcess } from "node:child_process";
import type { Snapshot } from "@/lib/metrics/metrics";
import type { MetricsAnswer, MetricsRequest } from "@/server/metrics/report-metrics";

let lastId = 0;

/** Asks a process for its metrics; null if it exits or does not answer within `timeoutMs`. */
export function askForMetrics(process: ChildProcess, timeoutMs: number): Promise<Snapshot[] | null> {
  const id = ++lastId;
  return new Promise((resolve) => {
    const end = (metrics: Snapshot[] | null) => {
      clearTimeout(timer);
      process.off("message", onMessage);
      process.off("exit", onExit);
      resolve(metrics);
    };
    const onExit = () => end(null);
    const onMessage = (message: unknown) => {
      const answer = message as Partial<MetricsAnswer> | null;
      if (answer?.type === "metrics" && answer.id === id) end(answer.metrics ?? null);
    };
    const timer = setTimeout(onExit, timeoutMs);
    process.on("message", onMessage);
    process.once("exit", onExit);
    process.send({ type: "read_metrics", id } satisfies MetricsRequest, (error) => {
      if (error) end(null);
    });
  });
}
