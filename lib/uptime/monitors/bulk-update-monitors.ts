import { auditedByIds } from "@/lib/audit-logs/write/audited-bulk";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";
import { withTags } from "@/lib/text/tag-changes";
import { mapInTurns } from "@/lib/turns";
import { MAX_TAGS } from "@/lib/uptime/fields";
import type * as contract from "@/lib/uptime/monitors/bulk-contract";
import { changeMonitor, inputOf } from "@/lib/uptime/monitors/change-monitor";
import { recordedMonitor } from "@/lib/uptime/monitors/monitor";

/** Pauses or resumes monitors and changes their tags. A monitor that would have too many tags fails alone. Throws 403. */
export async function bulkUpdateMonitors(
  principal: Principal,
  { ids, paused, add_tags, remove_tags }: Input<typeof contract.bulkUpdateMonitors>,
): Promise<Output<typeof contract.bulkUpdateMonitors>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedByIds("monitor", ids, async (tx, changes) => {
    await lockRows(tx, "uptime_monitors", organizationId, ids);
    const rows = await tx.uptimeMonitor.findMany({
      where: { organizationId, id: { in: ids } },
      orderBy: { id: "asc" },
    });
    return mapInTurns(rows, async (before): Promise<BulkOutcome> => {
      const { id } = before;
      const was = inputOf(before);
      const tags = withTags(before.tags, add_tags, remove_tags);
      if (tags.length > MAX_TAGS) return { id, status: "failed", error: `It would have more than ${MAX_TAGS} tags.` };
      const input = { ...was, tags, paused: paused ?? was.paused };
      const changed = await changeMonitor(tx, before, input, false);
      if (changed !== null) changes.update(before, recordedMonitor(was), recordedMonitor(input));
      return { id, status: changed === null ? "unchanged" : "updated", error: null };
    });
  });
}
