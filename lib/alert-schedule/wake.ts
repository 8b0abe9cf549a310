import { type EvaluationTrack, evaluationTracks } from "@/lib/alert-schedule/evaluation-tracks";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { isUnavailable } from "@/lib/db/unavailable";
import { processSingleton } from "@/lib/process-singleton";

/** Milliseconds during which wake-ups are collected before they are written in one statement. */
const GATHER_MS = 2_000;

/**
 * Has the organizations' rules evaluated within seconds, because something happened that may match them. Returns immediately.
 * Retries while the database is down. If the process ends first, the next regular evaluation covers it.
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
    logFailure("could not wake alert rules; will evaluate them later", error, { organizations: ids.length });
    if (isUnavailable(error)) gather(track, waiting, ids);
  }
}

/**
 * Marks the organizations' rules as due for the worker's next poll. Rules that are being evaluated now are evaluated once more,
 * because that evaluation may have missed what happened.
 */
export async function wakeNow(track: EvaluationTrack, organizationIds: readonly string[]): Promise<void> {
  const { nextAt } = evaluationTracks[track];
  // In a fixed order, so that processes do not deadlock.
  await pool().query(
    `WITH woken AS (
       SELECT organization_id FROM alert_evaluations WHERE organization_id = ANY($1::uuid[]) ORDER BY organization_id FOR UPDATE
     )
     UPDATE alert_evaluations e SET ${nextAt} = least(e.${nextAt}, now()) FROM woken WHERE e.organization_id = woken.organization_id`,
    [organizationIds],
  );
}
