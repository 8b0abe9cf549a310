/** Buckets grow by 2 %, so a percentile read from them is at most 1 % off. */
const GROWTH = Math.log(1.02);

/** The bucket of a response time in microseconds. Histograms of buckets add up. */
export function latencyBucket(microseconds: number): number {
  return microseconds <= 1 ? 0 : Math.ceil(Math.log(microseconds) / GROWTH);
}

/** The time in microseconds that stands for a bucket: within 1 % of everything in it. */
export function latencyOf(bucket: number): number {
  return bucket === 0 ? 1 : (2 * Math.exp(bucket * GROWTH)) / 2.02;
}
