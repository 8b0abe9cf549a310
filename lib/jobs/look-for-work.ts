import { pool } from "@/lib/db/app";

/** Milliseconds between two looks. */
export const POLL_INTERVAL_MS = 1_000;

type Found = Partial<Record<string, boolean>>;

/**
 * Looks for the work of many jobs in one statement per second, because most of them find nothing most of the time. `conditions` on the
 * monitoring database have the jobs' names. Returns a function that resolves, at the next look, to whether a job may have something to
 * do. If a look fails or takes too long, every job may: it then finds out by itself, and one of them that cannot does not hold up the
 * others. `pause` ends early when the worker stops.
 */
export function lookForWork(
  conditions: ReadonlyMap<string, string>,
  pause: (ms: number) => Promise<void>,
): (job: string) => Promise<boolean> {
  // Without a name, so that it is planned for the tables as they are, not as they were when they were empty.
  const statement = `SELECT ${[...conditions].map(([name, condition]) => `${condition} AS "${name}"`).join(", ")}`;
  /** The query that jobs currently wait for. */
  let next: Promise<Found> | undefined;
  const look = async (): Promise<Found> => {
    await pause(POLL_INTERVAL_MS);
    next = undefined;
    return pool("health")
      .query<Record<string, boolean>>(statement)
      .then(
        ({ rows }) => rows[0] ?? {},
        () => ({}),
      );
  };
  return async (name) => {
    next ??= look();
    return (await next)[name] !== false;
  };
}
