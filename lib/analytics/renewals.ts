import type * as contract from "@/lib/analytics/contract";
import { days, rangeOf } from "@/lib/analytics/range";
import { seenRenewals } from "@/lib/certificates/seen-renewals";
import { pool } from "@/lib/db/app";
import type { Input, Output } from "@/lib/http/endpoint";
import type { Principal } from "@/lib/http/principal";

/** Renewals of a UTC day, or of the whole range (`start` is null), with the shares of `QUANTILES`, null without renewals. */
interface Counted {
  start: string | null;
  renewals: number;
  after_expiry: number;
  shares: (number | null)[] | null;
}

interface Renewal {
  at: string;
  endpoint_id: string;
  host: string;
  port: number;
  old_certificate_id: string;
  new_certificate_id: string;
  share_left: number;
  days_left: number;
}

const QUANTILES = [0.1, 0.5, 0.9];

/** Of organization $1 from $2 to $3. Renewals are read once, for both. */
const READ = `WITH renewals AS MATERIALIZED (
    SELECT * FROM (${seenRenewals("$1")}) AS all_renewals WHERE at >= $2 AND at < $3
  )
  SELECT (
      SELECT jsonb_agg(counted) FROM (
        SELECT date_trunc('day', at, 'UTC') AS start, count(*) AS renewals, count(*) FILTER (WHERE share_left < 0) AS after_expiry,
          percentile_disc('{${QUANTILES}}'::float8[]) WITHIN GROUP (ORDER BY share_left) AS shares
        FROM renewals GROUP BY GROUPING SETS ((), (date_trunc('day', at, 'UTC')))
      ) AS counted
    ) AS counted, (
      SELECT coalesce(jsonb_agg(latest), '[]') FROM (
        SELECT r.*, e.host, e.port FROM (
          SELECT * FROM renewals ORDER BY at DESC, endpoint_id, new_certificate_id LIMIT 20
        ) AS r
        JOIN certificate_endpoints e ON e.organization_id = $1 AND e.id = r.endpoint_id
        ORDER BY r.at DESC, r.endpoint_id, r.new_certificate_id
      ) AS latest
    ) AS latest`;

/** Observed renewals, and the remaining lifetime of the old certificates. Throws 400. */
export async function getAnalyticsRenewals(
  { organizationId }: Principal,
  query: Input<typeof contract.getAnalyticsRenewals>,
): Promise<Output<typeof contract.getAnalyticsRenewals>> {
  const { from, to } = rangeOf(query);
  const { rows } = await pool("report").query<{ counted: Counted[]; latest: Renewal[] }>(READ, [
    organizationId,
    new Date(from),
    new Date(to),
  ]);
  const { counted = [], latest = [] } = rows[0] ?? {};
  const byStart = new Map(counted.map((each) => [each.start === null ? null : Date.parse(each.start), each]));
  const all = byStart.get(null);
  const [p10 = null, p50 = null, p90 = null] = all?.shares ?? [];
  return {
    since: new Date(from).toISOString(),
    until: new Date(to).toISOString(),
    renewals: all?.renewals ?? 0,
    share_left: { p10, p50, p90 },
    after_expiry: all?.after_expiry ?? 0,
    series: days(from, to).map((start) => {
      const day = byStart.get(start);
      return {
        start: new Date(start).toISOString(),
        renewals: day?.renewals ?? 0,
        median_share_left: day?.shares?.[1] ?? null,
      };
    }),
    latest: latest.map(({ at, endpoint_id, host, port, ...row }) => ({
      ...row,
      at: new Date(at).toISOString(),
      endpoint: { id: endpoint_id, host, port },
    })),
  };
}
