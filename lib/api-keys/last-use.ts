import type { Recording } from "@/lib/audit-logs/recording";
import type { FoundKey } from "@/lib/auth/find-key";
import { pool } from "@/lib/db/app";
import { log } from "@/lib/log";
import { once } from "@/lib/once";

interface Use {
  organizationId: string;
  id: string;
  at: Date;
  ip: string | null;
}

const FLUSH_MS = 20_000;

/** Remembers that a key was used; written at most once per key and 20 s, never per request. */
export function noteUse(key: FoundKey, event: Recording): void {
  const uses = once("api-keys.last-use", start);
  uses.set(key.id, { organizationId: key.organizationId, id: key.id, at: event.occurredAt, ip: event.row.ip_address });
}

function start(): Map<string, Use> {
  const uses = new Map<string, Use>();
  setInterval(() => void flush(uses), FLUSH_MS).unref();
  return uses;
}

async function flush(uses: Map<string, Use>): Promise<void> {
  // In key order, so that two processes that flush the same keys do not wait for each other in a circle.
  const due = [...uses.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (due.length === 0) return;
  uses.clear();
  try {
    await pool().query(
      `UPDATE api_keys k SET last_used_at = used.at, last_used_ip = used.ip
       FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) AS used (organization_id, id, at, ip)
       WHERE k.organization_id = used.organization_id AND k.id = used.id
         AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`,
      [
        due.map(({ organizationId }) => organizationId),
        due.map(({ id }) => id),
        due.map(({ at }) => at.toISOString()),
        due.map(({ ip }) => ip),
      ],
    );
  } catch (error) {
    for (const use of due) if (!uses.has(use.id)) uses.set(use.id, use);
    log.warn({ err: error }, "the last use of keys was not written; it will be tried again");
  }
}

/** Writes what is not written yet; for a process that stops. */
export function flushUses(): Promise<void> {
  return flush(once("api-keys.last-use", start));
}
