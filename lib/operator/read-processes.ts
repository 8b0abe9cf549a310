import { db } from "@/lib/db/app";

/** More processes than any installation has. */
const MAX_PROCESSES = 200;

/** The last runs of a job in one process. Times in RFC 3339. */
export type JobRun = {
  last_run_at: string;
  duration_ms: number;
  /** Null while it has not failed since the process started. */
  last_error: string | null;
  last_error_at: string | null;
};

export interface RunningProcess {
  id: string;
  kind: string;
  host: string;
  pid: number;
  version: string;
  node: string;
  startedAt: Date;
  seenAt: Date;
}

/** A job with its newest run and newest error in any worker. */
export interface JobState extends JobRun {
  name: string;
}

/** The processes of the last hour, newest first, and what their jobs last did. */
export async function readProcesses(): Promise<{ processes: RunningProcess[]; jobs: JobState[] }> {
  const rows = await db().process.findMany({ orderBy: [{ seenAt: "desc" }, { id: "asc" }], take: MAX_PROCESSES });
  const jobs = new Map<string, JobState>();
  for (const row of rows) {
    for (const [name, run] of Object.entries(row.jobs as Record<string, JobRun>))
      jobs.set(name, newer(jobs.get(name), name, run));
  }
  return {
    processes: rows.map(({ jobs: _jobs, ...process }) => process),
    jobs: [...jobs.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function newer(before: JobState | undefined, name: string, run: JobRun): JobState {
  if (before === undefined) return { name, ...run };
  const last = before.last_run_at > run.last_run_at ? before : run;
  const failed = (before.last_error_at ?? "") > (run.last_error_at ?? "") ? before : run;
  return {
    name,
    last_run_at: last.last_run_at,
    duration_ms: last.duration_ms,
    last_error: failed.last_error,
    last_error_at: failed.last_error_at,
  };
}
