import { prepareStamp } from "@/lib/audit-logs/stamp/prepare-stamp";
import { requestStamp } from "@/lib/audit-logs/stamp/request-stamp";
import { config } from "@/lib/config";
import { auditPool } from "@/lib/db/audit";
import { log } from "@/lib/log";
import { parseNote } from "@/lib/sealed-log/note";
import type { TimeStamp } from "@/lib/sealed-log/time-stamp";

/** Seconds that a process has to obtain a time stamp, and the wait after a failure. */
const LEASE_SECONDS = 600;

interface Due {
  epoch: number;
  index: number;
  checkpoint: string;
  leased_until: Date;
}

/**
 * Worker job: obtains a time stamp (RFC 3161) over the installation's checkpoint once a day, if AUDIT_TIMESTAMP_URL is set. While the
 * authority is unavailable, it retries every ten minutes, from midnight UTC with a newer checkpoint; sealing and signing continue.
 */
export async function stampCheckpoints(signal: AbortSignal): Promise<void> {
  const { AUDIT_TIMESTAMP_URL: url } = config();
  if (url === undefined) return;
  await prepareStamp();
  const due = await lease();
  if (due === null) return;
  const { host } = new URL(url);
  let stamp: TimeStamp;
  try {
    stamp = await requestStamp(url, parseNote(due.checkpoint).text, signal);
  } catch (error) {
    if (!signal.aborted)
      log.warn({ err: error, authority: host }, "the time stamp of a checkpoint could not be obtained");
    return;
  }
  await auditPool().query(
    `UPDATE audit_seal_stamps SET leased_until = NULL, authority = $4, token = $5, stamped_at = $6
     WHERE epoch = $1 AND index = $2 AND leased_until = $3`,
    [due.epoch, due.index, due.leased_until, host, stamp.token, stamp.at],
  );
}

async function lease(): Promise<Due | null> {
  const { rows } = await auditPool().query<Due>(
    `UPDATE audit_seal_stamps SET leased_until = now() + interval '${LEASE_SECONDS} seconds'
     WHERE token IS NULL AND (leased_until IS NULL OR leased_until <= now())
     RETURNING epoch, index::float8 AS index, checkpoint, leased_until`,
  );
  return rows[0] ?? null;
}
