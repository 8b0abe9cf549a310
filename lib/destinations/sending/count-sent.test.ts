import { expect, test } from "vitest";
import { countSent } from "@/lib/destinations/sending/count-sent";

const at = (hour: number) => new Date(hour * 3_600_000 + 1_234_567);

test("events are added to their hour, and hours before a day ago are dropped", () => {
  expect(countSent({}, 3, at(1_000))).toEqual({ "1000": 3 });
  expect(countSent({ "1000": 3, "976": 5, "975": 7 }, 2, at(1_000))).toEqual({ "1000": 5, "976": 5 });
  expect(countSent({ "1000": 3, "976": 5 }, 1, at(1_001))).toEqual({ "1001": 1, "1000": 3 });
});
