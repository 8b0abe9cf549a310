import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { FoundKey } from "@/lib/auth/find-key";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { processSingleton } from "@/lib/process-singleton";

/** Time and address of a key's use. */
export interface Use {
  at: Date;
  ip: string | null;
}

/** Uses of one key that are not written yet. Immutable, so that uses added during a write are detected by identity. */
interface Pending {
  organizationId: string;
  id: string;
  /** The last authenticated request with the key. */
  used: Use | null;
  /** The last request with a rotated-out secret of the key. */
  rotatedUsed: Use | null;
}

const FLUSH_INTERVAL_MS = 20_000;
/** Keys per statement; requests are blocked while one statement is prepared. */
const BATCH_SIZE = 1_000;

const pending = () => processSingleton("api-keys.last-use", start);

/** Records the use of a key in memory; it is written at most once per key and 20 s, not per request. */
export function touchKey(key: FoundKey, event: AuditEventDraft): void {
  recordUse(key, { used: asUse(event) });
}

/** Records the use of a key's rotated-out secret. */
export function touchRotatedSecret(key: FoundKey, event: AuditEventDraft): void {
  recordUse(key, { rotatedUsed: asUse(event) });
}

/** Uses of a key that this process has not written yet. */
export function pendingUse(id: string): Pending | undefined {
  return pending().get(id);
}

const asUse = (event: AuditEventDraft): Use => ({ at: event.occurredAt, ip: event.row.ip_address });

function recordUse({ organizationId, id }: FoundKey, use: Partial<Pending>): void {
  const all = pending();
  const { used = null, rotatedUsed = null } = all.get(id) ?? {};
  all.set(id, { organizationId, id, used, rotatedUsed, ...use });
}

function start(): Map<string, Pending> {
  const all = new Map<string, Pending>();
  setInterval(() => void flush(all), FLUSH_INTERVAL_MS).unref();
  return all;
}

async function flush(all: Map<string, Pending>): Promise<void> {
  const due = [...all.values()];
  try {
    for (let from = 0; from < due.length; from += BATCH_SIZE) {
      const some = due.slice(from, from + BATCH_SIZE);
      await write(some);
      // Deleted only now, so that readers find each use here or in the record; uses added meanwhile stay for the next write.
      for (const each of some) if (all.get(each.id) === each) all.delete(each.id);
    }
  } catch (error) {
    logFailure("the last use of keys was not written; it will be retried", error);
  }
}

async function write(some: Pending[]): Promise<void> {
  // In key order, so that two processes that write the same keys do not deadlock.
  some.sort((a, b) => (a.id < b.id ? -1 : 1));
  await pool().query(
    `UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, noted.at),
       last_used_ip = CASE WHEN noted.at > coalesce(k.last_used_at, '-infinity') THEN noted.ip ELSE k.last_used_ip END,
       rotated_secret_used_at = greatest(k.rotated_secret_used_at, noted.rotated_used_at)
     FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::timestamptz[])
       AS noted (organization_id, id, at, ip, rotated_used_at)
     WHERE k.organization_id = noted.organization_id AND k.id = noted.id
       AND (noted.at > coalesce(k.last_used_at, '-infinity') OR noted.rotated_used_at > coalesce(k.rotated_secret_used_at, '-infinity'))`,
    [
      some.map(({ organizationId }) => organizationId),
      some.map(({ id }) => id),
      some.map(({ used }) => used?.at.toISOString() ?? null),
      some.map(({ used }) => used?.ip ?? null),
      some.map(({ rotatedUsed }) => rotatedUsed?.at.toISOString() ?? null),
    ],
  );
}

/** Writes all pending uses, before the process exits. */
export function flushUses(): Promise<void> {
  return flush(pending());
}
