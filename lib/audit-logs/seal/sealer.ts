import type pg from "pg";
import { commitEvents, nameOf, type SealedEvent } from "@/lib/audit-logs/seal/commit-events";
import { type EventKey, readSealedAround } from "@/lib/audit-logs/seal/find-seals";
import { importStored, listImports } from "@/lib/audit-logs/seal/import-stored";
import { createLog, LONGEST_RETENTION_DAYS, type Log, lockLogs, writeSeals } from "@/lib/audit-logs/seal/log-rows";
import { firstRows, isMoreQueued, readQueue } from "@/lib/audit-logs/seal/queue";
import { startEpoch } from "@/lib/audit-logs/seal/start-epoch";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { logFailure } from "@/lib/db/outage-log";
import { isTimeLimit, isUnavailable } from "@/lib/db/unavailable";
import { processSingleton } from "@/lib/process-singleton";

/** Organizations at a time, in two transactions. */
const ORGANIZATIONS = 100;
/** Organizations with an import in one transaction. */
const IMPORTS = 5;
/** How long to skip an organization whose events could not be sealed, in milliseconds, so that it does not delay others. */
const PAUSE_MS = 60_000;

/** Organizations that are left out, with the time of the next attempt by `performance.now()`. */
const paused = () => processSingleton("audit-logs.seal.paused", () => new Map<string, number>());

/**
 * Worker job: seals stored events, some of each organization in turn, until no organization has more than a few. Several workers share
 * the work; each organization is sealed by one of them at a time. Calls `onProgress` when some of each were.
 */
export async function sealEvents(signal: AbortSignal, onProgress?: () => void): Promise<void> {
  await listImports(signal);
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    hasMore = false;
    for (let after: string | null = null; !signal.aborted; ) {
      const organizations: string[] = await organizationsDue(after);
      const last = organizations.at(-1);
      if (last === undefined) break;
      if (await sealByHalves(organizations)) hasMore = true;
      onProgress?.();
      after = last;
    }
  }
}

/** The next organizations with events to seal after this one, in the order of their ids; null: from the first. */
async function organizationsDue(after: string | null): Promise<string[]> {
  const now = performance.now();
  for (const [id, until] of paused()) if (until <= now) paused().delete(id);
  // One step per organization, however many rows it has.
  const { rows } = await auditPool().query<{ organization_id: string }>(
    `WITH RECURSIVE queued AS (
       (SELECT organization_id FROM audit_seal_queue WHERE $1::uuid IS NULL OR organization_id > $1
        ORDER BY organization_id LIMIT 1)
       UNION ALL
       SELECT next.organization_id FROM queued CROSS JOIN LATERAL (
         SELECT organization_id FROM audit_seal_queue WHERE organization_id > queued.organization_id ORDER BY organization_id LIMIT 1
       ) AS next
     )
     (SELECT organization_id FROM queued WHERE organization_id <> ALL($2::uuid[]) LIMIT ${ORGANIZATIONS})
     UNION
     (SELECT organization_id FROM audit_seal_logs
      WHERE ($1::uuid IS NULL OR organization_id > $1) AND organization_id <> ALL($2::uuid[]) AND import_after IS NOT NULL
      ORDER BY organization_id LIMIT ${IMPORTS})
     ORDER BY organization_id LIMIT ${ORGANIZATIONS}`,
    [after, [...paused().keys()]],
  );
  return rows.map(({ organization_id }) => organization_id);
}

/** Seals two transactions at a time, so that one hashes while the database works for the other. Returns whether more remains. */
async function sealByHalves(organizations: readonly string[]): Promise<boolean> {
  const halves = [0, 1].map((half) => organizations.filter((_, position) => position % 2 === half));
  const sealed = await Promise.allSettled(halves.filter(({ length }) => length > 0).map(sealTogether));
  const failed = sealed.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return sealed.some((half) => half.status === "fulfilled" && half.value);
}

/** Seals in one transaction; if that fails, each organization in its own. Returns whether more remains than was sealed at once. */
async function sealTogether(organizations: readonly string[]): Promise<boolean> {
  try {
    await createLogs(organizations);
    return await withTransaction(auditPool(), (client) => seal(client, organizations));
  } catch (error) {
    // A time limit may be due to one organization's events.
    if (isUnavailable(error) && !isTimeLimit(error)) throw error;
    const [only] = organizations;
    if (organizations.length === 1 && only !== undefined) {
      logFailure("events could not be sealed", error, { organization_id: only });
      paused().set(only, performance.now() + PAUSE_MS);
      return false;
    }
  }
  let hasMore = false;
  for (const organization of organizations) if (await sealTogether([organization])) hasMore = true;
  return hasMore;
}

async function createLogs(organizations: readonly string[]): Promise<void> {
  const { rows } = await auditPool().query<{ id: string }>(
    `SELECT id FROM unnest($1::uuid[]) AS due (id) WHERE NOT EXISTS (SELECT FROM audit_seal_logs WHERE organization_id = due.id)`,
    [organizations],
  );
  for (const { id } of rows) await createLog(auditPool(), id);
}

async function seal(client: pg.PoolClient, organizations: readonly string[]): Promise<boolean> {
  const logs = await lockLogs(client, organizations);
  const importing = logs.filter(({ import_after }) => import_after !== null).slice(0, IMPORTS);
  const due = await readQueue(
    client,
    logs.filter(({ import_after }) => import_after === null).map(({ organization_id }) => organization_id),
  );
  const queued = firstRows(due);
  const imported = await importStored(client, importing);
  const events = await commitNew(client, [
    ...imported,
    ...queued.flatMap(({ organization_id, ids }) => ids.map((id) => ({ organization_id, id }))),
  ]);
  await writeSeals(client, await startEpochs(client, logs, events), events);
  await client.query(
    `DELETE FROM audit_seal_queue WHERE (organization_id, queued_at, id) IN (
       SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[])
     )`,
    [
      queued.map(({ organization_id }) => organization_id),
      queued.map(({ queued_at }) => queued_at.toISOString()),
      queued.map(({ id }) => id),
    ],
  );
  return isMoreQueued(due) || queued.length < due.length || importing.length > 0;
}

/** Seals the first entries of logs without entries that begin after the first epoch. Returns the logs as they are then. */
async function startEpochs(
  client: pg.PoolClient,
  logs: readonly Log[],
  events: readonly SealedEvent[],
): Promise<readonly Log[]> {
  const begun = logs.filter(({ epoch, size }) => epoch > 1 && size === 0);
  if (begun.length === 0) return logs;
  for (const { organization_id } of begun) {
    const classes = events.flatMap((event) =>
      event.organization_id === organization_id ? (event.retentionDays ?? []) : [],
    );
    const retention_days = classes.length > 0 ? Math.max(...classes) : LONGEST_RETENTION_DAYS;
    await startEpoch(client, { organization_id, retention_days }, { reason: null, previous: null, closed: null });
  }
  return lockLogs(
    client,
    logs.map(({ organization_id }) => organization_id),
  );
}

/** Commits to the events that are not sealed yet, in the order of their ids. */
async function commitNew(client: pg.PoolClient, events: readonly EventKey[]): Promise<SealedEvent[]> {
  const fresh = new Map(events.map((event) => [nameOf(event), event]));
  for (const sealed of await readSealedAround(events, client)) fresh.delete(nameOf(sealed));
  return commitEvents(
    client,
    [...fresh.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
  );
}
