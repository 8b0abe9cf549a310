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

interface Check {
  organization_id: string;
  progress: Progress | null;
}

/**
 * Worker job: checks every sealed log once a day (UTC), some seconds of each in turn. Several workers share them. A failure does not
 * delay other organizations.
 */
export async function checkLogs(signal: AbortSignal): Promise<void> {
  await addChecks();
  for (let leased = await leaseDue(); leased.length > 0 && !signal.aborted; leased = await leaseDue()) {
    const known = await knownOf(leased.map(({ organization_id }) => organization_id));
    for (const { organization_id, progress } of leased) {
      const end = performance.now() + TURN_MS;
      const stop = () => signal.aborted || performance.now() > end;
      try {
        // The log of a deleted organization is being deleted.
        if (known.has(organization_id))
          await save(organization_id, await checkLog(organization_id, progress ?? START, stop));
        else await skip(organization_id);
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
  await save(organizationId, progress);
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
     ) AS due WHERE c.organization_id = due.organization_id RETURNING c.organization_id, progress`,
  );
  return rows;
}

async function knownOf(ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM organizations WHERE id = ANY($1::uuid[])", [ids]);
  return new Set([NOBODY, ...rows.map(({ id }) => id)]);
}

async function skip(organizationId: string): Promise<void> {
  await auditPool().query(
    "UPDATE audit_seal_checks SET checked_at = now(), leased_until = NULL WHERE organization_id = $1",
    [organizationId],
  );
}

async function save(organization_id: string, progress: Progress): Promise<void> {
  const { isDone, size, wrong } = progress;
  if (!isDone) {
    await auditPool().query(
      "UPDATE audit_seal_checks SET progress = $2, leased_until = now() WHERE organization_id = $1",
      [organization_id, JSON.stringify(progress)],
    );
    return;
  }
  if (wrong !== null) log.error({ organization_id, ...wrong }, "a sealed log does not match what was signed");
  await auditPool().query(
    `UPDATE audit_seal_checks SET checked_at = now(), size = $2, first_wrong_index = $3, message = $4, progress = NULL, leased_until = NULL
     WHERE organization_id = $1`,
    [organization_id, size, wrong?.index ?? null, wrong?.message ?? null],
  );
  wakeRules("events", [organization_id]);
}
