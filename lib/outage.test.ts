import { expect, test } from "vitest";
import { Outage } from "@/lib/outage";

const MINUTE = 60_000;

test("an outage is logged when it begins, once a minute with its counts, and when it ends", () => {
  const outage = new Outage();
  expect(outage.worked(0)).toBeNull();
  expect(outage.failed(1_000)).toEqual({ state: "begins", seconds: 0, failures: 1, counts: {} });
  const reports = [];
  for (let now = 1_010; now <= 1_000 + 2.5 * MINUTE; now += 10) {
    reports.push(outage.failed(now) ?? outage.count("a request failed", now));
  }
  const lasts = reports.filter((report) => report !== null);
  expect(lasts.map(({ state, seconds }) => [state, seconds])).toEqual([
    ["lasts", 60],
    ["lasts", 120],
  ]);
  expect(lasts[0]?.failures).toBe(6_001);
  expect(lasts[0]?.counts["a request failed"]).toBe(5_999);
  const end = outage.worked(1_000 + 3 * MINUTE);
  expect(end).toMatchObject({ state: "ends", seconds: 180, failures: 15_001 });
  expect(outage.worked(1_000 + 3 * MINUTE)).toBeNull();
  expect(outage.failed(1_000 + 4 * MINUTE)).toEqual({ state: "begins", seconds: 0, failures: 1, counts: {} });
});

test("an outage continues while the dependency alternates between success and failure", () => {
  const outage = new Outage();
  outage.failed(0);
  for (let now = 100; now < 10_000; now += 200) {
    expect(outage.worked(now)).toBeNull();
    expect(outage.failed(now + 100)).toBeNull();
  }
  outage.worked(10_100);
  expect(outage.settle(10_399)).toBeNull();
  expect(outage.settle(10_500)).toMatchObject({ state: "ends" });
});
