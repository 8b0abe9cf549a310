import { expect, test } from "vitest";
import { labelPositions } from "@/components/charts/label-positions";

test("labels are evenly spaced from the first position, and none is beyond the end", () => {
  expect(labelPositions(0)).toEqual([]);
  expect(labelPositions(1)).toEqual([0]);
  expect(labelPositions(25)).toEqual([0, 5, 10, 15, 20]);
  expect(labelPositions(30)).toEqual([0, 5, 10, 15, 20, 25]);
  expect(labelPositions(31)).toEqual([0, 6, 12, 18, 24]);
});
