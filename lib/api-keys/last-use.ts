import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { FoundKey } from "@/lib/auth/find-key";
import { pool } from "@/lib/db/app";
import { logFailure } from "@/lib/db/outage-log";
import { processSingleton } from "@/lib/process-singleton";

/** When and from where a key was used. */
export interface Use {
  at: Date;
  ip: string | null;
}

/** What is not written yet about one key. Replaced as a whole, never changed: what was written is told from what came since. */
interface Pending {
  organizationId: string;
  id: string;
  /** The last request that the key was let in with. */
  used: Use | null;
  /** The last one that came with a secret that a rotation had replaced. */
  rotatedUsed: Use | null;
}

const FLUSH_MS = 20_000;
/** Keys in one statement: requests wait for no longer than it takes to put so many together. */
const BATCH_SIZE = 1_000;

const pending = () => processSingleton("api-keys.last-use", start);

/** Remembers that a key was used; written at most once per key and 20 s, never per request. */
export function touchKey(key: FoundKey, event: AuditEventDraft): void {
  note(key, { used: asUse(event) });
}

/** Remembers that a rotated-out secret of a key was tried. */
export function touchRotatedSecret(key: FoundKey, event: AuditEventDraft): void {
  note(key, { rotatedUsed: asUse(event) });
}

/** What this process knows of a key's uses and has not written yet. */
export function pendingUse(id: string): Pending | undefined {
  return pending().get(id);
}

const asUse = (event: AuditEventDraft): Use => ({ at: event.occurredAt, ip: event.row.ip_address });

function note({ organizationId, id }: FoundKey, use: Partial<Pending>): void {
  const all = pending();
  const { used = null, rotatedUsed = null } = all.get(id) ?? {};
  all.set(id, { organizationId, id, used, rotatedUsed, ...use });
}

function start(): Map<string, Pending> {
  const all = new Map<string, Pending>();
  setInterval(() => void flush(all), FLUSH_MS).unref();
  return all;
}

async function flush(all: Map<string, Pending>): Promise<void> {
  const due = [...all.values()];
  try {
    for (let from = 0; from < due.length; from += BATCH_SIZE) {
      const some = due.slice(from, from + BATCH_SIZE);
      await write(some);
      // Only now, so that a reader finds each use here or in the record; what came meanwhile stays for the next time.
      for (const each of some) if (all.get(each.id) === each) all.delete(each.id);
    }
  } catch (error) {
    logFailure("the last use of keys was not written; it will be tried again", error);
  }
}

async function write(some: Pending[]): Promise<void> {
  // In key order, so that two processes that write the same keys do not wait for each other in a circle.
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

/** Writes what is not written yet; for a process that stops. */
export function flushUses(): Promise<void> {
  return flush(pending());
}
