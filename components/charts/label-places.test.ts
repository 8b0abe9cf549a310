import { expect, test } from "vitest";
import { labelPlaces } from "@/components/charts/label-places";

test("labels are evenly spaced from the first position, and none is beyond the end", () => {
  expect(labelPlaces(0)).toEqual([]);
  expect(labelPlaces(1)).toEqual([0]);
  expect(labelPlaces(25)).toEqual([0, 5, 10, 15, 20]);
  expect(labelPlaces(30)).toEqual([0, 5, 10, 15, 20, 25]);
  expect(labelPlaces(31)).toEqual([0, 6, 12, 18, 24]);
});
