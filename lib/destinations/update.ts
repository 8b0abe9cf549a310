import { refuseLasting } from "@/lib/api-keys/outlive";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Destination as Row } from "@/lib/db/generated/app/client";
import { changedValues } from "@/lib/destinations/changed-values";
import type * as contract from "@/lib/destinations/contract";
import {
  lockDestination,
  NOT_FAILING,
  recordedDestination,
  refuseSameTarget,
  SAME_NAME,
  showDestination,
} from "@/lib/destinations/destination";
import { requireFormat } from "@/lib/destinations/require-format";
import { sealContextOf } from "@/lib/destinations/secrets";
import type { DestinationType } from "@/lib/destinations/shapes";
import type { Input, Output } from "@/lib/http/endpoint";
import { refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import { secretColumns } from "@/lib/notification-channels/stored-secrets";

type Changes = Input<typeof contract.updateDestination>;

/**
 * Changes the given fields. What is sent with the old settings at this moment counts as not sent, and is sent again with the new ones.
 * Throws 400, 403, 404, 409.
 */
export async function updateDestination(
  principal: Principal,
  changes: Changes,
): Promise<Output<typeof contract.updateDestination>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const row = await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      const before = await lockDestination(tx, organizationId, changes.id);
      event.resource("destination", before.id);
      const { name, format, query, settings, secrets } = changes;
      if ((settings ?? secrets) !== undefined) await refuseLasting(tx, principal, "the destination");
      const now = new Date();
      const after = await tx.destination.update({
        where: { organizationId_id: { organizationId, id: before.id } },
        data: {
          ...(name !== undefined && { name }),
          ...(format !== undefined && { format: requireFormat(before.type as DestinationType, format) }),
          // Entries that the old filters left out, and of which nothing was said yet, may match the new ones.
          ...(query !== undefined && { query, scannedIndex: before.nextIndex }),
          ...((settings ?? secrets) !== undefined && changedColumns(before, changes)),
          ...((format ?? query ?? settings ?? secrets) !== undefined && NOT_FAILING),
          ...{ attemptEnd: null, leasedUntil: null, nextAt: now, updatedAt: now },
        },
      });
      if (settings !== undefined) await refuseSameTarget(tx, after);
      const isChanged = recordChanges(event, before.name, recordedDestination(before), recordedDestination(after));
      if (isChanged) event.flag("destination_changed");
      return after;
    }),
  );
  return showDestination(row);
}

function changedColumns(before: Row, changes: Changes) {
  const { settings, secrets, signing } = changedValues(before, changes);
  return { settings: settings as object, ...secretColumns({ fields: secrets, signing }, sealContextOf(before)) };
}
