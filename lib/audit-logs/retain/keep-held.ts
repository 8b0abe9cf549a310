import { type HoldingOrganization, readActiveHolds } from "@/lib/audit-logs/held/active-holds";
import { keepDay } from "@/lib/audit-logs/retain/keep-day";
import { forgetOthers, settleReleased } from "@/lib/audit-logs/retain/settle";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { auditRetentionDays } from "@/lib/plans";
import { processSingleton } from "@/lib/process-singleton";
import { DAY_MS } from "@/lib/time/units";

/** How long before a day begins to expire its held events are moved, in milliseconds: they stay visible though the worker may be down. */
const AHEAD_MS = 2 * DAY_MS;
/** How often a day is searched again for events that arrived late, in milliseconds. */
const AGAIN_MS = 3_600_000;
/** Maximum time for one organization per run, in milliseconds; the next run continues. */
const TURN_MS = 30_000;

/** The days that have partitions, by class: starts in Unix milliseconds. */
export type Days = ReadonlyMap<number, readonly number[]>;

/**
 * For each organization with holds: moves what they cover of the days that will expire soon to the class of held events, and files what
 * released holds kept. A failure does not delay other organizations.
 */
export async function keepHeld(
  holding: readonly HoldingOrganization[],
  days: Days,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  forgetOthers(new Set(holding.flatMap(({ organizationId, isReleased }) => (isReleased ? [organizationId] : []))));
  for (const { organizationId, isActive, isReleased } of holding) {
    if (signal.aborted) return;
    const end = performance.now() + TURN_MS;
    const stop = () => signal.aborted || performance.now() > end;
    try {
      if (isActive) await keepAhead(organizationId, days, now, stop);
      if (isReleased) await settleReleased(organizationId, now, stop);
    } catch (error) {
      logFailure("events on hold could not be filed; will retry", error, { organization_id: organizationId });
    }
  }
}

async function keepAhead(organizationId: string, days: Days, now: number, stop: () => boolean): Promise<void> {
  const searched = processSingleton("audit-logs.holds", () => new Map<string, number>());
  for (const [key, at] of searched) if (Math.abs(now - at) > AGAIN_MS) searched.delete(key);
  const holds = (await readActiveHolds(organizationId)).map(({ id }) => id).join(" ");
  for (const from of await classesOf(organizationId)) {
    for (const day of days.get(from) ?? []) {
      const key = [organizationId, from, day, holds].join(" ");
      if (stop()) return;
      if (day + from * DAY_MS > now + AHEAD_MS || searched.has(key)) continue;
      await keepDay({ organizationId, from, day }, stop);
      if (!stop()) searched.set(key, now);
    }
  }
}

async function classesOf(organizationId: string): Promise<Set<number>> {
  const { rows } = await pool().query<{ plan: string; audit_classes: number[] }>(
    "SELECT plan, audit_classes FROM organizations WHERE id = $1",
    [organizationId],
  );
  return new Set(rows.flatMap(({ plan, audit_classes }) => [auditRetentionDays(plan), ...audit_classes]));
}
