import { expect, test } from "vitest";
import { percent } from "@/lib/text/percent";

test.each([
  [0, 0, "0%"],
  [0, 10, "0%"],
  [7, 24, "29.2%"],
  [1, 2, "50.0%"],
  [1, 1_000, "0.1%"],
  [1, 1_001, "< 0.1%"],
  [9_999, 10_000, "> 99.9%"],
  [3, 3, "100%"],
])("%i of %i", (count, total, text) => {
  expect(percent(count, total)).toBe(text);
});
