import { expect, test } from "vitest";
import { niceCeiling } from "@/components/charts/nice-ceiling";

test.each([
  [1, 2],
  [3, 3],
  [4.2, 5],
  [41, 50],
  [61, 80],
  [201, 300],
  [900, 1000],
])("the scale for %d ends at %d", (value, end) => {
  expect(niceCeiling(value)).toBe(end);
});
