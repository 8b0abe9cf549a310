import { expect, test } from "vitest";
import { readingText } from "@/components/charts/readout";
import { statusReading } from "@/components/charts/status-reading";
import { HOUR_MS } from "@/lib/time/units";

const from = Date.parse("2026-11-27T23:00:00Z");
const bar = (at: number, counts: object) => ({
  ...{ from: from + at * HOUR_MS, to: from + (at + 1) * HOUR_MS, requests: 0 },
  ...{ status_2xx: 0, status_3xx: 0, status_4xx: 0, status_5xx: 0 },
  ...counts,
});

test("the classes of a bar, with events that are not requests, add up to its entries", () => {
  const one = bar(1, { requests: 1_210, status_2xx: 1_200, status_5xx: 3 });
  expect(readingText(statusReading([one], "UTC"))).toBe(
    "28 Nov 2026, 00:00 – 01:00: 1,210 entries, 2xx 1,200, 5xx 3, no status 7",
  );
});

test("neighbouring bars are one range, which names both days", () => {
  const bars = [bar(0, { requests: 1, status_2xx: 1 }), bar(1, { requests: 1, status_4xx: 1 })];
  expect(statusReading(bars, "UTC")).toMatchObject({
    title: "27 Nov 2026, 23:00 – 28 Nov 2026, 01:00",
    total: "2 entries",
  });
});
