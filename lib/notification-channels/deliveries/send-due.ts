import { pool } from "@/lib/db/app";
import { fairLease, fairLeaseValues } from "@/lib/jobs/fair-lease";
import { followUp } from "@/lib/jobs/follow-up";
import { runLeasedWork } from "@/lib/jobs/leased-work";
import { countDueTasks } from "@/lib/jobs/tasks";
import { attempt, LEASE_SECONDS, type Leased } from "@/lib/notification-channels/deliveries/attempt";
import { disableFailing, type NotifyAgain } from "@/lib/notification-channels/deliveries/disable-failing";
import { keepOrder, oldestPending } from "@/lib/notification-channels/deliveries/order";
import { type Attempted, recordAttempts } from "@/lib/notification-channels/deliveries/record-attempts";

/** Concurrent deliveries per channel, so that a hanging channel leaves room for the others. */
const MAX_PER_CHANNEL = 4;

/** Due deliveries that one lease reads per channel, whatever is due. */
const MAX_READ_PER_CHANNEL = 50;

/** Deliveries that one lease holds back. */
const MAX_HELD_BACK = 500;

const IS_DUE = `d.status = 'pending' AND d.next_attempt_at <= now() AND (d.leased_until IS NULL OR d.leased_until <= now())`;

/**
 * Leases due deliveries. Reads those that are first due in each channel of organizations with something due, no more of them than there
 * are slots, and for each the oldest pending one with which it keeps its order, its head: only a head is ready, so that an alert's end is
 * never sent before its start. Any other is held back: it is due no earlier than its head, and `recordAttempts` makes it due when the head
 * is done. So no lease reads it again, nor a head that waits for its next attempt. The lock on the head makes a head that ends meanwhile
 * hold back nothing. One behind too many others has no known head: it is held back until the first of those is due, at least for a while.
 * `OFFSET 0` and the limits keep the plan from reading everything that is pending.
 */
export const LEASE = `WITH concerned AS MATERIALIZED (
    SELECT o.id FROM organizations o CROSS JOIN LATERAL (
      SELECT FROM notification_deliveries d WHERE d.organization_id = o.id AND ${IS_DUE} ORDER BY d.next_attempt_at LIMIT 1
    ) AS any_due
    ORDER BY random() LIMIT $4::bigint
  ),
  first_due AS MATERIALIZED (
    SELECT o.id AS organization_id, channel.id AS channel_id, channel.running, due.id, due.key, due.next_attempt_at, head.id AS head_id
    FROM concerned o
    CROSS JOIN LATERAL (
      SELECT c.id, c.type, (SELECT count(*) FROM notification_deliveries d WHERE d.organization_id = o.id AND d.channel_id = c.id
        AND d.status = 'pending' AND d.leased_until > now()) AS running
      FROM notification_channels c WHERE c.organization_id = o.id OFFSET 0
    ) AS channel
    CROSS JOIN LATERAL (
      SELECT d.id, d.key, d.alert_ids, d.next_attempt_at FROM notification_deliveries d
      WHERE d.organization_id = o.id AND d.channel_id = channel.id AND ${IS_DUE}
      ORDER BY d.next_attempt_at, d.id LIMIT ${MAX_READ_PER_CHANNEL}
    ) AS due
    LEFT JOIN LATERAL (
      SELECT before.id FROM (${oldestPending("d.id, d.alert_ids", "channel.id", "due.key")}) AS before
      WHERE ${keepOrder("before", "due", "channel.type")} ORDER BY before.id LIMIT 1
    ) AS head ON true
    WHERE channel.running < ${MAX_PER_CHANNEL}
  ),
  held_back AS (
    UPDATE notification_deliveries d SET next_attempt_at = greatest(held.until, now() + make_interval(secs => $6))
    FROM (
      SELECT first_due.organization_id, first_due.id, coalesce(head.next_attempt_at, ahead.next_attempt_at) AS until FROM first_due
      CROSS JOIN LATERAL (
        SELECT FROM notification_deliveries d WHERE d.organization_id = first_due.organization_id AND d.id = first_due.id AND ${IS_DUE}
        FOR UPDATE SKIP LOCKED
      ) AS own
      LEFT JOIN LATERAL (
        SELECT h.id, h.next_attempt_at FROM notification_deliveries h
        WHERE h.organization_id = first_due.organization_id AND h.id = first_due.head_id AND h.status = 'pending' FOR SHARE SKIP LOCKED
      ) AS head ON true
      CROSS JOIN LATERAL (
        SELECT min(before.next_attempt_at) AS next_attempt_at
        FROM (${oldestPending("d.next_attempt_at", "first_due.channel_id", "first_due.key")}) AS before WHERE first_due.head_id IS NULL
      ) AS ahead
      WHERE first_due.id IS DISTINCT FROM head_id AND head.id IS NOT DISTINCT FROM head_id LIMIT ${MAX_HELD_BACK}
    ) AS held
    WHERE d.organization_id = held.organization_id AND d.id = held.id
  ),
  ready AS MATERIALIZED (
    SELECT organization_id, id, running + row_number() OVER (PARTITION BY channel_id ORDER BY next_attempt_at, id) AS turn
    FROM first_due WHERE id = head_id
  ),
  ${fairLease({
    isWaiting: `EXISTS (SELECT FROM ready WHERE ready.organization_id = o.id AND turn <= ${MAX_PER_CHANNEL})`,
    candidates: (limit) => `SELECT d.organization_id, d.id, d.next_attempt_at AS due_at
      FROM notification_deliveries d JOIN ready USING (organization_id, id)
      WHERE ready.organization_id = waiting.organization_id AND ready.turn <= ${MAX_PER_CHANNEL} AND ${IS_DUE}
      ORDER BY d.next_attempt_at ${limit} FOR UPDATE OF d SKIP LOCKED`,
  })}
  UPDATE notification_deliveries d
  SET leased_until = now() + make_interval(secs => $6), attempts = d.attempts + 1
  FROM due, notification_channels c
  WHERE d.organization_id = due.organization_id AND d.id = due.id
    AND c.organization_id = d.organization_id AND c.id = d.channel_id
  RETURNING d.organization_id AS "organizationId", d.id, d.attempts, d.leased_until AS "leasedUntil", d.message,
    jsonb_build_object('id', c.id, 'organizationId', c.organization_id, 'name', c.name, 'type', c.type, 'enabled', c.enabled,
      'settings', c.settings, 'secretFields', c.secret_fields, 'secrets', encode(c.secrets, 'base64')) AS channel`;

countDueTasks(
  "notification",
  `SELECT d.next_attempt_at AS due_at FROM notification_deliveries d WHERE d.organization_id = o.id AND ${IS_DUE}`,
  { isIndexed: true },
);

/** The values of `LEASE`. */
export const leaseValues = (most: number, running: readonly Leased[]) => [
  ...fairLeaseValues(most, running),
  LEASE_SECONDS,
];

/** Leases up to `most` due deliveries to this process in fair shares. After a crash, they are due again when the lease ends. */
export async function leaseDueDeliveries(most: number, running: readonly Leased[]): Promise<Leased[]> {
  const leasedAt = performance.now();
  const { rows } = await pool().query<Omit<Leased, "leasedAt">>(LEASE, leaseValues(most, running));
  for (const { channel } of rows) channel.secrets = Buffer.from(String(channel.secrets), "base64");
  return rows.map((row) => ({ ...row, leasedAt }));
}

/** Sends due deliveries until none are left. Leases divide the work among several processes. `notifyAgain` is of lib/alerts. */
export async function sendDueDeliveries(
  signal: AbortSignal,
  onProgress: (() => void) | undefined,
  notifyAgain: NotifyAgain,
): Promise<void> {
  const work = async (leased: Leased): Promise<Attempted> => {
    const at = new Date();
    return { leased, sent: await attempt(leased), at };
  };
  const idOf = ({ leased }: Attempted) => leased.id;
  const disabling = followUp(() => disableFailing(notifyAgain));
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
