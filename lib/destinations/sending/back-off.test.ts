import { expect, test } from "vitest";
import { backOffMs } from "@/lib/destinations/sending/back-off";

test("waits double up to ten minutes", () => {
  const waits = [1, 2, 3, 7, 8, 100, 10_000].map((failures) => backOffMs(failures, null, 0.5));
  expect(waits).toEqual([5_000, 10_000, 20_000, 320_000, 600_000, 600_000, 600_000]);
});

test("waits vary by a fifth, and never exceed ten minutes", () => {
  expect([backOffMs(1, null, 0), backOffMs(1, null, 1), backOffMs(50, null, 1)]).toEqual([4_000, 6_000, 600_000]);
});

test("a receiver can ask for more, not for less", () => {
  expect([backOffMs(1, 60_000, 0.5), backOffMs(8, 1_000, 0.5), backOffMs(8, 3_600_000, 0.5)]).toEqual([
    60_000, 600_000, 3_600_000,
  ]);
});
