import { count, observe, setGauge } from "@/lib/metrics/metrics";
import { noteJobRun } from "@/server/presence/job-runs";

/** Milliseconds after which a run that goes on counts as another one. */
const PART_MS = 10_000;

/**
 * Measures a run of a job that starts now. A run that makes `progress` may not end for days under load: it counts as a successful run
 * every 10 s. `end` takes the error, or null after a success. `now` is in milliseconds.
 */
export function measureRun(name: string, now = () => performance.now()) {
  let started = now();
  let startedAt = new Date();

  const end = (error: unknown) => {
    const durationMs = now() - started;
    count("sealwatch_job_runs_total", { job_name: name, outcome: error === null ? "done" : "failed" });
    if (error === null) {
      setGauge("sealwatch_job_last_success_timestamp_seconds", { job_name: name }, Date.now() / 1000);
    }
    observe("sealwatch_job_duration_seconds", { job_name: name }, durationMs / 1000);
    noteJobRun(name, startedAt, durationMs, error);
  };
  const progress = () => {
    if (now() - started < PART_MS) return;
    end(null);
    started = now();
    startedAt = new Date();
  };
  return { progress, end };
}
