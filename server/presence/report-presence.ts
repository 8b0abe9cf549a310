import { hostname } from "node:os";
import { pool } from "@/lib/db/app";
import { newId } from "@/lib/ids";
import type { JobRun } from "@/lib/operator/read-processes";
import { buildInfo } from "@/server/metrics/build-info";

const EVERY_MS = 10_000;

/**
 * Also deletes what ended an hour ago: other processes may still look at it until then. A process goes on with `steady_since` of those
 * of its kind that reported within two minutes, as in a restart; after a longer pause of all of them it begins anew.
 */
const REPORT = `WITH gone AS (DELETE FROM processes WHERE seen_at < now() - interval '1 hour' AND id <> $1)
  INSERT INTO processes (id, kind, host, pid, version, node, started_at, seen_at, jobs, steady_since)
  VALUES ($1, $2, $3, $4, $5, $6, $7, now(), $8, coalesce((SELECT min(coalesce(steady_since, started_at)) FROM processes
    WHERE kind = $2 AND seen_at > now() - interval '2 minutes'), now()))
  ON CONFLICT (id) DO UPDATE SET seen_at = now(), jobs = excluded.jobs, steady_since = excluded.steady_since`;

/**
 * Says every few seconds in the monitoring database that this process runs, for the operator's page and for the silence of agents.
 * Never throws.
 */
export function reportPresence(kind: "web" | "worker", jobs: () => Record<string, JobRun> = () => ({})): void {
  const { version, node } = buildInfo();
  const fixed = [newId(), kind, hostname(), process.pid, version, node, new Date()];
  let isBusy = false;
  const report = async () => {
    // While the database hangs, attempts must not pile up.
    if (isBusy) return;
    isBusy = true;
    try {
      await pool().query(REPORT, [...fixed, JSON.stringify(jobs())]);
    } catch {
      // The pool logs that the database is unavailable.
    } finally {
      isBusy = false;
    }
  };
  void report();
  setInterval(() => void report(), EVERY_MS).unref();
}
