import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { AuditEventDraft, AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { storableJson } from "@/lib/audit-logs/storable";
import type { Entry } from "@/lib/audit-logs/write/append";
import { store } from "@/lib/audit-logs/write/store";
import { requireSetting } from "@/lib/config";
import { pool, type Transaction } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import { byteaArray } from "@/lib/db/bytea-array";
import { withTransaction } from "@/lib/db/connections";
import { type HeldLock, holdLock, lockClasses } from "@/lib/db/hold-lock";
import { withBytes } from "@/lib/db/large-parameters";
import { logFailure } from "@/lib/db/outage-log";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

const RETRY_MS = 1_000;
const OUTBOX_BATCH_SIZE = 200;
/** Bodies are held in memory while they are shipped, and PostgreSQL takes no message of a gigabyte. */
const OUTBOX_BATCH_BYTES = 8 * 1024 * 1024;

interface Owner {
  number: number;
  lock: Promise<HeldLock | null>;
}

/**
 * This process's number as an outbox writer. While the process lives it holds the advisory lock of that number, so the
 * worker knows which unfinished events will never be finished by their writer.
 */
async function outboxOwner(): Promise<number> {
  const state = ownerState();
  state.owner ??= take();
  const owner = state.owner;
  // A database that was away must not be held against the next change.
  owner.lock.catch(() => state.owner === owner && delete state.owner);
  await owner.lock;
  return owner.number;
}

function take(): Owner {
  const number = randomInt(1, 2 ** 31 - 1);
  // The worker looks at numbers that seem free; should it meet ours just when our connection broke, we take another.
  const lost = () => {
    log.warn({ owner: number }, "this process takes a new outbox number");
    delete ownerState().owner;
  };
  return { number, lock: holdLock(requireSetting("DATABASE_URL"), lockClasses.writer, number, lost) };
}

const ownerState = () => processSingleton("audit-logs.outbox.owner", (): { owner?: Owner } => ({}));

/** Gives the number back; for a process that ends. */
export async function releaseOutboxOwner(): Promise<void> {
  const lock = await ownerState().owner?.lock.catch(() => null);
  await lock?.release();
}

/** Writes what is known of the event in the transaction of the change, so that no change stands without one. */
export async function writeOutbox(tx: Transaction, event: AuditEventDraft): Promise<void> {
  const owner = await outboxOwner();
  // From here on the row may exist, also if nobody learns that the transaction was committed.
  event.mayBeInOutbox = true;
  await withBytes(
    event.body,
    (body) => tx.$executeRaw`
      INSERT INTO audit_outbox (id, organization_id, writer, complete, event, body)
      VALUES (${event.id}::uuid, ${event.row.organization_id}::uuid, ${owner}, false, ${storableJson(event.row)}::jsonb, ${body}::bytea)
      ON CONFLICT (id) DO UPDATE SET organization_id = excluded.organization_id, event = excluded.event`,
  );
}

/** Keeps whole events in the monitoring database while the audit database is away. */
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
}

const completing = () =>
  processSingleton("audit-logs.outbox.retiring", () => ({ ids: new Set<string>(), isBusy: false }));

/**
 * Retires the outbox row of an event that is durable in the audit database, soon. Tried until it succeeds: while this process lives
 * nobody else touches its rows.
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
      logFailure("outbox rows were not retired", error, { rows: ids.length });
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
 * Ships one batch to the audit database: whole events, and unfinished ones, flagged `interrupted`, whose writer is gone. One that
 * lives finishes its own, however slow the request is.
 * Rows are leased by the transaction and deleted in it, after the events are durable; shipping twice stores once. What the
 * audit database takes in no form stays, and is tried again now and then, so that it holds nothing else up.
 * Returns how many were shipped.
 */
export async function deliverOutbox(): Promise<number> {
  return withTransaction(pool(), async (client) => {
    const { rows } = await client.query<OutboxRow>(
      `WITH due AS MATERIALIZED (
         SELECT id, writer, complete, created_at, coalesce(octet_length(body), 0) AS bytes
         FROM audit_outbox WHERE refused_at IS NULL OR refused_at < now() - interval '10 minutes'
         ORDER BY created_at LIMIT 10000
       ), gone AS MATERIALIZED (
         SELECT writer FROM (SELECT DISTINCT writer FROM due WHERE NOT complete) AS writers
         WHERE pg_try_advisory_xact_lock($1, writer)
       ), ready AS (
         SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS bytes_before FROM due
         -- A living writer may have lost its connection, and so its lock, for a moment.
         WHERE complete OR (writer IN (SELECT writer FROM gone) AND created_at < now() - interval '5 seconds')
       )
       SELECT id, complete, event, body FROM audit_outbox WHERE id IN (SELECT id FROM ready WHERE bytes_before < $3)
       ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [lockClasses.writer | 0, OUTBOX_BATCH_SIZE, OUTBOX_BATCH_BYTES],
    );
    if (rows.length > 0) {
      const present = await stored(rows);
      const refused = await store(auditPool(), rows.filter(({ id }) => !present.has(id)).map(asEntry));
      const kept = refused.map(({ row }) => row.id);
      const ids = rows.map(({ id }) => id);
      await client.query("UPDATE audit_outbox SET refused_at = now() WHERE id = ANY($1::uuid[])", [kept]);
      await client.query("DELETE FROM audit_outbox WHERE id = ANY($1::uuid[]) AND id <> ALL($2::uuid[])", [ids, kept]);
    }
    return rows.length;
  });
}

/** Which events are stored already: if their organization's plan changed since, in another class than they would go to now. */
async function stored(rows: readonly OutboxRow[]): Promise<Set<string>> {
  const { rows: found } = await auditPool().query<{ id: string }>(
    "SELECT id FROM audit_events WHERE organization_id = ANY($1::uuid[]) AND id = ANY($2::uuid[])",
    [[...new Set(rows.map(({ event }) => event.organization_id))], rows.map(({ id }) => id)],
  );
  return new Set(found.map(({ id }) => id));
}

function asEntry({ complete, event, body }: OutboxRow): Entry {
  return { row: complete ? event : { ...event, flags: [...event.flags, "interrupted"] }, body };
}

/** The worker's job: ships until nothing is due. */
export async function deliverOutboxJob(): Promise<void> {
  let shipped = 0;
  for (let batch = await deliverOutbox(); batch > 0; batch = await deliverOutbox()) shipped += batch;
  if (shipped > 0) log.info({ events: shipped }, "shipped events from the outbox");
}
