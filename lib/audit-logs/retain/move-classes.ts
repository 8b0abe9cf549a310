import { createDayPartitions } from "@/lib/audit-logs/partitions/partitions";
import { DROP_MARGIN_MS } from "@/lib/audit-logs/retain/drop-margin";
import { keepDay } from "@/lib/audit-logs/retain/keep-day";
import { moveDay } from "@/lib/audit-logs/retain/move-day";
import { BEFORE_SEALS, moveSeals, type SealPlace } from "@/lib/audit-logs/retain/seals";
import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { logFailure } from "@/lib/db/outage-log";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";
import { auditRetentionDays } from "@/lib/plans";
import { processSingleton } from "@/lib/process-singleton";
import { utcDay } from "@/lib/text/dates";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

/** Maximum time for one organization per run, in milliseconds; the next run continues. */
const TURN_MS = 30_000;
/** How long the former class stays listed after a change, in milliseconds: running requests or the outbox may still write to it. */
const FORMER_LISTED_MS = HOUR_MS;

interface Moving {
  id: string;
  plan: string;
  audit_classes: number[];
  plan_changed_at: Date | null;
}

/** Up to where the seals of an organization are filed under the class of its plan, since the last change of it. */
const filedSeals = () =>
  processSingleton("audit-logs.filed-seals", () => new Map<string, { changedAt: number; place: SealPlace }>());

/**
 * Moves the events of organizations whose plan changed to the retention class of their plan, in steps. The former class stays listed
 * for one more hour, because running requests or the outbox may still write to it. A failure does not delay other organizations.
 */
export async function moveClasses(signal: AbortSignal, now = Date.now()): Promise<void> {
  const { rows } = await pool().query<Moving>(
    "SELECT id, plan, audit_classes, plan_changed_at FROM organizations WHERE cardinality(audit_classes) > 1",
  );
  const moving = new Set(rows.map(({ id }) => id));
  for (const id of filedSeals().keys()) if (!moving.has(id)) filedSeals().delete(id);
  for (const organization of rows) {
    if (signal.aborted) return;
    const end = performance.now() + TURN_MS;
    try {
      await moveOrganization(organization, now, () => signal.aborted || performance.now() > end);
    } catch (error) {
      logFailure("events could not be moved between retention classes", error, { organization_id: organization.id });
    }
  }
}

async function moveOrganization(organization: Moving, now: number, stop: () => boolean): Promise<void> {
  const { id, plan, audit_classes } = organization;
  const to = auditRetentionDays(plan);
  let days = 0;
  for (const from of audit_classes)
    if (from !== to) days += await emptyClass(id, from, to, now - to * DAY_MS - DROP_MARGIN_MS, stop);
  await fileSeals(organization, to, stop);
  const isOver = now - (organization.plan_changed_at?.getTime() ?? now) > FORMER_LISTED_MS;
  if (days > 0 || !isOver || stop()) return;
  // Once more from the beginning: another worker may have filed them under the former class, with the plan that it had read before.
  await moveSeals(id, to, BEFORE_SEALS, stop);
  if (stop()) return;
  await pool().query(
    `UPDATE organizations SET audit_classes = $2 WHERE id = $1 AND plan = $3
       AND plan_changed_at < now() - interval '${FORMER_LISTED_MS} milliseconds'
       AND NOT EXISTS (SELECT FROM audit_outbox WHERE organization_id = $1)`,
    [id, [to], plan],
  );
}

/** Continues after the seals that are filed already: the former class stays listed, and its log may be large. */
async function fileSeals({ id, plan_changed_at }: Moving, to: number, stop: () => boolean): Promise<void> {
  const changedAt = plan_changed_at?.getTime() ?? 0;
  const filed = filedSeals().get(id);
  const after = filed?.changedAt === changedAt ? filed.place : BEFORE_SEALS;
  filedSeals().set(id, { changedAt, place: await moveSeals(id, to, after, stop) });
}

/**
 * Moves an organization's data from one class to another, and deletes data older than `oldest` (Unix milliseconds) that is not on hold.
 * Returns the number of days; after 0, unless `stop` ended it, the class is empty.
 */
export async function emptyClass(
  organizationId: string,
  from: number,
  to: number,
  oldest: number,
  stop: () => boolean,
): Promise<number> {
  for (let days = 0; ; days++) {
    const day = stop() ? null : await someDay(organizationId, from);
    if (day === null) return days;
    const kept = day + DAY_MS > oldest;
    if (kept) await createDayPartitions(to, utcDay(day));
    else await keepDay({ organizationId, from, day }, stop);
    await moveDay({ organizationId, from, to: kept ? to : null, day }, stop);
    log.info(
      { organization_id: organizationId, day: new Date(day).toISOString(), from, to: kept ? to : null },
      "moved a day of events between retention classes",
    );
  }
}

/** Start (Unix milliseconds) of a UTC day for which an organization has data in a class: preferably the first day with events. */
async function someDay(organizationId: string, days: number): Promise<number | null> {
  const own = "organization_id = $1 AND retention_days = $2";
  const values = [organizationId, days];
  const { rows: events } = await auditPool().query<{ id: string }>(
    `SELECT id FROM audit_events WHERE ${own} ORDER BY id LIMIT 1`,
    values,
  );
  // Counts may remain without events: deltas that were folded while their day was moved.
  const { rows: counts } = await auditPool().query<{ start: Date }>(
    `(SELECT start FROM audit_rollups WHERE ${own} LIMIT 1) UNION ALL (SELECT start FROM audit_deltas WHERE ${own} LIMIT 1)`,
    values,
  );
  const [event] = events;
  const time = event === undefined ? counts[0]?.start.getTime() : idTime(event.id);
  return time === undefined ? null : time - (time % DAY_MS);
}
