import { refuseLasting } from "@/lib/api-keys/outlive";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Input, Output } from "@/lib/http/endpoint";
import { ApiError } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import {
  recordedChannel,
  sealContextOf,
  settingsColumns,
  toNotificationChannel,
} from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";
import { newSigningSecret } from "@/lib/notification-channels/providers/webhook";
import { rotateSigning, secretsToRotate } from "@/lib/notification-channels/stored-secrets";
import { lockChannel } from "@/lib/notification-channels/update";

/** Replaces a webhook's signing secret and returns the new one, only this once. Throws 403, 404, 409 for other types. */
export async function rotateSigningSecret(
  principal: Principal,
  { id }: Input<typeof contract.rotateSigningSecret>,
): Promise<Output<typeof contract.rotateSigningSecret>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  const secret = newSigningSecret();
  const row = await auditedTransaction(async (tx, event) => {
    const before = await lockChannel(tx, organizationId, id);
    if (before.type !== "webhook") throw new ApiError("CONFLICT", "Only webhooks have a signing secret.");
    event.resource("notification_channel", id);
    await refuseLasting(tx, principal, "the signing secret");
    const { fields, signing } = secretsToRotate(before, sealContextOf(before));
    const now = Date.now();
    const settings = { ...(before.settings as object), ...fields };
    const after = await tx.notificationChannel.update({
      where: { organizationId_id: { organizationId, id } },
      data: {
        ...settingsColumns(before, "webhook", settings, rotateSigning(signing, secret, now)),
        updatedAt: new Date(now),
      },
    });
    recordChanges(event, before.name, recordedChannel(before), recordedChannel(after));
    return after;
  });
  return { ...toNotificationChannel(row), signing_secret: secret };
}
