import ipaddr from "ipaddr.js";
import type pg from "pg";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { Flag } from "@/lib/audit-logs/flags";
import { networkOf } from "@/lib/audit-logs/tokens";
import type { Entry } from "@/lib/audit-logs/write/append";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { idTime } from "@/lib/ids";
import { processSingleton } from "@/lib/process-singleton";

/** Milliseconds after a key's creation during which new addresses are expected and not flagged. */
const GRACE_PERIOD_MS = 86_400_000;
/** Maximum known origins that a process caches, about 150 bytes each. The oldest is evicted and queried again if needed. */
const MAX_CACHED_ORIGINS = 200_000;
/** Milliseconds for which a process relies on its cache: a redaction may have deleted the first use. */
const CACHED_MS = 60_000;

/** The origins that this process knows to be recorded. Times are milliseconds of a monotonic clock. */
export class OriginCache {
  /** The time until which each is known, in ascending order. */
  private readonly until = new Map<string, number>();

  has(origin: string, now: number): boolean {
    return (this.until.get(origin) ?? Number.NEGATIVE_INFINITY) > now;
  }

  add(origin: string, now: number): void {
    this.until.delete(origin);
    this.until.set(origin, now + CACHED_MS);
    for (const [oldest, until] of this.until) {
      if (until > now && this.until.size <= MAX_CACHED_ORIGINS) return;
      this.until.delete(oldest);
    }
  }
}

interface Sighting {
  organizationId: string;
  apiKeyId: string;
  origin: string;
  eventId: string;
}

/** The /64 of an IPv6 address, because hosts commonly choose addresses from their own /64 (RFC 8981). */
export function originOf(address: string): string {
  return ipaddr.parse(address).kind() === "ipv6" ? networkOf(address, 64) : address;
}

/** The origin of a key's successful request, else null. An address and its country are cached as a pair. */
function cachedOrigin(row: AuditRow): string | null {
  if (row.api_key_id === null || row.ip_address === null) return null;
  if (row.status_code === null || row.status_code >= 400) return null;
  return `${row.organization_id} ${row.api_key_id} ${row.ip_address}`;
}

/**
 * Stores events, with flags `new_address` and `new_country` on a key's first success from an origin. A unique insert in the same
 * transaction decides which event is first among all processes. Only events from origins that are not cached pay for it. Returns the
 * events as stored.
 */
export async function storeWithFirstSeenOrigins(
  pool: pg.Pool,
  entries: readonly Entry[],
  store: (client: pg.Pool | pg.PoolClient, entries: readonly Entry[]) => Promise<void>,
): Promise<readonly Entry[]> {
  const known = processSingleton("audit-logs.known-origins", () => new OriginCache());
  const now = performance.now();
  const unknown = entries.filter(({ row }) => {
    const origin = cachedOrigin(row);
    return origin !== null && !known.has(origin, now);
  });
  if (unknown.length === 0) {
    await store(pool, entries);
    return entries;
  }
  const stored = await withTransaction(pool, async (client) => {
    const won = await insert(
      client,
      unknown.map(({ row }) => row),
    );
    const sent = won.length > 0 ? flagged(entries, won) : entries;
    await store(client, sent);
    return sent;
  });
  for (const { row } of unknown) known.add(cachedOrigin(row) ?? "", now);
  return stored;
}

/** Returns the sightings that are new. Waits if another process has inserted the same sighting without committing yet. */
async function insert(client: pg.PoolClient, rows: readonly AuditRow[]): Promise<Sighting[]> {
  const first = new Map<string, Sighting>();
  for (const row of [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    for (const origin of [row.ip_address && originOf(row.ip_address), row.country]) {
      if (!origin || row.api_key_id === null) continue;
      const key = `${row.organization_id} ${row.api_key_id} ${origin}`;
      if (first.has(key)) continue;
      first.set(key, { organizationId: row.organization_id, apiKeyId: row.api_key_id, origin, eventId: row.id });
    }
  }
  // Same order in all processes, to prevent deadlocks.
  const sightings = [...first].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sighting]) => sighting);
  const { rows: won } = await client.query<Sighting>(
    `INSERT INTO audit_sightings (organization_id, api_key_id, origin, event_id)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) ON CONFLICT DO NOTHING
     RETURNING organization_id AS "organizationId", api_key_id AS "apiKeyId", origin, event_id AS "eventId"`,
    [
      sightings.map(({ organizationId }) => organizationId),
      sightings.map(({ apiKeyId }) => apiKeyId),
      sightings.map(({ origin }) => origin),
      sightings.map(({ eventId }) => eventId),
    ],
  );
  return won;
}

function flagged(entries: readonly Entry[], won: readonly Sighting[]): Entry[] {
  const raised = new Map<string, Flag[]>();
  for (const { apiKeyId, origin, eventId } of won) {
    const age = idTime(eventId) - idTime(apiKeyId);
    if (age < GRACE_PERIOD_MS) continue;
    const flag = /^[A-Z]{2}$/.test(origin) ? "new_country" : "new_address";
    raised.set(eventId, [...(raised.get(eventId) ?? []), flag]);
  }
  // Copies: if this transaction fails, the event is stored in another way, and may no longer be the first from its origin.
  return entries.map(({ row, body }) => ({
    row: { ...row, flags: [...new Set([...row.flags, ...(raised.get(row.id) ?? []).sort()])] },
    body,
  }));
}

/** The time (RFC 3339) of a key's first success from each origin. */
export async function readFirstSeenOrigins(organizationId: string, apiKeyId: string): Promise<Map<string, string>> {
  const { rows } = await auditPool().query<{ origin: string; event_id: string }>(
    "SELECT origin, event_id FROM audit_sightings WHERE organization_id = $1 AND api_key_id = $2",
    [organizationId, apiKeyId],
  );
  return new Map(rows.map(({ origin, event_id }) => [origin, new Date(idTime(event_id)).toISOString()]));
}
