import { wakeRules } from "@/lib/alert-schedule/wake";
import { checkLog, type Progress, START } from "@/lib/audit-logs/check/check-log";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { logFailure } from "@/lib/db/outage-log";
import { NOBODY } from "@/lib/ids";
import { log } from "@/lib/log";

/** Organizations that are leased at once, for at most this time in minutes, and how long one is checked in turn, in milliseconds. */
const LEASED = 5;
const LEASE_MINUTES = 1;
const TURN_MS = 10_000;

/** Whose check is saved, and by which lease; null for one that needs none. */
interface Leased {
  organization_id: string;
  leased_until: Date | null;
}

interface Check extends Leased {
  progress: Progress | null;
}

/**
 * Worker job: checks every sealed log once a day (UTC), some seconds of each in turn. Several workers share them. A failure does not
 * delay other organizations. Calls `onProgress` after each turn.
 */
export async function checkLogs(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  await addChecks();
  for (let leased = await leaseDue(); leased.length > 0 && !signal.aborted; leased = await leaseDue()) {
    const known = await knownOf(leased.map(({ organization_id }) => organization_id));
    for (const check of leased) {
      const { organization_id, progress } = check;
      const end = performance.now() + TURN_MS;
      const stop = () => signal.aborted || performance.now() > end;
      try {
        // The log of a deleted organization is being deleted.
        if (known.has(organization_id)) await save(check, await checkLog(organization_id, progress ?? START, stop));
        else await skip(check);
        onProgress?.();
      } catch (error) {
        logFailure("a sealed log could not be checked", error, { organization_id });
      }
    }
  }
}

/** Checks an organization's sealed log from the beginning, and keeps the result. */
export async function checkLogNow(organizationId: string): Promise<Progress> {
  await auditPool().query("INSERT INTO audit_seal_checks (organization_id) VALUES ($1) ON CONFLICT DO NOTHING", [
    organizationId,
  ]);
  let progress = START;
  while (!progress.isDone) progress = await checkLog(organizationId, progress, () => false);
  await save({ organization_id: organizationId, leased_until: null }, progress);
  return progress;
}

async function addChecks(): Promise<void> {
  await auditPool().query(
    `INSERT INTO audit_seal_checks (organization_id) SELECT organization_id FROM audit_seal_logs l
     WHERE signed_size > 0 AND NOT EXISTS (SELECT FROM audit_seal_checks WHERE organization_id = l.organization_id)
       AND EXISTS (SELECT FROM audit_seals WHERE organization_id = l.organization_id)
     ON CONFLICT DO NOTHING`,
  );
}

/** Leases logs that were not checked today. Those that had a turn already come last. */
async function leaseDue(): Promise<Check[]> {
  const { rows } = await auditPool().query<Check>(
    `UPDATE audit_seal_checks c SET leased_until = now() + interval '${LEASE_MINUTES} minutes' FROM (
       SELECT organization_id FROM audit_seal_checks
       WHERE (checked_at IS NULL OR checked_at < date_trunc('day', now(), 'UTC')) AND (leased_until IS NULL OR leased_until <= now())
       ORDER BY leased_until NULLS FIRST LIMIT ${LEASED} FOR UPDATE SKIP LOCKED
     ) AS due WHERE c.organization_id = due.organization_id RETURNING c.organization_id, c.leased_until, progress`,
  );
  return rows;
}

async function knownOf(ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM organizations WHERE id = ANY($1::uuid[])", [ids]);
  return new Set([NOBODY, ...rows.map(({ id }) => id)]);
}

/** A condition: the lease is still that of this process. After it has ended, another one may check the log. */
const IS_OWN = "organization_id = $1 AND ($2::timestamptz IS NULL OR leased_until = $2)";

async function skip({ organization_id, leased_until }: Leased): Promise<void> {
  const text = `UPDATE audit_seal_checks SET checked_at = now(), leased_until = NULL WHERE ${IS_OWN}`;
  await auditPool().query(text, [organization_id, leased_until]);
}

async function save({ organization_id, leased_until }: Leased, progress: Progress): Promise<void> {
  const { isDone, size, wrong } = progress;
  const own = [organization_id, leased_until];
  if (!isDone) {
    const text = `UPDATE audit_seal_checks SET progress = $3, leased_until = now() WHERE ${IS_OWN}`;
    await auditPool().query(text, [...own, JSON.stringify(progress)]);
    return;
  }
  const { rowCount } = await auditPool().query(
    `UPDATE audit_seal_checks SET checked_at = now(), size = $3, first_wrong_index = $4, message = $5, progress = NULL, leased_until = NULL
     WHERE ${IS_OWN}`,
    [...own, size, wrong?.index ?? null, wrong?.message ?? null],
  );
  if (rowCount === 0) return;
  if (wrong !== null) log.error({ organization_id, ...wrong }, "a sealed log does not match what was signed");
  wakeRules("events", [organization_id]);
}
