import { checkpointMessage } from "@/lib/anchors/checkpoint-message";
import { type AnchoredCheckpoint, anchorCheckpoint } from "@/lib/audit-logs/sign/anchor-checkpoint";
import { config } from "@/lib/config";
import { inTransaction, pool, queryIn } from "@/lib/db/app";
import { fairLease, fairLeaseValues, IS_KEPT } from "@/lib/jobs/fair-lease";
import { runLeasedWork } from "@/lib/jobs/leased-work";
import { countDueTasks } from "@/lib/jobs/tasks";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";

/** Duration of a lease on a channel in seconds, after which another process takes over. */
const LEASE_SECONDS = 60;
/** Concurrent channels per process. The channels of an organization take turns, so that all receive the same checkpoint. */
const SLOTS = { total: 8, perOrganization: 1 };
/** When a channel is due again, by the database's clock: if there was no checkpoint beyond the last one sent, and after one was sent. */
const SOON = "now() + interval '1 minute'";
/** The next midnight in UTC: the checkpoint then covers the whole day before. */
const NEXT_DAY = "date_trunc('day', now(), 'UTC') + interval '24 hours'";

interface Due {
  organizationId: string;
  channelId: string;
  leasedUntil: Date;
  /** The last checkpoint sent to the channel. */
  sent: { epoch: number; size: number } | null;
  organization: string;
}

/** Disabled channels wait, and organizations that are about to be deleted send nothing more. */
const isDue = `a.next_at <= now() AND (a.leased_until IS NULL OR a.leased_until <= now())
  AND EXISTS (SELECT FROM notification_channels c WHERE c.organization_id = a.organization_id AND c.id = a.channel_id AND c.enabled)`;

countDueTasks(
  "checkpoint",
  `SELECT a.next_at AS due_at FROM anchor_channels a WHERE a.organization_id = o.id AND ${IS_KEPT} AND ${isDue}`,
);

const LEASE = `WITH ${fairLease({
  isWaiting: `${IS_KEPT} AND EXISTS (SELECT FROM anchor_channels a WHERE a.organization_id = o.id AND ${isDue})`,
  candidates: (limit) => `SELECT a.organization_id, a.channel_id, a.next_at AS due_at FROM anchor_channels a
    WHERE a.organization_id = waiting.organization_id AND ${isDue} ORDER BY a.next_at ${limit} FOR UPDATE SKIP LOCKED`,
})}
  UPDATE anchor_channels a SET leased_until = now() + make_interval(secs => $6)
  FROM due, organizations o WHERE a.organization_id = due.organization_id AND a.channel_id = due.channel_id AND o.id = due.organization_id
  RETURNING a.organization_id AS "organizationId", a.channel_id AS "channelId", a.leased_until AS "leasedUntil", o.name AS organization,
    CASE WHEN a.sent_size IS NOT NULL THEN jsonb_build_object('epoch', a.sent_epoch, 'size', a.sent_size) END AS sent`;

/**
 * Worker job: queues the newest checkpoint for each channel that is due, once a day (UTC), if the log has grown since its last
 * one. A lease divides the channels among several processes. A checkpoint is kept before it is queued; `notifications.send-due` sends it.
 */
export async function sendCheckpoints(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  const lease = async (most: number, running: readonly Due[]) => {
    const { rows } = await pool().query<Due>(LEASE, [...fairLeaseValues(most, running, SLOTS), LEASE_SECONDS]);
    return rows;
  };
  const work = async (due: Due) => ({ due, checkpoint: await anchorCheckpoint(due.organizationId, due.sent) });
  const write = async (results: readonly Awaited<ReturnType<typeof work>>[]) => {
    for (const { due, checkpoint } of results) await finish(due, checkpoint, new Date());
  };
  const idOf = ({ due }: { due: Due }) => due.channelId;
  await runLeasedWork(
    { what: "checkpoint for a channel", kind: "checkpoint", slots: SLOTS, lease, work, idOf, write },
    signal,
    onProgress,
  );
}

/** Ends the lease, and queues the checkpoint in the same transaction, so that a repetition queues nothing more. */
async function finish(due: Due, checkpoint: AnchoredCheckpoint | null, now: Date): Promise<void> {
  const { organizationId, channelId, leasedUntil, organization } = due;
  await inTransaction(async (tx) => {
    const own = [organizationId, channelId, leasedUntil];
    const isOwn = "organization_id = $1 AND channel_id = $2 AND leased_until = $3";
    if (checkpoint === null) {
      const text = `UPDATE anchor_channels SET leased_until = NULL, next_at = ${SOON} WHERE ${isOwn}`;
      await queryIn(tx, { text, values: own });
      return;
    }
    const ended = await queryIn(tx, {
      text: `UPDATE anchor_channels SET leased_until = NULL, next_at = ${NEXT_DAY}, sent_epoch = $4, sent_size = $5, sent_at = $6
        WHERE ${isOwn} RETURNING channel_id`,
      values: [...own, checkpoint.epoch, checkpoint.size, now],
    });
    if (ended.length === 0) return;
    const url = `${config().PUBLIC_URL}/integrity`;
    const message = checkpointMessage(checkpoint, { organization, url, now });
    const [deliveryId = null] = await enqueue(tx, organizationId, [{ channelId, message, alertIds: [] }], now);
    await tx.anchorChannel.updateMany({ where: { organizationId, channelId }, data: { deliveryId } });
  });
}
