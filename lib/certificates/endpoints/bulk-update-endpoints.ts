import { auditedByIds } from "@/lib/audit-logs/write/audited-bulk";
import { MAX_TAGS } from "@/lib/certificates/endpoint-fields";
import type * as contract from "@/lib/certificates/endpoints/bulk-contract";
import { recordedEndpoint, recordedNameOf } from "@/lib/certificates/endpoints/certificate-endpoint";
import { changeEndpoint } from "@/lib/certificates/endpoints/change-endpoint";
import { lockRows } from "@/lib/db/lock-rows";
import type { Input, Output } from "@/lib/http/endpoint";
import { asReason } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";
import { withTags } from "@/lib/text/tag-changes";
import { mapInTurns } from "@/lib/turns";

/**
 * Adds tags to endpoints, removes others, and changes who renews their certificates. An endpoint that would have too many tags, or is
 * otherwise invalid, fails alone. Throws 403.
 */
export async function bulkUpdateEndpoints(
  principal: Principal,
  { ids, add_tags, remove_tags, ...renewal }: Input<typeof contract.bulkUpdateEndpoints>,
): Promise<Output<typeof contract.bulkUpdateEndpoints>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedByIds("certificate_endpoint", ids, async (tx, changes) => {
    await lockRows(tx, "certificate_endpoints", organizationId, ids);
    const rows = await tx.certificateEndpoint.findMany({
      where: { organizationId, id: { in: ids } },
      orderBy: { id: "asc" },
    });
    return mapInTurns(rows, async (before): Promise<BulkOutcome> => {
      const { id } = before;
      const tags = withTags(before.tags, add_tags, remove_tags);
      if (tags.length > MAX_TAGS) return { id, status: "failed", error: `It would have more than ${MAX_TAGS} tags.` };
      const changed = await changeEndpoint(tx, before, { tags, ...renewal }, false).catch(asReason);
      if ("error" in changed) return { id, status: "failed", error: changed.error };
      const { isChanged, after } = changed;
      if (isChanged) changes.update({ id, name: recordedNameOf(before) }, recordedEndpoint(before), after);
      return { id, status: isChanged ? "updated" : "unchanged", error: null };
    });
  });
}
