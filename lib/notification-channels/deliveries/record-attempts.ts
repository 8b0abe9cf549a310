import type pg from "pg";
import { storableJson } from "@/lib/audit-logs/storable";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { count } from "@/lib/metrics/metrics";
import { isOfChannel, type Leased } from "@/lib/notification-channels/deliveries/attempt";
import { keepOrder, oldestPending } from "@/lib/notification-channels/deliveries/order";
import { MAX_ATTEMPTS, MAX_FAILURES, secondsToRetry } from "@/lib/notification-channels/deliveries/schedule";
import type { Sent } from "@/lib/notification-channels/providers/provider";

/** The result of an attempt to send a delivery. */
export interface Attempted {
  leased: Leased;
  sent: Sent;
  at: Date;
}

/**
 * Updates each delivery and its channel in one statement. Takes back the attempt that the lease has counted if nothing was attempted.
 * Ignores deliveries that were given up meanwhile, and attempts whose lease has expired, because another attempt is in progress or this one is already recorded.
 */
const WRITE = `
  WITH new AS (
    SELECT * FROM jsonb_to_recordset($1) AS new (organization_id uuid, id uuid, channel_id uuid, leased_until timestamptz,
      status text, error text, next_attempt_in float8, at timestamptz, counts boolean, attempted boolean, noted boolean)
  ),
  written AS (
    UPDATE notification_deliveries d
    SET status = new.status, attempts = d.attempts - CASE WHEN new.attempted THEN 0 ELSE 1 END,
      last_error = coalesce(new.error, d.last_error), leased_until = NULL,
      next_attempt_at = coalesce(now() + make_interval(secs => new.next_attempt_in), d.next_attempt_at),
      finished_at = CASE WHEN new.status = 'pending' THEN NULL ELSE new.at END
    FROM new WHERE d.organization_id = new.organization_id AND d.id = new.id AND d.status = 'pending'
      AND d.leased_until = new.leased_until
    RETURNING new.*
  ),
  outcomes AS (
    SELECT organization_id, channel_id, bool_or(status = 'sent') AS ok,
      count(*) FILTER (WHERE status = 'failed' AND counts)::integer AS given_up,
      max(at) FILTER (WHERE status = 'sent') AS sent_at, max(at) FILTER (WHERE status <> 'sent' AND noted) AS failed_at,
      (array_agg(error ORDER BY at DESC) FILTER (WHERE status <> 'sent' AND noted))[1] AS error
    FROM written GROUP BY organization_id, channel_id
  )
  UPDATE notification_channels c
  SET failures = CASE WHEN outcomes.ok THEN 0 ELSE c.failures + outcomes.given_up END,
    last_sent_at = coalesce(outcomes.sent_at, c.last_sent_at), last_failed_at = coalesce(outcomes.failed_at, c.last_failed_at),
    last_error = coalesce(outcomes.error, c.last_error)
  FROM outcomes JOIN notification_channels before ON before.organization_id = outcomes.organization_id AND before.id = outcomes.channel_id
  WHERE c.organization_id = outcomes.organization_id AND c.id = outcomes.channel_id
  RETURNING c.organization_id, c.id, c.failures, before.last_sent_at AS worked_at,
    coalesce(outcomes.sent_at > coalesce(outcomes.failed_at, '-infinity')
      AND before.last_failed_at > coalesce(before.last_sent_at, '-infinity'), false) AS recovered`;

/** The messages that one makes due when it is done, of the oldest of its key. Others become due with the head that they waited for. */
const MAX_RELEASED = 20;

const COMPARED = "d.organization_id, d.id, d.alert_ids, d.attempts, d.next_attempt_at";

/** Makes the messages due that waited behind deliveries that are done (`held_back` in send-due.ts): the next ones. */
const RELEASE_NEXT = `
  UPDATE notification_deliveries d SET next_attempt_at = now()
  FROM unnest($1::uuid[], $2::uuid[]) AS ended (organization_id, id)
  JOIN notification_deliveries done ON done.organization_id = ended.organization_id AND done.id = ended.id
  JOIN notification_channels c ON c.organization_id = done.organization_id AND c.id = done.channel_id
  CROSS JOIN LATERAL (
    SELECT n.id FROM (${oldestPending(COMPARED, "done.channel_id", "done.key")}) AS n
    WHERE n.organization_id = done.organization_id AND n.attempts = 0 AND n.next_attempt_at > now() AND ${keepOrder("n", "done", "c.type")}
    ORDER BY n.id LIMIT ${MAX_RELEASED}
  ) AS next
  WHERE d.organization_id = done.organization_id AND d.id = next.id
    AND d.status = 'pending' AND d.leased_until IS NULL AND d.attempts = 0`;

/** A message that others have overtaken may have this many attempts in quick succession, of MAX_ATTEMPTS. */
const MAX_EARLY_ATTEMPTS = 4;

/**
 * Makes pending deliveries of a channel that works again due immediately, except where the receiver asked for fewer requests. `worked`: when
 * a message was last sent before.
 */
const MAKE_PENDING_DUE = `
  UPDATE notification_deliveries d SET next_attempt_at = now()
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS works (o, c, worked)
  WHERE d.organization_id = works.o AND d.channel_id = works.c AND d.status = 'pending' AND d.next_attempt_at > now()
    AND (d.attempts <= ${MAX_EARLY_ATTEMPTS} OR works.worked IS NULL OR d.created_at > works.worked)
    AND coalesce(d.last_error NOT LIKE 'HTTP status 429%', true)`;

function rowOf({ leased, sent, at }: Attempted) {
  const { organizationId, id, attempts, leasedUntil, channel, message } = leased;
  // A test reports its result to the person who sent it and never disables a channel.
  const isTest = message.kind === "test";
  const attempted = sent.ok || sent.isUncounted !== true;
  const row = {
    ...{ organization_id: organizationId, id, channel_id: channel.id, leased_until: leasedUntil, at },
    ...{ counts: !isTest && attempted, attempted, noted: isOfChannel(sent) },
  };
  if (sent.ok) return { ...row, status: "sent", error: sent.warning ?? null, next_attempt_in: null };
  const isLast = sent.isFinal || (attempted && attempts >= MAX_ATTEMPTS) || isTest;
  const wait = () =>
    attempted ? secondsToRetry(attempts, sent.retryAfterMs, Math.random()) : (sent.retryAfterMs ?? 0) / 1000;
  const next = isLast ? null : wait();
  return { ...row, status: next === null ? "failed" : "pending", error: sent.reason, next_attempt_in: next };
}

interface Channel {
  organization_id: string;
  id: string;
  failures: number;
  /** When a message was last sent before these attempts. */
  worked_at: Date | null;
  /** It works again after a failure. */
  recovered: boolean;
}

/**
 * In one transaction: after the first statement no repetition would find that a channel works again, or who waits. Those that wait are
 * updated after it, because it locks the channels: two writers never wait for each other.
 */
async function record(client: pg.ClientBase, attempts: readonly ReturnType<typeof rowOf>[]): Promise<Channel[]> {
  const { rows } = await client.query<Channel>(WRITE, [storableJson(attempts)]);
  const done = attempts.filter(({ status }) => status !== "pending");
  if (done.length > 0) {
    await client.query(RELEASE_NEXT, [done.map((row) => row.organization_id), done.map(({ id }) => id)]);
  }
  const recovered = rows.filter((row) => row.recovered);
  if (recovered.length > 0) {
    await client.query(MAKE_PENDING_DUE, [
      recovered.map((row) => row.organization_id),
      recovered.map(({ id }) => id),
      recovered.map(({ worked_at }) => worked_at),
    ]);
  }
  return rows;
}

/** Records attempts, the next attempts and the channels' state. Returns whether a channel keeps failing. */
export async function recordAttempts(results: readonly Attempted[]): Promise<boolean> {
  const attempts = results.map(rowOf);
  const rows = await withTransaction(pool(), (client) => record(client, attempts));
  for (const [index, { status }] of attempts.entries()) {
    const channel = results[index]?.leased.channel.type ?? "";
    count("sealwatch_deliveries_total", { channel, outcome: status === "pending" ? "retried" : status });
  }
  return rows.some(({ failures }) => failures >= MAX_FAILURES);
}
