import { pool } from "@/lib/db/app";
import { fairLease, fairLeaseValues } from "@/lib/jobs/fair-lease";
import { followUp } from "@/lib/jobs/follow-up";
import { runLeasedWork } from "@/lib/jobs/leased-work";
import { countDueTasks } from "@/lib/jobs/tasks";
import { attempt, LEASE_SECONDS, type Leased } from "@/lib/notification-channels/deliveries/attempt";
import { disableFailing } from "@/lib/notification-channels/deliveries/disable-failing";
import { type Attempted, recordAttempts } from "@/lib/notification-channels/deliveries/record-attempts";

/** Concurrent deliveries per channel, so that a hanging channel leaves room for the others. */
const MAX_PER_CHANNEL = 4;

/** The next channel and key in the index of pending deliveries. */
const nextHead = (
  behind: string,
) => `SELECT d.organization_id, d.id, d.channel_id, d.key, d.next_attempt_at, d.leased_until
  FROM notification_deliveries d WHERE d.status = 'pending' ${behind} ORDER BY d.channel_id, d.key, d.id LIMIT 1`;

/**
 * Only the oldest delivery per channel and key is ready, so that an alert's end is never sent before its start. Skips through
 * the index from key to key, whatever the number of deliveries behind each.
 */
export const LEASE = `WITH RECURSIVE head AS (
    (${nextHead("")})
    UNION ALL
    SELECT next.* FROM head CROSS JOIN LATERAL (${nextHead("AND (d.channel_id, d.key) > (head.channel_id, head.key)")}) AS next
  ),
  ready AS MATERIALIZED (
    SELECT organization_id, id, running + row_number() OVER (PARTITION BY channel_id ORDER BY id) AS turn
    FROM (SELECT *, count(*) FILTER (WHERE leased_until > now()) OVER (PARTITION BY channel_id) AS running FROM head) AS h
    WHERE next_attempt_at <= now() AND (leased_until IS NULL OR leased_until <= now())
  ),
  ${fairLease({
    isWaiting: `EXISTS (SELECT FROM ready WHERE ready.organization_id = o.id AND turn <= ${MAX_PER_CHANNEL})`,
    candidates: (limit) => `SELECT d.organization_id, d.id, d.next_attempt_at AS due_at
      FROM notification_deliveries d JOIN ready USING (organization_id, id)
      WHERE ready.organization_id = waiting.organization_id AND ready.turn <= ${MAX_PER_CHANNEL} AND d.status = 'pending'
        AND (d.leased_until IS NULL OR d.leased_until <= now())
      ORDER BY d.next_attempt_at ${limit} FOR UPDATE OF d SKIP LOCKED`,
  })}
  UPDATE notification_deliveries d
  SET leased_until = now() + make_interval(secs => $6), attempts = d.attempts + 1
  FROM due, notification_channels c
  WHERE d.organization_id = due.organization_id AND d.id = due.id
    AND c.organization_id = d.organization_id AND c.id = d.channel_id
  RETURNING d.organization_id AS "organizationId", d.id, d.attempts, d.leased_until AS "leasedUntil", d.message,
    jsonb_build_object('id', c.id, 'organizationId', c.organization_id, 'name', c.name, 'type', c.type,
      'settings', c.settings, 'secrets', encode(c.secrets, 'base64')) AS channel`;

countDueTasks(
  "notification",
  `SELECT d.next_attempt_at AS due_at FROM notification_deliveries d WHERE d.organization_id = o.id AND d.status = 'pending'
     AND d.next_attempt_at <= now() AND (d.leased_until IS NULL OR d.leased_until <= now())`,
);

/** The values of `LEASE`. */
export const leaseValues = (most: number, running: readonly Leased[]) => [
  ...fairLeaseValues(most, running),
  LEASE_SECONDS,
];

/** Leases up to `most` due deliveries to this process in fair shares. After a crash, they are due again when the lease ends. */
export async function leaseDueDeliveries(most: number, running: readonly Leased[]): Promise<Leased[]> {
  const { rows } = await pool().query<Leased>(LEASE, leaseValues(most, running));
  for (const { channel } of rows) channel.secrets = Buffer.from(String(channel.secrets), "base64");
  return rows;
}

/** Sends due deliveries until none are left. Leases divide the work among several processes. */
export async function sendDueDeliveries(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  const work = async (leased: Leased): Promise<Attempted> => {
    const at = new Date();
    return { leased, sent: await attempt(leased), at };
  };
  const idOf = ({ leased }: Attempted) => leased.id;
  const disabling = followUp(disableFailing);
  const write = async (results: readonly Attempted[]) => {
    await disabling.runIfDue();
    if (await recordAttempts(results)) disabling.request();
  };
  const job = { what: "notification", kind: "notification" as const, lease: leaseDueDeliveries, work, idOf, write };
  try {
    await runLeasedWork(job, signal, onProgress);
  } finally {
    await disabling.runAtEnd();
  }
}
