import { type EvaluationTrack, evaluationTracks } from "@/lib/alert-schedule/evaluation-tracks";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { isUnavailable } from "@/lib/db/unavailable";
import { processSingleton } from "@/lib/process-singleton";

/** Milliseconds for which news is gathered before the worker is told of it, in one statement. */
const GATHER_MS = 2_000;

/**
 * Has the rules of organizations evaluated within seconds, because something happened there that they may be about. Returns
 * at once. While the database is away it is tried again; what is not told because the process ends waits for the evaluation that comes anyway.
 */
export function wakeRules(track: EvaluationTrack, organizationIds: Iterable<string>): void {
  gather(
    track,
    processSingleton(`alert-rules.waking-${track}`, () => new Set<string>()),
    organizationIds,
  );
}

function gather(track: EvaluationTrack, waiting: Set<string>, organizationIds: Iterable<string>): void {
  const isFirst = waiting.size === 0;
  for (const id of organizationIds) waiting.add(id);
  if (isFirst && waiting.size > 0) setTimeout(() => void wakeGathered(track, waiting), GATHER_MS).unref();
}

async function wakeGathered(track: EvaluationTrack, waiting: Set<string>): Promise<void> {
  const ids = [...waiting];
  waiting.clear();
  try {
    await wakeNow(track, ids);
  } catch (error) {
    logFailure("alert rules could not be woken; they are evaluated later", error, { organizations: ids.length });
    if (isUnavailable(error)) gather(track, waiting, ids);
  }
}

/**
 * Has the rules of organizations evaluated by the worker's next look. While they are being evaluated, they are evaluated once more: what
 * happened may have come too late for that evaluation.
 */
export async function wakeNow(track: EvaluationTrack, organizationIds: readonly string[]): Promise<void> {
  const { nextAt } = evaluationTracks[track];
  // In one order, so that processes do not wait for each other in a circle.
  await pool().query(
    `WITH woken AS (
       SELECT organization_id FROM alert_evaluations WHERE organization_id = ANY($1::uuid[]) ORDER BY organization_id FOR UPDATE
     )
     UPDATE alert_evaluations e SET ${nextAt} = least(e.${nextAt}, now()) FROM woken WHERE e.organization_id = woken.organization_id`,
    [organizationIds],
  );
}
