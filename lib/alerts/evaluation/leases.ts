import { type EvaluationTrack, evaluationTracks } from "@/lib/alert-schedule/evaluation-tracks";
import { LEASE_SECONDS } from "@/lib/alerts/evaluation/schedule";
import type { LogCursor } from "@/lib/audit-logs/read/new-events";
import { pool } from "@/lib/db/app";
import { CREATOR_OR_SUCCESSOR } from "@/lib/jobs/creator-or-successor";

/** Concurrent evaluations of all organizations that count for one person, of the slots of one process. */
const MAX_OF_CREATOR = 2;
/** Due evaluations, oldest first, among which those to lease are chosen: more than a few people's organizations. */
const CONSIDERED = 1_000;

/** An evaluation that this process has leased. */
export interface Due {
  organizationId: string;
  /** The person for whom the organization counts (CREATOR_OR_SUCCESSOR), otherwise the organization. */
  creator: string;
  leasedUntil: Date;
  /** The position in the audit log; null if no rule is about events. */
  place: LogCursor | null;
  /** The time up to which events are counted; null if no rule counted events. */
  countedAt: Date | null;
}

/**
 * Leases up to `most` due evaluations, in addition to those that are running. Schedules the next one after the lease, so that a wake-up
 * meanwhile is visible: it moves the time forward.
 */
export async function leaseDue(
  track: EvaluationTrack,
  most: number,
  running: readonly Pick<Due, "creator">[],
): Promise<Due[]> {
  const { nextAt, leasedUntil } = evaluationTracks[track];
  const { rows } = await pool().query<Due>(
    `WITH waiting AS (
       SELECT organization_id, creator, due_at, row_number() OVER (PARTITION BY creator ORDER BY due_at) AS turn
       FROM (
         SELECT oldest.organization_id, coalesce(${CREATOR_OR_SUCCESSOR}, o.id) AS creator, oldest.due_at
         FROM (
           SELECT organization_id, ${nextAt} AS due_at FROM alert_evaluations
           WHERE ${nextAt} <= now() AND (${leasedUntil} IS NULL OR ${leasedUntil} <= now())
           ORDER BY ${nextAt} LIMIT ${CONSIDERED}
         ) AS oldest
         JOIN organizations o ON o.id = oldest.organization_id
       ) AS considered
     ),
     due AS MATERIALIZED (
       SELECT e.organization_id, waiting.creator FROM waiting JOIN alert_evaluations e USING (organization_id)
       WHERE turn + (SELECT count(*) FROM unnest($3::uuid[]) AS busy WHERE busy = waiting.creator) <= ${MAX_OF_CREATOR}
         AND e.${nextAt} <= now() AND (e.${leasedUntil} IS NULL OR e.${leasedUntil} <= now())
       ORDER BY due_at LIMIT $1 FOR UPDATE OF e SKIP LOCKED
     )
     UPDATE alert_evaluations e
     SET ${nextAt} = now() + make_interval(secs => $2), ${leasedUntil} = now() + make_interval(secs => $2)
     FROM due WHERE e.organization_id = due.organization_id
     RETURNING e.organization_id AS "organizationId", due.creator, e.${leasedUntil} AS "leasedUntil", e.events_place AS place,
       e.events_counted_at AS "countedAt"`,
    [most, LEASE_SECONDS, running.map(({ creator }) => creator)],
  );
  return rows;
}

/** Releases a lease. A failed evaluation is due later, so as not to block others, unless its database has recovered. */
export async function releaseLease(
  track: EvaluationTrack,
  { organizationId, leasedUntil }: Due,
  atOnce: boolean,
): Promise<void> {
  const { nextAt, leasedUntil: lease } = evaluationTracks[track];
  await pool().query(
    `UPDATE alert_evaluations SET ${lease} = NULL, ${nextAt} = CASE WHEN $3 THEN now() ELSE ${nextAt} END
     WHERE organization_id = $1 AND ${lease} = $2`,
    [organizationId, leasedUntil, atOnce],
  );
}
