import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { config } from "@/lib/config";
import type { Transaction } from "@/lib/db/app";
import type { NotificationChannel as Row } from "@/lib/db/generated/app/client";
import { logFailure } from "@/lib/db/outage-log";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalidFields, refuseDuplicate } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";
import {
  parseSettings,
  readChannelRow,
  recordedChannel,
  requireMailServer,
  SAME_NAME,
  sealContextOf,
  settingsColumns,
  toNotificationChannel,
} from "@/lib/notification-channels/channel";
import type * as contract from "@/lib/notification-channels/contract";
import { giveUpPending, makePendingDue } from "@/lib/notification-channels/pending";
import { destinationFields } from "@/lib/notification-channels/providers/settings";
import type { ChannelType } from "@/lib/notification-channels/providers/types";
import { channelKey, resolveNotice } from "@/lib/notification-channels/queue/notice";
import { secretsToChange } from "@/lib/notification-channels/stored-secrets";

/**
 * Changes the given fields. Disabling gives up pending messages, other settings make them due, and enabling resets failures and has open
 * alerts sent that nobody was notified of (`notifyOfUntold` is of lib/alerts). Throws 400, 403, 404, 409.
 */
export async function updateNotificationChannel(
  principal: Principal,
  { id, name, enabled, settings }: Input<typeof contract.updateNotificationChannel>,
  notifyOfUntold: (organizationId: string) => Promise<void>,
): Promise<Output<typeof contract.updateNotificationChannel>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  let isEnabledAgain = false;
  const row = await refuseDuplicate(
    SAME_NAME,
    auditedTransaction(async (tx, event) => {
      const before = await lockChannel(tx, organizationId, id);
      event.resource("notification_channel", id);
      if (enabled === false) await giveUpPending(tx, before);
      else if (settings !== undefined) await makePendingDue(tx, before);
      const after = await tx.notificationChannel.update({
        where: { organizationId_id: { organizationId, id } },
        data: {
          ...(name !== undefined && { name }),
          ...(settings !== undefined && changedSettings(before, settings)),
          ...(enabled !== undefined && { enabled, disabledReason: null, failures: 0 }),
          updatedAt: new Date(),
        },
      });
      isEnabledAgain = enabled === true && !before.enabled;
      if (isEnabledAgain) await resolveDisabling(tx, after, "enabled again", after.updatedAt);
      recordChanges(event, before.name, recordedChannel(before), recordedChannel(after));
      return after;
    }),
  );
  // Not in its transaction, because it waits for a running evaluation.
  if (isEnabledAgain) {
    await notifyOfUntold(organizationId).catch((error: unknown) =>
      logFailure("could not send alerts that nobody was notified of", error, { channel_id: id }),
    );
  }
  return toNotificationChannel(row);
}

/** Ends what disable-failing.ts may have begun: a person can have disabled the channel as well, which removes the reason. */
export async function resolveDisabling(
  tx: Transaction,
  { organizationId, id, name }: Row,
  what: "enabled again" | "deleted",
  now: Date,
): Promise<void> {
  const notice = {
    title: `The channel ${name} was ${what}`,
    text: "",
    url: `${config().PUBLIC_URL}/notification-channels/${id}`,
    key: channelKey(id),
  };
  await resolveNotice(tx, organizationId, notice, now);
}

/** Locks the channel, because settings are merged and concurrent changes must not overwrite each other. Throws 404. */
export async function lockChannel(tx: Transaction, organizationId: string, id: string): Promise<Row> {
  await tx.$queryRaw`SELECT id FROM notification_channels
    WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  return readChannelRow(organizationId, id, tx);
}

function changedSettings(before: Row, given: Record<string, unknown>) {
  const type = before.type as ChannelType;
  const change = { part: "settings", given, isSigned: type === "webhook" } as const;
  const { fields, signing } = secretsToChange(before, sealContextOf(before), change);
  const settings = parseSettings(type, { ...(before.settings as object), ...fields, ...given });
  refuseSecretsAtNewOrigin(type, before.settings as Record<string, unknown>, settings, Object.keys(fields), given);
  requireMailServer(type, settings);
  return settingsColumns(before, type, settings, signing);
}

/** Secrets must not move to another origin, which requires them again. Throws 400 naming each secret. */
function refuseSecretsAtNewOrigin(
  type: ChannelType,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  secrets: readonly string[],
  given: Record<string, unknown>,
): void {
  const moved = destinationFields[type].find((name) => originOf(before[name]) !== originOf(after[name]));
  if (moved === undefined) return;
  const kept = secrets.filter((name) => given[name] === undefined);
  if (kept.length === 0) return;
  const message = `must be given again because settings.${moved} has another origin`;
  throw invalidFields(kept.map((name) => ({ path: `settings.${name}`, message })));
}

const originOf = (url: unknown) => (typeof url === "string" && URL.canParse(url) ? new URL(url).origin : null);
