import { pool } from "@/lib/db/app";
import { auditPool } from "@/lib/db/audit";
import type { Destination as Row } from "@/lib/db/generated/app/client";
import type { Cursor } from "@/lib/destinations/batches/read-batch";
import type { SentByHour } from "@/lib/destinations/sending/count-sent";
import { NOBODY } from "@/lib/ids";
import { fairLease, fairLeaseValues, IS_KEPT } from "@/lib/jobs/fair-lease";
import type { Slots } from "@/lib/jobs/leased-work";

/** Seconds that a process has for a batch, before another one sends it again. */
export const LEASE_SECONDS = 120;
/** Concurrent destinations per process. */
export const SLOTS: Slots = { total: 48, perOrganization: 4 };
/** Destinations that are looked at together. */
const PAGE_SIZE = 10_000;

/** A destination that this process has leased. */
export interface Leased
  extends Pick<Row, "organizationId" | "id" | "name" | "type" | "format" | "settings" | "secrets"> {
  query: unknown;
  cursor: Cursor;
  /** Where the batch ends that was tried last; null if it was accepted. */
  attemptEnd: number | null;
  /** Attempts that failed since the last success. */
  failures: number;
  sentByHour: SentByHour;
  /** Identifies the lease; after this time another process may have the destination. */
  leasedUntil: Date;
}

const IS_FREE = "d.paused_at IS NULL AND d.next_at <= now() AND (d.leased_until IS NULL OR d.leased_until <= now())";

/** A condition: some destination is free, whether or not it is behind its log. */
export const DESTINATIONS_FREE = `EXISTS (SELECT FROM destinations d WHERE ${IS_FREE})`;

const FREE = `SELECT d.organization_id, d.id, d.epoch, d.scanned_index::text AS scanned, d.next_at
  FROM destinations d JOIN organizations o ON o.id = d.organization_id
  WHERE ${IS_KEPT} AND ${IS_FREE} AND (d.organization_id, d.id) > ($1::uuid, $2::uuid)
  ORDER BY d.organization_id, d.id LIMIT ${PAGE_SIZE}`;

const BEHIND = `SELECT d.id FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[]) AS d (organization_id, id, epoch, scanned)
  JOIN audit_seal_logs l USING (organization_id)
  WHERE l.epoch > d.epoch OR l.signed_size > d.scanned`;

const isDue = `${IS_FREE} AND d.id = ANY($7::uuid[])`;

const LEASE = `WITH ${fairLease({
  isWaiting: `${IS_KEPT} AND EXISTS (SELECT FROM destinations d WHERE d.organization_id = o.id AND ${isDue})`,
  candidates: (limit) => `SELECT d.organization_id, d.id, d.next_at AS due_at FROM destinations d
    WHERE d.organization_id = waiting.organization_id AND ${isDue} ORDER BY d.next_at ${limit} FOR UPDATE SKIP LOCKED`,
})}
  UPDATE destinations d SET leased_until = now() + make_interval(secs => $6)
  FROM due WHERE d.organization_id = due.organization_id AND d.id = due.id
  RETURNING d.organization_id AS "organizationId", d.id, d.name, d.type, d.format, d.settings, d.secrets, d.query, d.failures,
    d.sent_by_hour AS "sentByHour",
    d.attempt_end::float8 AS "attemptEnd",
    jsonb_build_object('epoch', d.epoch, 'next', d.next_index, 'scanned', d.scanned_index) AS cursor, d.leased_until AS "leasedUntil"`;

/** A destination that is not paused, does not wait and is not leased. */
export interface Free {
  organization_id: string;
  id: string;
  epoch: number;
  scanned: string;
  next_at: Date;
}

/** All free destinations in pages. Quiet ones are free for as long as nothing is sealed, and may be any number. */
export async function* freeDestinations(database = pool()): AsyncGenerator<Free[]> {
  let after: Pick<Free, "organization_id" | "id"> = { organization_id: NOBODY, id: NOBODY };
  for (let isLast = false; !isLast; ) {
    const { rows } = await database.query<Free>(FREE, [after.organization_id, after.id]);
    if (rows.length > 0) yield rows;
    isLast = rows.length < PAGE_SIZE;
    after = rows.at(-1) ?? after;
  }
}

/** Leases up to `most` destinations that are behind their log, in fair shares. */
export async function leaseDestinations(most: number, running: readonly Leased[]): Promise<Leased[]> {
  const ids: string[] = [];
  for await (const free of freeDestinations()) {
    const { rows: behind } = await auditPool().query<{ id: string }>(BEHIND, [
      free.map(({ organization_id }) => organization_id),
      free.map(({ id }) => id),
      free.map(({ epoch }) => epoch),
      free.map(({ scanned }) => scanned),
    ]);
    for (const { id } of behind) ids.push(id);
  }
  if (ids.length === 0) return [];
  const { rows } = await pool().query<Leased>(LEASE, [...fairLeaseValues(most, running, SLOTS), LEASE_SECONDS, ids]);
  return rows;
}
