import { auditPool } from "@/lib/db/audit";
import type { Destination as Row } from "@/lib/db/generated/app/client";
import { isUnavailable } from "@/lib/db/unavailable";
import type { Destination } from "@/lib/destinations/contract";

type LogPosition = Pick<Row, "organizationId" | "id" | "epoch" | "scannedIndex">;
export type Lag = NonNullable<Destination["lag"]>;

/** When the first entry of an organization's log that is not sent to `d (epoch, scanned)` was sealed. */
export function firstUnsent(organization: string): string {
  return `SELECT sealed_at FROM audit_seals s
    WHERE s.organization_id = ${organization} AND NOT (s.epoch = d.epoch AND s.first_index + cardinality(s.ids) <= d.scanned)
      AND (s.epoch, s.first_index) >= (d.epoch, coalesce((
        SELECT max(first_index) FROM audit_seals WHERE organization_id = ${organization} AND epoch = d.epoch AND first_index <= d.scanned
      ), d.scanned))
    ORDER BY s.epoch, s.first_index LIMIT 1`;
}

/** Signed entries from `scanned` on, in that epoch and later ones, and since when the first of them is sealed. */
const LAGS = `
  SELECT d.id, entries::float8 AS entries,
    CASE WHEN entries > 0 THEN coalesce(greatest(0, extract(epoch FROM now() - sealed.sealed_at)), 0) ELSE 0 END::float8 AS seconds
  FROM unnest($2::uuid[], $3::integer[], $4::bigint[]) AS d (id, epoch, scanned)
  JOIN audit_seal_logs l ON l.organization_id = $1
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(greatest(0, size - CASE WHEN e.epoch = d.epoch THEN d.scanned ELSE 0 END)), 0) AS entries
    FROM generate_series(d.epoch, l.epoch) AS e (epoch) CROSS JOIN LATERAL (
      SELECT max(size) AS size FROM audit_seal_checkpoints c WHERE c.organization_id = $1 AND c.epoch = e.epoch
    ) AS signed
  ) AS waiting
  LEFT JOIN LATERAL (${firstUnsent("$1")}) AS sealed ON true`;

/** Like `requireLags`, but empty while the audit database is unavailable. */
export async function readLags(organizationId: string, rows: readonly LogPosition[]): Promise<Map<string, Lag>> {
  return requireLags(organizationId, rows).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return new Map<string, Lag>();
  });
}

/** How far destinations of one organization are behind its log, by id; without those of a log that has nothing sealed. */
export async function requireLags(organizationId: string, rows: readonly LogPosition[]): Promise<Map<string, Lag>> {
  if (rows.length === 0) return new Map();
  const places = [
    rows.map(({ id }) => id),
    rows.map(({ epoch }) => epoch),
    rows.map(({ scannedIndex }) => scannedIndex.toString()),
  ];
  const { rows: lags } = await auditPool().query<Lag & { id: string }>(LAGS, [organizationId, ...places]);
  return new Map(lags.map(({ id, entries, seconds }) => [id, { entries, seconds: Math.round(seconds) }]));
}
