import { toAlert } from "@/lib/alerts/alert-row";
import type * as contract from "@/lib/alerts/contract";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

type Asked = Input<typeof contract.listAlerts>;

function whereStatus(status: Asked["status"], now: Date) {
  const notSnoozed = { OR: [{ snoozedUntil: null }, { snoozedUntil: { lte: now } }] };
  switch (status) {
    case undefined:
      return {};
    case "resolved":
      return { resolvedAt: { not: null } };
    case "unresolved":
      return { resolvedAt: null };
    case "snoozed":
      return { resolvedAt: null, snoozedUntil: { gt: now } };
    case "acknowledged":
      return { resolvedAt: null, acknowledgedAt: { not: null }, ...notSnoozed };
    case "open":
      return { resolvedAt: null, acknowledgedAt: null, ...notSnoozed };
  }
}

/** The organization's alerts, newest first. */
export async function listAlerts(
  { organizationId }: Principal,
  { limit, cursor, ...asked }: Asked,
): Promise<Output<typeof contract.listAlerts>> {
  const { status, severity, rule_id, subject_id, certificate_id, since, until } = asked;
  const filters = ["alerts", status, severity, rule_id, subject_id, certificate_id, since, until];
  const after = decodeIdCursor(cursor, filters);
  const rows = await db().alert.findMany({
    where: {
      organizationId,
      ...whereStatus(status, new Date()),
      ...(after !== null && { id: { lt: after } }),
      ...(severity !== undefined && { severity }),
      ...(rule_id !== undefined && { ruleId: rule_id }),
      ...(subject_id !== undefined && { subjectId: subject_id }),
      ...(certificate_id !== undefined && { certificateId: certificate_id }),
      openedAt: {
        ...(since !== undefined && { gte: new Date(since) }),
        ...(until !== undefined && { lt: new Date(until) }),
      },
    },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, filters);
  return { items: items.map(toAlert), nextCursor };
}
