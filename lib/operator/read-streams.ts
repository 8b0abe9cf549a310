import { pool } from "@/lib/db/app";

/** Destinations of all organizations. `failingSince` is the oldest failure that lasts. */
export interface StreamFigures {
  active: number;
  paused: number;
  failing: number;
  failingSince: Date | null;
  /** Since when the longest-waiting active destination should have been served, in seconds. */
  lateSeconds: number;
}

/** How the streams of the audit log are. Throws the database's error. */
export async function readStreams(): Promise<StreamFigures> {
  const { rows } = await pool("report").query<StreamFigures>(`
    SELECT count(*) FILTER (WHERE paused_at IS NULL)::integer AS active, count(paused_at)::integer AS paused,
      count(*) FILTER (WHERE paused_at IS NULL AND failing_since IS NOT NULL)::integer AS failing,
      min(failing_since) FILTER (WHERE paused_at IS NULL) AS "failingSince",
      coalesce(greatest(0, extract(epoch FROM now() - min(next_at) FILTER (
        WHERE paused_at IS NULL AND (leased_until IS NULL OR leased_until < now())))), 0)::float8 AS "lateSeconds"
    FROM (SELECT * FROM destinations LIMIT 100000) AS d`);
  return rows[0] ?? { active: 0, paused: 0, failing: 0, failingSince: null, lateSeconds: 0 };
}
