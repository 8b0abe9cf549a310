import { setMaxListeners } from "node:events";
import { getPriority, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { wakeRulesOnEvents } from "@/lib/alerts/evaluation/wake-on-events";
import { config } from "@/lib/config";
import { logFailure } from "@/lib/db/outage-log";
import { connectAsJob } from "@/lib/db/purposes";
import { isUnavailable } from "@/lib/db/unavailable";
import { lookForWork } from "@/lib/jobs/look-for-work";
import { count, setGauge } from "@/lib/metrics/metrics";
import { closeTracer } from "@/lib/tracing/span";
import { startTracing } from "@/lib/tracing/start-tracing";
import { type Job, jobs } from "@/server/jobs";
import { outputJson } from "@/server/json-output";
import { reportDatabaseFigures } from "@/server/metrics/database-figures";
import { reportMetrics } from "@/server/metrics/report-metrics";
import { jobRuns } from "@/server/presence/job-runs";
import { measureRun } from "@/server/presence/measure-run";
import { reportPresence } from "@/server/presence/report-presence";
import { onStop } from "@/server/start/on-stop";

const LONGEST_BACKOFF_MS = 5 * 60_000;
/** Requests of people and machines go first where they share processors with the worker. As niceness; the highest is 19. */
const NICENESS = 10;
/** Shorter while a database is unavailable, so that waiting work starts soon after it is back. */
const LONGEST_BACKOFF_UNAVAILABLE_MS = 5_000;

outputJson();
// Only a privileged process may take back a higher niceness that it was started with.
if (getPriority() < NICENESS) setPriority(NICENESS);
connectAsJob();
wakeRulesOnEvents();
reportMetrics();
reportDatabaseFigures();
reportPresence("worker", jobRuns);
const stopping = new AbortController();
// Every job listens to it; Node.js warns of a leak at more than ten listeners.
setMaxListeners(0, stopping.signal);

/** Resolves after `ms`, or immediately when the worker stops. */
async function pause(ms: number): Promise<void> {
  await delay(ms, undefined, { signal: stopping.signal }).catch(() => {});
}

const mayHaveWork = lookForWork(
  new Map(jobs.flatMap(({ name, isDue }) => (isDue === undefined ? [] : [[name, isDue]]))),
  pause,
);

/** Runs one job until the worker stops. After each failure in a row the wait doubles, up to a maximum. */
async function repeat(job: Job): Promise<void> {
  const { name, run } = job;
  const everyMs = Math.min(job.everyMs, config().MAX_JOB_INTERVAL_SECONDS * 1000);
  let failures = 0;
  setGauge("sealwatch_job_interval_seconds", { job_name: name }, everyMs / 1000);
  setGauge("sealwatch_job_last_success_timestamp_seconds", { job_name: name }, Date.now() / 1000);
  for (const outcome of ["done", "failed"]) count("sealwatch_job_runs_total", { job_name: name, outcome }, 0);
  // Several workers should not run all jobs at the same moments. The next look is a wait by itself.
  const pauseMs = job.isDue === undefined ? everyMs : 0;
  await pause(Math.random() * Math.min(pauseMs, 1000));
  while (!stopping.signal.aborted) {
    let wait = pauseMs;
    const hasWork = job.isDue === undefined || (await mayHaveWork(name));
    if (stopping.signal.aborted) break;
    const measured = measureRun(name);
    try {
      if (hasWork) await run(stopping.signal, measured.progress);
      failures = 0;
      measured.end(null);
    } catch (error) {
      if (stopping.signal.aborted) break;
      failures++;
      measured.end(error);
      const longest = isUnavailable(error) ? LONGEST_BACKOFF_UNAVAILABLE_MS : LONGEST_BACKOFF_MS;
      wait = Math.min(everyMs * 2 ** Math.min(failures, 10), longest);
      logFailure("a job failed", error, { job: name, failures });
    }
    await pause(wait);
  }
}

/** Aborts the jobs. Runs that do not end in time are cut off; the next run takes over their items. */
onStop((graceMs) => {
  setTimeout(() => process.exit(1), graceMs).unref();
  stopping.abort();
});
await startTracing("worker");
process.send?.({ type: "ready" });
await Promise.all(jobs.map(repeat));
// Keeps the process running until a stop, even if every job has ended.
if (!stopping.signal.aborted) await new Promise((resolve) => stopping.signal.addEventListener("abort", resolve));
await closeTracer();
process.exit(0);
