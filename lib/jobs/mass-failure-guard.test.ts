import { expect, test } from "vitest";
import { type OrganizationFailures, organizationsInMassFailure } from "@/lib/jobs/mass-failure-guard";

/** The held ones among organizations with these numbers of targets and failed targets, and perhaps a creator. */
const held = (...failures: [seen: number, failed: number, creator?: string][]) => [
  ...organizationsInMassFailure(
    new Map(
      failures.map(([seen, failed, creator = null], id): [string, OrganizationFailures] => [
        `${id}`,
        { seen, failed, creator },
      ]),
    ),
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

test("the organizations of one person count once", () => {
  const many = (count: number, targets: number) =>
    Array.from({ length: count }, (): [number, number, string] => [targets, targets, "mallory"]);
  expect(held(...many(20, 20), [20, 20], [20, 0], [20, 0])).toEqual([]);
  expect(held(...many(100, 3), [3, 3], [3, 0])).toEqual([]);
});

test("among the small organizations of one person, only those that fail are held back", () => {
  const small = Array.from({ length: 50 }, (_, n): [number, number, string] => [3, 3, `person ${n}`]);
  expect(held(...small, [3, 0, "person 0"])).toHaveLength(50);
});
