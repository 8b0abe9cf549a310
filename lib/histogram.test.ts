import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { latencyBucketSql, latencyOf } from "@/lib/histogram";

const SQL = latencyBucketSql("t");
/** The constant as it appears in the SQL, and the formula that PostgreSQL evaluates. */
const growth = Number(/\/ ([\d.]+)\)/.exec(SQL)?.[1]);
const bucketOf = (microseconds: number) => (microseconds <= 1 ? 0 : Math.ceil(Math.log(microseconds) / growth));

const HOUR_US = 3_600_000_000;
/** From 1 µs to one hour, each order of magnitude equally likely. */
const time = fc.double({ min: 0, max: Math.log(HOUR_US), noNaN: true }).map((x) => Math.round(Math.exp(x)));

describe("latency buckets", () => {
  test("are computed in SQL with the formula of this test", () => {
    expect(SQL).toBe(`(CASE WHEN t <= 1 THEN 0 ELSE ceil(ln(t::double precision) / ${growth}) END)::integer::text`);
    expect(growth).toBeGreaterThan(0);
  });

  test("represent their times within 1%, from 1 µs to 1 h", () => {
    fc.assert(
      fc.property(time, (microseconds) => {
        const error = Math.abs(latencyOf(bucketOf(microseconds)) - microseconds) / microseconds;
        expect(error).toBeLessThanOrEqual(0.01);
      }),
      { numRuns: 2000 },
    );
  });

  test("are ordered like their times", () => {
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(bucketOf(less)).toBeLessThanOrEqual(bucketOf(more));
        expect(latencyOf(bucketOf(less))).toBeLessThanOrEqual(latencyOf(bucketOf(more)));
      }),
    );
  });

  test("number fewer than 1200", () => {
    expect(bucketOf(HOUR_US)).toBeLessThan(1200);
  });
});
