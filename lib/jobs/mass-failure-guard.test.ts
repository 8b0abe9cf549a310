import { expect, test } from "vitest";
import { type Failures, organizationsInMassFailure } from "@/lib/jobs/mass-failure-guard";

/** Organizations with these numbers of targets and failed targets. */
const held = (...failures: [seen: number, failed: number][]) => [
  ...organizationsInMassFailure(
    new Map(failures.map(([seen, failed], id): [string, Failures] => [`${id}`, { seen, failed }])),
  ),
];

test("a single organization is held back when more than a tenth of its targets fail", () => {
  expect(held([1000, 100])).toEqual([]);
  expect(held([1000, 101])).toEqual(["0"]);
});

test("a few failures are never a mass failure", () => {
  expect(held([19, 19])).toEqual([]);
  expect(held([20, 20])).toEqual(["0"]);
});

test("an organization whose targets all fail is not held back while others work, and never holds back others", () => {
  expect(held([100_000, 100_000], [50, 0])).toEqual([]);
  expect(held([100_000, 100_000], [50, 0], [3, 3])).toEqual([]);
  expect(held([100_000, 100_000], [100, 9])).toEqual([]);
  expect(held([100_000, 100_000], [5, 5], [1, 1])).toEqual(["0"]);
});

test("if more than half of the organizations fail, those that fail are held back", () => {
  expect(held([100, 50], [100, 50], [100, 0], [100, 0])).toEqual([]);
  expect(held([100, 50], [100, 50], [100, 50], [100, 0], [3, 3])).toEqual(["0", "1", "2"]);
});

test("many small organizations that fail together are held back, a few are not", () => {
  const small = (count: number, failed: number) => Array.from({ length: count }, (): [number, number] => [3, failed]);
  expect(held(...small(49, 3))).toEqual([]);
  expect(held(...small(50, 3), ...small(50, 0))).toEqual([]);
  expect(held(...small(50, 3), ...small(49, 0))).toHaveLength(50);
});
