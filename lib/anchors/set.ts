import { anchorChannelTypes, type setAnchors as contract } from "@/lib/anchors/contract";
import { readAnchors } from "@/lib/anchors/get";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import type { Transaction } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import { invalid } from "@/lib/http/errors";
import { type Principal, requireAdmin } from "@/lib/http/principal";

/** The type of the changed resource in the audit log. */
const NAME = "Channels for checkpoints";

/** Sets the channels that receive checkpoints. Channels that were set before keep their times. Throws 400, 403. */
export async function setAnchors(
  principal: Principal,
  { channel_ids }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  requireAdmin(principal);
  const { organizationId } = principal;
  return auditedTransaction(async (tx, event) => {
    // Changes take turns, so that each records the correct previous state.
    await tx.$queryRaw`SELECT FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
    await assertAnchorChannels(tx, organizationId, channel_ids);
    const before = await readAnchors(organizationId, tx);
    await tx.anchorChannel.deleteMany({ where: { organizationId, channelId: { notIn: channel_ids } } });
    await tx.anchorChannel.createMany({
      data: channel_ids.map((channelId) => ({ organizationId, channelId, nextAt: new Date() })),
      skipDuplicates: true,
    });
    const after = await readAnchors(organizationId, tx);
    event.resource("audit_log", organizationId);
    recordChanges(event, NAME, recorded(before), recorded(after));
    return after;
  });
}

function recorded({ channels }: Output<typeof contract>) {
  return { channels: channels.map(({ name }) => name) };
}

/** Locks the channels until the transaction ends. Throws 400 if one is not the organization's, or changes what it sends. */
async function assertAnchorChannels(tx: Transaction, organizationId: string, ids: readonly string[]): Promise<void> {
  const rows = await tx.$queryRaw<{ id: string; type: string }[]>`
    SELECT id, type FROM notification_channels
    WHERE organization_id = ${organizationId}::uuid AND id = ANY(${ids}::uuid[]) FOR SHARE`;
  const types = new Map(rows.map(({ id, type }) => [id, type]));
  for (const [at, id] of ids.entries()) {
    const type = types.get(id);
    if (type === undefined) throw invalid(`channel_ids.${at}`, "is not a channel of this organization");
    if (!anchorChannelTypes.some((each) => each === type)) {
      throw invalid(
        `channel_ids.${at}`,
        "must be a channel for e-mail or a webhook: others do not keep the note exactly",
      );
    }
    if (ids.indexOf(id) !== at) throw invalid(`channel_ids.${at}`, "is named twice");
  }
}
