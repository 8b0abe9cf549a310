import type { Condition } from "@/lib/alerts/rules/conditions";
import { byCallerWithStrangers } from "@/lib/alerts/situation/flagged-events";
import type { FlaggedEvents } from "@/lib/alerts/situation/situation";
import { SHOWN } from "@/lib/audit-logs/audit-event";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { scopeOf } from "@/lib/audit-logs/scope/scope";
import { where } from "@/lib/audit-logs/scope/where";
import { auditPool } from "@/lib/db/audit";
import { idAt } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const MAX_EVENTS = 1000;

/** The flagged events of the last 24 hours that match a condition, by caller; at most the newest 1,000. */
export async function recentFlaggedEvents(organizationId: string, condition: Condition): Promise<FlaggedEvents[]> {
  if (condition.type !== "security_event") return [];
  const conditions = where(await scopeOf(organizationId), { flag: { include: condition.flags, exclude: [] } });
  conditions.add(`id >= ${conditions.value(idAt(Date.now() - DAY_MS))}`);
  const { rows } = await auditPool("report").query<AuditRow>(
    `SELECT ${SHOWN} FROM audit_events WHERE ${conditions} ORDER BY id DESC LIMIT ${MAX_EVENTS}`,
    conditions.values,
  );
  return byCallerWithStrangers(organizationId, rows, condition.flags);
}
