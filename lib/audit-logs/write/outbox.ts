import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { AuditEventDraft, AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { storableJson } from "@/lib/audit-logs/storable";
import type { Entry } from "@/lib/audit-logs/write/append";
import { store } from "@/lib/audit-logs/write/store";
import { requireSetting } from "@/lib/config";
import { pool, queryIn, type Transaction } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { byteaArray } from "@/lib/db/bytea-array";
import { withTransaction } from "@/lib/db/connections";
import { type HeldLock, holdLock, lockClasses } from "@/lib/db/hold-lock";
import { logFailure, msSinceLost } from "@/lib/db/outage-log";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";
import { count } from "@/lib/metrics/metrics";
import { processSingleton } from "@/lib/process-singleton";

const RETRY_MS = 1_000;
/** Milliseconds that writers have to acquire their locks again after PostgreSQL has restarted, or another server has taken over. */
const GRACE_MS = 5_000;
const IS_DUE = "refused_at IS NULL OR refused_at < now() - interval '10 minutes'";
/** A condition: some row may have to be delivered. */
export const OUTBOX_DUE = `EXISTS (SELECT FROM audit_outbox WHERE ${IS_DUE})`;
const OUTBOX_BATCH_SIZE = 200;
/** Bodies are held in memory during delivery, and PostgreSQL's messages are limited to one gigabyte. */
const OUTBOX_BATCH_BYTES = 8 * 1024 * 1024;

interface Owner {
  number: number;
  lock: Promise<HeldLock | null>;
}

/**
 * This process's number as an outbox writer. The live process holds an advisory lock on it, so that the worker can tell which
 * incomplete events will never be completed by their writer.
 */
async function outboxOwner(): Promise<number> {
  const state = ownerState();
  state.owner ??= take();
  const owner = state.owner;
  // An earlier outage of the database must not fail the next change.
  owner.lock.catch(() => state.owner === owner && delete state.owner);
  await owner.lock;
  return owner.number;
}

function take(): Owner {
  const number = randomInt(1, 2 ** 31 - 1);
  // The worker tests apparently free numbers; if it holds the lock on ours after our connection broke, we choose another number.
  const lost = () => {
    log.warn({ owner: number }, "this process acquires a new outbox number");
    delete ownerState().owner;
  };
  return { number, lock: holdLock(requireSetting("DATABASE_URL"), lockClasses.writer, number, lost) };
}

const ownerState = () => processSingleton("audit-logs.outbox.owner", (): { owner?: Owner } => ({}));

/** Releases the number, before the process exits. */
export async function releaseOutboxOwner(): Promise<void> {
  const lock = await ownerState().owner?.lock.catch(() => null);
  await lock?.release();
}

/**
 * What writes the known part of the event in the transaction of the change, as its last statement, so that no change exists without an
 * event. It sends the statement at once.
 */
export async function prepareOutbox(event: AuditEventDraft): Promise<(tx: Transaction) => Promise<unknown>> {
  const owner = await outboxOwner();
  return (tx) =>
    queryIn(tx, {
      text: `${INSERT_INCOMPLETE} ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, event = excluded.event`,
      values: incompleteValues(event, owner),
    });
}

const INSERT_INCOMPLETE = `INSERT INTO audit_outbox (id, organization_id, writer, complete, event, body)
  VALUES ($1::uuid, $2::uuid, $3, false, $4::jsonb, $5::bytea)`;

function incompleteValues({ id, row, body }: AuditEventDraft, owner: number) {
  return [id, row.organization_id, owner, storableJson(row), body];
}

/**
 * What a transaction whose commit was not answered left in the outbox about the event; null if it was rolled back. `organizationId` is that
 * of the event in the transaction, in whose log the worker may have stored it since. Afterwards the outbox has a row of the event in any
 * case: the insertion waits until a transaction that is still being committed has ended, which a mere look would miss. Throws the
 * driver's errors.
 */
export async function findCommitted(
  event: AuditEventDraft,
  organizationId: string,
): Promise<AuditRow | "delivered" | null> {
  const owner = await outboxOwner();
  const { rows } = await pool("write").query<{ event: AuditRow; existed: boolean }>(
    // An inserted row has no xmax, an updated one has its own transaction's.
    `${INSERT_INCOMPLETE} ON CONFLICT (id) DO UPDATE SET writer = excluded.writer RETURNING event, xmax <> 0 AS existed`,
    incompleteValues(event, owner),
  );
  const [row] = rows;
  // The transaction knew of no error. A row with one is that of an earlier attempt to find out.
  if (row?.existed && row.event.error_code === null) return row.event;
  return (await stored([{ id: event.id, organization_id: organizationId }])).has(event.id) ? "delivered" : null;
}

/** Stores complete events in the monitoring database while the audit database is unavailable. */
export async function enqueueOutbox(entries: readonly Entry[]): Promise<void> {
  await pool("write").query(
    `INSERT INTO audit_outbox (id, organization_id, writer, complete, event, body)
     SELECT id, organization_id, 0, true, event, body
     FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::bytea[]) AS sent (id, organization_id, event, body)
     ON CONFLICT (id) DO UPDATE SET complete = true, event = excluded.event, body = excluded.body`,
    [
      entries.map(({ row }) => row.id),
      entries.map(({ row }) => row.organization_id),
      entries.map(({ row }) => storableJson(row)),
      byteaArray(entries.map(({ body }) => body)),
    ],
  );
  count("sealwatch_audit_events_total", { store: "outbox" }, entries.length);
}

const completing = () =>
  processSingleton("audit-logs.outbox.retiring", () => ({ ids: new Set<string>(), isBusy: false }));

/**
 * Deletes the outbox row of an event that is durable in the audit database, shortly afterwards. Retries until it succeeds, because no
 * other process touches the rows of a live process.
 */
export function completeOutbox(id: string): void {
  const state = completing();
  state.ids.add(id);
  if (!state.isBusy) void completeAll(state);
}

async function completeAll(state: ReturnType<typeof completing>): Promise<void> {
  state.isBusy = true;
  while (state.ids.size > 0) {
    const ids = [...state.ids];
    try {
      await pool("write").query("DELETE FROM audit_outbox WHERE id = ANY($1::uuid[]) AND NOT complete", [ids]);
      for (const id of ids) state.ids.delete(id);
    } catch (error) {
      logFailure("completed outbox rows were not deleted", error, { rows: ids.length });
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
  state.isBusy = false;
}

interface OutboxRow {
  id: string;
  complete: boolean;
  event: AuditRow;
  body: Buffer | null;
}

/**
 * Delivers one batch to the audit database: complete events, and incomplete events of dead writers, flagged `interrupted`. Rows are
 * locked and deleted in one transaction, after the events are durable; delivering twice stores an event once. Events that the audit
 * database refuses in any form stay and are retried occasionally, without blocking others. Returns the number of delivered events.
 */
async function deliverOutbox(): Promise<number> {
  return withTransaction(pool(), async (client) => {
    const { rows } = await client.query<OutboxRow>(
      `WITH due AS MATERIALIZED (
         SELECT id, writer, complete, created_at, coalesce(octet_length(body), 0) AS bytes
         FROM audit_outbox WHERE ${IS_DUE}
         ORDER BY created_at LIMIT 10000
       ), gone AS MATERIALIZED (
         SELECT writer FROM (SELECT DISTINCT writer FROM due WHERE NOT complete) AS writers
         WHERE pg_try_advisory_xact_lock($1, writer)
       ), ready AS (
         SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before FROM due
         -- A live writer may have lost its connection, and with it the lock, for a moment. A restart of PostgreSQL ends all of them, and so
         -- does a failover to a standby, which has run for long: what lost connections here has lost those of the writers too.
         WHERE complete OR (writer IN (SELECT writer FROM gone) AND $4 AND created_at < now() - make_interval(secs => $5)
           AND pg_postmaster_start_time() < now() - make_interval(secs => $5))
       )
       SELECT id, complete, event, body FROM audit_outbox WHERE id IN (SELECT id FROM ready WHERE bytes_before < $3)
       ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [
        ...[lockClasses.writer | 0, OUTBOX_BATCH_SIZE, OUTBOX_BATCH_BYTES],
        msSinceLost("the monitoring database") > GRACE_MS,
        GRACE_MS / 1000,
      ],
    );
    if (rows.length > 0) {
      const present = await stored(rows.map(({ event }) => event));
      const refused = await store(auditPool(), rows.filter(({ id }) => !present.has(id)).map(asEntry));
      const kept = refused.map(({ row }) => row.id);
      const ids = rows.map(({ id }) => id);
      await client.query("UPDATE audit_outbox SET refused_at = now() WHERE id = ANY($1::uuid[])", [kept]);
      await client.query("DELETE FROM audit_outbox WHERE id = ANY($1::uuid[]) AND id <> ALL($2::uuid[])", [ids, kept]);
    }
    return rows.length;
  });
}

/** The ids of events that are already stored, possibly in another class if their organization's plan has changed. */
async function stored(events: readonly Pick<AuditRow, "id" | "organization_id">[]): Promise<Set<string>> {
  const { rows: found } = await auditPool().query<{ id: string }>(
    `SELECT id FROM audit_events
     WHERE organization_id = ANY($1::uuid[]) AND retention_days = ANY($3::smallint[]) AND id = ANY($2::uuid[])`,
    [[...new Set(events.map(({ organization_id }) => organization_id))], events.map(({ id }) => id), CLASSES],
  );
  return new Set(found.map(({ id }) => id));
}

function asEntry({ complete, event, body }: OutboxRow): Entry {
  return { row: complete ? event : { ...event, flags: [...event.flags, "interrupted"] }, body };
}

/**
 * The time before which no event waits for delivery to the audit database, in Unix milliseconds. Leaves out events that the audit
 * database refuses.
 */
export async function deliveredUntil(): Promise<number> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM audit_outbox WHERE refused_at IS NULL ORDER BY id LIMIT 1",
  );
  return Math.min(Date.now(), ...rows.map(({ id }) => idTime(id)));
}

/** Worker job: delivers events until none are due. */
export async function deliverOutboxJob(signal: AbortSignal): Promise<void> {
  let delivered = 0;
  for (let batch = await deliverOutbox(); batch > 0; batch = await deliverOutbox()) {
    delivered += batch;
    if (signal.aborted) break;
  }
  if (delivered > 0) log.info({ events: delivered }, "delivered events from the outbox");
}
