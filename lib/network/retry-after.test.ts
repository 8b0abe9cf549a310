import { expect, test } from "vitest";
import { retryAfterMs } from "@/lib/network/retry-after";

const NOW = Date.parse("2026-11-28T12:00:00Z");

test.each([
  [undefined, null],
  ["", null],
  ["soon", null],
  ["9".repeat(400), null],
  ["0", 0],
  [" 120 ", 120_000],
  ["Sat, 28 Nov 2026 12:01:00 GMT", 60_000],
  ["Sat, 28 Nov 2026 11:59:00 GMT", -60_000],
])("Retry-After: %s", (header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms);
});
