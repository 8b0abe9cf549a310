import { toAlert } from "@/lib/alerts/alert-row";
import type * as contract from "@/lib/alerts/contract";
import { db } from "@/lib/db/app";
import type { Alert, Prisma } from "@/lib/db/generated/app/client";
import type { Kind } from "@/lib/http/cursor";
import type { Direction, Input, Output } from "@/lib/http/endpoint";
import { orderBy, readPage, sortBound, usualDirection } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";

type Asked = Input<typeof contract.listAlerts>;
type Sort = NonNullable<Asked["sort"]>;

const columns: Record<Sort, Readonly<Record<string, Kind>>> = {
  newest: { id: "id" },
  subject: { subjectKey: "text", id: "id" },
};

function orderOf(sort: Sort, order: Direction) {
  return orderBy<Alert, Prisma.AlertWhereInput, Prisma.AlertOrderByWithRelationInput>(columns[sort], order);
}

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

/** The organization's alerts, newest first by default. */
export async function listAlerts(
  { organizationId }: Principal,
  { limit, cursor, sort = "newest", order = usualDirection(sort), ...asked }: Asked,
): Promise<Output<typeof contract.listAlerts>> {
  const { status, severity, rule_id, subject_id, certificate_id, since, until } = asked;
  const filters = ["alerts", status, severity, rule_id, subject_id, certificate_id, since, until];
  const sorted = sortBound(sort, order);
  // The usual order is bound to the filters alone, as in the previous release.
  const bound = sorted === "newest" ? filters : [...filters, sorted];
  const { rows, nextCursor } = await readPage(
    orderOf(sort, order),
    { limit, cursor },
    bound,
    ({ after = {}, ...page }) =>
      db().alert.findMany({
        where: {
          organizationId,
          ...whereStatus(status, new Date()),
          AND: after,
          ...(severity !== undefined && { severity }),
          ...(rule_id !== undefined && { ruleId: rule_id }),
          ...(subject_id !== undefined && { subjectId: subject_id }),
          ...(certificate_id !== undefined && { certificateId: certificate_id }),
          openedAt: {
            ...(since !== undefined && { gte: new Date(since) }),
            ...(until !== undefined && { lt: new Date(until) }),
          },
        },
        ...page,
      }),
  );
  return { items: rows.map(toAlert), nextCursor };
}
