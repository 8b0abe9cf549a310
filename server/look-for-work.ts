import { pool } from "@/lib/db/app";
import { type Job, LOOK_MS } from "@/server/jobs";

type Found = Partial<Record<string, boolean>>;

/**
 * Looks for the work of many jobs in one statement per second, because most of them find nothing most of the time. Returns a function
 * that resolves, at the next look, to whether a job may have something to do. If a look fails or takes too long, every job may: it
 * then finds out by itself, and one of them that cannot does not hold up the others. `pause` ends early when the worker stops.
 */
export function lookForWork(
  jobs: readonly Job[],
  pause: (ms: number) => Promise<void>,
): (job: Pick<Job, "name">) => Promise<boolean> {
  const conditions = jobs.flatMap(({ name, isDue }) => (isDue === undefined ? [] : [`${isDue} AS "${name}"`]));
  // Without a name, so that it is planned for the tables as they are, not as they were when they were empty.
  const statement = `SELECT ${conditions.join(", ")}`;
  /** That which jobs wait for at the moment. */
  let next: Promise<Found> | undefined;
  const look = async (): Promise<Found> => {
    await pause(LOOK_MS);
    next = undefined;
    return pool("health")
      .query<Record<string, boolean>>(statement)
      .then(
        ({ rows }) => rows[0] ?? {},
        () => ({}),
      );
  };
  return async ({ name }) => {
    next ??= look();
    return (await next)[name] !== false;
  };
}
