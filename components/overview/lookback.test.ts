import { expect, test } from "vitest";
import { lookbackOf } from "@/components/overview/lookback";
import { DAY_MS } from "@/lib/time/units";

const now = Date.parse("2026-11-28T12:00:00Z");

test("the overview looks back to the previous visit", () => {
  const visit = new Date(now - 29 * DAY_MS);
  expect(lookbackOf(visit, now)).toEqual({ since: visit.getTime(), from: { visit } });
});

test("after a longer absence it names the 30 days that it covers, and on a first visit 7", () => {
  expect(lookbackOf(new Date(now - 31 * DAY_MS), now)).toEqual({ since: now - 30 * DAY_MS, from: { days: 30 } });
  expect(lookbackOf(null, now)).toEqual({ since: now - 7 * DAY_MS, from: { days: 7 } });
});
