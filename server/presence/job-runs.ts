import type { JobRun } from "@/lib/operator/read-processes";
import { visible } from "@/lib/text/visible";

const MAX_ERROR_LENGTH = 300;

const runs = new Map<string, JobRun>();

/** Notes a run of a job in this process, for the operator's page. `error` is null for a success. */
export function noteJobRun(name: string, startedAt: Date, durationMs: number, error: unknown): void {
  const before = runs.get(name);
  const message = error instanceof Error ? error.message || error.name : String(error);
  runs.set(name, {
    last_run_at: startedAt.toISOString(),
    duration_ms: Math.round(durationMs),
    last_error: error === null ? (before?.last_error ?? null) : visible(message.slice(0, MAX_ERROR_LENGTH)),
    last_error_at: error === null ? (before?.last_error_at ?? null) : new Date().toISOString(),
  });
}

/** The runs of this process by the name of the job. */
export function jobRuns(): Record<string, JobRun> {
  return Object.fromEntries(runs);
}
