/** Each bucket is 2% wider than the last, so a percentile is at most 1% off. Histograms of buckets can be added. */
const GROWTH = Math.log(1.02);

/** The bucket of a response time, as text, computed by PostgreSQL from a column of microseconds. */
export function latencyBucketSql(column: string): string {
  return `(CASE WHEN ${column} <= 1 THEN 0 ELSE ceil(ln(${column}::double precision) / ${GROWTH}) END)::integer::text`;
}

/** The time in microseconds that represents a bucket: within 1% of every time in it. */
export function latencyOf(bucket: number): number {
  return bucket === 0 ? 1 : (2 * Math.exp(bucket * GROWTH)) / 2.02;
}

/** Nearest-rank percentile of a histogram in microseconds, `share` from 0 to 1; null without events. Buckets in ascending order. */
export function percentileOf(histogram: readonly { bucket: number; events: number }[], share: number): number | null {
  const all = histogram.reduce((before, { events }) => before + events, 0);
  let before = 0;
  for (const { bucket, events } of histogram) {
    before += events;
    if (before >= Math.ceil(all * share)) return latencyOf(bucket);
  }
  return null;
}
