import { moveClasses } from "@/lib/audit-logs/retain/move-classes";
import { auditPool } from "@/lib/db/audit";
import { withShortLock } from "@/lib/db/short-lock";
import { idTime } from "@/lib/ids";
import { log } from "@/lib/log";

const DAY_MS = 86_400_000;

interface Expired {
  parent: string;
  name: string;
}

/**
 * Drops every day of every class that has completely expired at `now` (Unix milliseconds). Dropping a table takes the same time for
 * ten events as for ten million. Returns the names of the dropped partitions.
 */
export async function dropExpired(now = Date.now()): Promise<string[]> {
  const { rows } = await auditPool().query<Expired>(
    `SELECT parent.relname AS parent, child.relname AS name
     FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid JOIN pg_class parent ON parent.oid = inhparent
     JOIN pg_namespace n ON n.oid = child.relnamespace
     WHERE n.nspname = 'partitions' AND child.relkind = 'r' AND child.relname ~ '_\\d+_\\d{8}$' ORDER BY child.relname`,
  );
  // Events are sealed before they are dropped.
  const unsealed = await oldestUnsealed();
  const dropped: string[] = [];
  const busy = new Set<string>();
  for (const { parent, name } of rows) {
    const [, days = "", year, month, day] = /_(\d+)_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
    const end = Date.parse(`${year}-${month}-${day}T00:00:00Z`) + DAY_MS;
    if (end > now - Number(days) * DAY_MS || end > unsealed || busy.has(parent)) continue;
    if (await drop(parent, name)) dropped.push(name);
    else busy.add(parent);
  }
  return dropped;
}

/** The day of the oldest event that is not sealed yet (start, Unix milliseconds). */
async function oldestUnsealed(): Promise<number> {
  const { rows } = await auditPool().query<{ id: string | null }>(
    `SELECT least(
       (SELECT min(event_id::text) FROM audit_seal_queue CROSS JOIN unnest(ids) AS queued (event_id)),
       (SELECT min(import_after::text) FROM audit_seal_logs WHERE import_after IS NOT NULL)
     ) AS id`,
  );
  const id = rows[0]?.id ?? null;
  if (id === null) return Number.POSITIVE_INFINITY;
  return idTime(id) - (idTime(id) % DAY_MS);
}

/** Detaches first, so that the short exclusive lock affects only one class; the drop then locks no other table. */
async function drop(parent: string, name: string): Promise<boolean> {
  try {
    await withShortLock(auditPool(), async (client) => {
      await client.query(`ALTER TABLE partitions."${parent}" DETACH PARTITION partitions."${name}"`);
      await client.query(`DROP TABLE partitions."${name}"`);
    });
    return true;
  } catch (error) {
    log.warn({ err: error, partition: name }, "an expired partition is in use; it will be dropped later");
    return false;
  }
}

/** Worker job: drops expired partitions and logs their names. */
export async function enforceRetention(signal: AbortSignal): Promise<void> {
  const dropped = await dropExpired();
  if (dropped.length > 0) log.info({ partitions: dropped }, "dropped expired audit partitions");
  await moveClasses(signal);
}
