import { pool } from "@/lib/db/app";
import { drain } from "@/lib/drain";
import { attempt, LEASE_SECONDS, type Leased } from "@/lib/notification-channels/attempt";
import { disableFailing } from "@/lib/notification-channels/disable-failing";
import { type Attempted, recordAttempts } from "@/lib/notification-channels/record-attempts";

/** Deliveries of one channel under way at once, so that one that hangs leaves room for the others. */
const MOST_PER_CHANNEL = 4;

/**
 * Takes up to `most` due deliveries for this process; those of a process that died are due again when their lease is over. Of one
 * channel and key only the oldest, so that an end is never told before its beginning.
 */
async function leaseDueDeliveries(most: number): Promise<Leased[]> {
  const { rows } = await pool().query<Leased>(
    `WITH waiting AS (
       SELECT d.organization_id, d.id, d.channel_id, d.next_attempt_at, d.leased_until,
         row_number() OVER (PARTITION BY d.channel_id, d.key ORDER BY d.id) AS place
       FROM notification_deliveries d WHERE d.status = 'pending'
     ), ready AS (
       SELECT *, row_number() OVER (PARTITION BY channel_id ORDER BY id)
         + (SELECT count(*) FROM waiting b WHERE b.channel_id = w.channel_id AND b.leased_until > now()) AS turn
       FROM waiting w WHERE place = 1 AND next_attempt_at <= now() AND (leased_until IS NULL OR leased_until <= now())
     ), due AS MATERIALIZED (
       SELECT d.organization_id, d.id FROM notification_deliveries d JOIN ready USING (organization_id, id)
       WHERE turn <= $3 AND d.status = 'pending' AND (d.leased_until IS NULL OR d.leased_until <= now())
       ORDER BY d.next_attempt_at LIMIT $1 FOR UPDATE OF d SKIP LOCKED
     )
     UPDATE notification_deliveries d
     SET leased_until = now() + make_interval(secs => $2), attempts = d.attempts + 1
     FROM due, notification_channels c
     WHERE d.organization_id = due.organization_id AND d.id = due.id
       AND c.organization_id = d.organization_id AND c.id = d.channel_id
     RETURNING d.organization_id AS "organizationId", d.id, d.attempts, d.message, jsonb_build_object('id', c.id,
       'organizationId', c.organization_id, 'type', c.type, 'settings', c.settings, 'secrets', encode(c.secrets, 'base64')) AS channel`,
    [most, LEASE_SECONDS, MOST_PER_CHANNEL],
  );
  for (const { channel } of rows) channel.secrets = Buffer.from(String(channel.secrets), "base64");
  return rows;
}

/** Sends what is due until nothing is. Several processes share the work by leases. */
export async function sendDueDeliveries(signal: AbortSignal): Promise<void> {
  const work = async (leased: Leased): Promise<Attempted> => {
    const at = new Date();
    return { leased, sent: await attempt(leased), at };
  };
  const idOf = ({ leased }: Attempted) => leased.id;
  let isSomeFailing = false;
  const write = async (results: readonly Attempted[]) => {
    if (await recordAttempts(results)) isSomeFailing = true;
  };
  await drain({ what: "notification", lease: leaseDueDeliveries, work, idOf, write }, signal);
  if (isSomeFailing) await disableFailing();
}
