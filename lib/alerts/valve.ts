import { pool } from "@/lib/db/app";
import { log } from "@/lib/log";
import { once } from "@/lib/once";

/** Fewer than this tell nothing about our own network. */
const LEAST = 20;
const SHARE = 0.1;
const WITHIN = "5 minutes";
const KEPT_MS = 5_000;

/** Whether so many of all went down at once that our own network may be the reason. */
export function isMassFailure({ down, all }: { down: number; all: number }): boolean {
  return all >= LEAST && down > all * SHARE;
}

/**
 * Whether notices about monitors being down are held, of whichever organization: more than a tenth of all went down within five minutes.
 * The operator is told by the log. What is still down after that is told then. Endpoints have a valve of their own, before their findings.
 */
export async function isValveClosed(): Promise<boolean> {
  const state = once("alerts.valve", () => ({ isClosed: false, readAt: Number.NEGATIVE_INFINITY }));
  if (performance.now() - state.readAt < KEPT_MS) return state.isClosed;
  const { rows } = await pool().query<{ down: number; all: number }>(
    `SELECT count(*) FILTER (WHERE status = 'down' AND status_since > now() - interval '${WITHIN}')::integer AS down,
       count(*)::integer AS all FROM uptime_monitors WHERE paused_at IS NULL AND status <> 'pending'`,
  );
  const counts = rows[0] ?? { down: 0, all: 0 };
  const isClosed = isMassFailure(counts);
  if (isClosed && !state.isClosed)
    log.error(counts, "many monitors went down at once: notices about them are held back");
  Object.assign(state, { isClosed, readAt: performance.now() });
  return isClosed;
}
