import type * as contract from "@/lib/analytics/contract";
import { days, rangeOf } from "@/lib/analytics/range";
import { pool } from "@/lib/db/app";
import { groupBy } from "@/lib/group-by";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";
import { DAY_MS } from "@/lib/time/units";

interface Renewal {
  at: Date;
  endpoint_id: string;
  host: string;
  port: number;
  old_certificate_id: string;
  new_certificate_id: string;
  share_left: number;
  days_left: number;
}

/** Maximum number of renewals to read: the latest. */
const MAX_ROWS = 100_000;

/** Observed renewals, and the remaining lifetime of the old certificates. Throws 400. */
export async function getAnalyticsRenewals(
  { organizationId }: Principal,
  query: Input<typeof contract.getAnalyticsRenewals>,
): Promise<Output<typeof contract.getAnalyticsRenewals>> {
  const { from, to } = rangeOf(query);
  const { rows } = await pool("report").query<Renewal>(
    `WITH seen AS (
       SELECT endpoint_id, certificate_id, min(first_seen_at) AS at FROM certificate_sightings
       WHERE organization_id = $1 GROUP BY endpoint_id, certificate_id
     ), steps AS (
       SELECT endpoint_id, certificate_id, at, lag(certificate_id) OVER (PARTITION BY endpoint_id ORDER BY at) AS old_certificate_id
       FROM seen
     )
     SELECT s.at, s.endpoint_id, e.host, e.port, s.old_certificate_id, s.certificate_id AS new_certificate_id,
       extract(epoch FROM old.not_after - s.at)::float / greatest(1, extract(epoch FROM old.not_after - old.not_before))::float AS share_left,
       extract(epoch FROM old.not_after - s.at)::float / 86400 AS days_left
     FROM steps s
     JOIN certificate_endpoints e ON e.organization_id = $1 AND e.id = s.endpoint_id
     JOIN certificates old ON old.organization_id = $1 AND old.id = s.old_certificate_id
     JOIN certificates new ON new.organization_id = $1 AND new.id = s.certificate_id
     WHERE s.at >= $2 AND s.at < $3 AND new.not_after > old.not_after
     ORDER BY s.at DESC LIMIT ${MAX_ROWS}`,
    [organizationId, new Date(from), new Date(to)],
  );
  const byDay = groupBy(rows, ({ at }) => Math.floor(at.getTime() / DAY_MS) * DAY_MS);
  const shares = rows.map(({ share_left }) => share_left);
  return {
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    renewals: rows.length,
    share_left: { p10: quantile(shares, 0.1), p50: quantile(shares, 0.5), p90: quantile(shares, 0.9) },
    after_expiry: shares.filter((left) => left < 0).length,
    series: days(from, to).map((start) => {
      const renewed = byDay.get(start) ?? [];
      const median = quantile(
        renewed.map(({ share_left }) => share_left),
        0.5,
      );
      return { start: new Date(start).toISOString(), renewals: renewed.length, median_share_left: median };
    }),
    latest: rows.slice(0, 20).map(({ at, endpoint_id, host, port, ...row }) => ({
      ...row,
      at: at.toISOString(),
      endpoint: { id: endpoint_id, host, port },
    })),
  };
}

/** The nearest-rank quantile; null without values. */
function quantile(values: readonly number[], at: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * at) - 1)] ?? null;
}
