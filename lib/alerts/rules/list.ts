import { countOpen, toAlertRule } from "@/lib/alerts/rules/alert-rule";
import type * as contract from "@/lib/alerts/rules/contract";
import { db } from "@/lib/db/app";
import { decodeIdCursor, pageById } from "@/lib/http/cursor";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

const FILTERS = "alert-rules";

/** The organization's alert rules, newest first. */
export async function listAlertRules(
  { organizationId }: Principal,
  { limit, cursor }: Input<typeof contract.listAlertRules>,
): Promise<Output<typeof contract.listAlertRules>> {
  const after = decodeIdCursor(cursor, FILTERS);
  const rows = await db().alertRule.findMany({
    where: { organizationId, ...(after !== null && { id: { lt: after } }) },
    orderBy: { id: "desc" },
    take: limit + 1,
  });
  const { items, nextCursor } = pageById(rows, limit, FILTERS);
  const open = await countOpen(
    organizationId,
    items.map(({ id }) => id),
  );
  return { items: items.map((row) => toAlertRule(row, open.get(row.id) ?? 0)), nextCursor };
}
