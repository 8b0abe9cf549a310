import { auditPool } from "@/lib/db/audit";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";

export const DAYS = 90;
const MOST_A_DAY = 10;

/** A checkpoint kept for a day. */
interface DayCheckpoint {
  epoch: number;
  size: number;
  signed_at: Date;
  /** Whether the seal of an entry below `size` is kept. */
  is_kept: boolean;
  /** Whether a witness has cosigned it. */
  is_witnessed: boolean;
  /** The last entry below `size` of which a part was redacted; null if there is none. */
  redacted_index: number | null;
}

/** What was sealed on a day in UTC. */
export interface SealedDay {
  /** Unix milliseconds. */
  start: number;
  sealed: number;
  /** Whether all of its seals have expired. */
  isPruned: boolean;
  /** Whether a witness has cosigned a checkpoint of that day. */
  isWitnessed: boolean;
  /** Whether a part of an entry sealed on that day was redacted. */
  isRedacted: boolean;
}

/** What was sealed on each of the last 90 days, oldest first, from the checkpoints that are kept of each day. */
export async function listSealedDays({ organizationId }: Principal): Promise<SealedDay[]> {
  // Some a day: the last one, one that was sent outside, one with a time stamp, and some that witnesses could have cosigned. The first day
  // begins where an older checkpoint ends.
  const { rows } = await auditPool().query<DayCheckpoint>(
    `SELECT epoch, size::float8 AS size, signed_at, EXISTS (
       SELECT FROM audit_seals s WHERE s.organization_id = c.organization_id AND s.epoch = c.epoch AND s.first_index < c.size
     ) AS is_kept, EXISTS (
       SELECT FROM (VALUES (c.first_heads), (c.heads), (c.covered)) AS place (heads)
       JOIN audit_seal_cosignatures s ON s.epoch = c.epoch AND s.index = (place.heads->>'index')::bigint
     ) AS is_witnessed, (
       SELECT max(index) FROM audit_redactions r
       WHERE r.organization_id = c.organization_id AND r.epoch = c.epoch AND r.index < c.size
     )::float8 AS redacted_index
     FROM audit_seal_checkpoints c WHERE organization_id = $1 ORDER BY epoch DESC, size DESC LIMIT ${MOST_A_DAY * DAYS + 1}`,
    [organizationId],
  );
  return sealedDays(rows, Date.now());
}

/** The days up to `now` (Unix milliseconds), from checkpoints with the newest first. */
export function sealedDays(checkpoints: readonly DayCheckpoint[], now: number): SealedDay[] {
  const today = Math.floor(now / DAY_MS);
  const days = Array.from({ length: DAYS }, (_, at): SealedDay => {
    return {
      start: (today - DAYS + 1 + at) * DAY_MS,
      sealed: 0,
      isPruned: false,
      isWitnessed: false,
      isRedacted: false,
    };
  });
  checkpoints.forEach(({ epoch, size, signed_at, is_kept, is_witnessed, redacted_index }, at) => {
    const day = days[Math.floor(signed_at.getTime() / DAY_MS) - today + DAYS - 1];
    const before = checkpoints[at + 1];
    const first = before?.epoch === epoch ? before.size : 0;
    if (day === undefined) return;
    // The newest checkpoint of a day comes first and covers the others.
    if (day.sealed === 0) day.isPruned = !is_kept;
    day.isWitnessed ||= is_witnessed;
    day.isRedacted ||= redacted_index !== null && redacted_index >= first;
    day.sealed += size - first;
  });
  return days;
}
