import fc from "fast-check";
import { expect, test } from "vitest";
import {
  readDirectory,
  readRenewalAnswer,
  waitAfter,
  waitAfterFailures,
} from "@/lib/certificates/renewal-info/renewal-answer";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const NOW = new Date("2026-11-23T12:00:00Z");
const read = (value: unknown) => readRenewalAnswer(Buffer.from(JSON.stringify(value)));

test("the window with its explanation", () => {
  const suggestedWindow = { start: "2027-01-02T04:00:00Z", end: "2027-01-03T06:00:00+02:00", more: 1 };
  expect(read({ suggestedWindow, explanationURL: "https://ca.example/why", other: [] })).toEqual({
    window: { start: new Date("2027-01-02T04:00:00Z"), end: new Date("2027-01-03T04:00:00Z") },
    explanationUrl: "https://ca.example/why",
  });
  for (const explanationURL of [
    undefined,
    7,
    "",
    "why",
    "javascript:alert(1)",
    `https://ca.example/${"a".repeat(600)}`,
  ])
    expect(read({ suggestedWindow, explanationURL }).explanationUrl).toBeNull();
});

test.each([
  ["no window", {}],
  ["no times", { suggestedWindow: { start: 1, end: 2 } }],
  ["an end before the start", { suggestedWindow: { start: "2027-01-02T04:00:00Z", end: "2027-01-01T04:00:00Z" } }],
  ["a day without time", { suggestedWindow: { start: "2027-01-02", end: "2027-01-03" } }],
  [
    "times that cannot be stored",
    { suggestedWindow: { start: "0000-01-02T04:00:00Z", end: "9999-12-31T23:59:59-12:00" } },
  ],
])("malformed: %s", (_, value) => {
  expect(() => read(value)).toThrow();
});

test("malformed: no JSON", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(() => readRenewalAnswer(Buffer.from(bytes))).toThrow();
    }),
    { numRuns: 200 },
  );
});

test("a directory with and without renewal information", () => {
  const body = (value: unknown) => Buffer.from(JSON.stringify(value));
  expect(readDirectory(body({ newNonce: "x", renewalInfo: "https://ca.example/ari" }))).toBe("https://ca.example/ari");
  expect(readDirectory(body({ newNonce: "x" }))).toBeNull();
  expect(() => readDirectory(body({ renewalInfo: 7 }))).toThrow();
  expect(() => readDirectory(Buffer.from("<html>"))).toThrow();
});

test.each([
  ["21600", 6 * HOUR_MS],
  ["1", MINUTE_MS],
  ["0", MINUTE_MS],
  ["999999999", 24 * HOUR_MS],
  ["Mon, 23 Nov 2026 14:00:00 GMT", 2 * HOUR_MS],
  ["Mon, 23 Nov 2020 14:00:00 GMT", MINUTE_MS],
  ["soon", 6 * HOUR_MS],
  ["-5", MINUTE_MS],
  ["", 6 * HOUR_MS],
  [undefined, 6 * HOUR_MS],
])("Retry-After: %s", (header, ms) => {
  // Date.parse reads "-5" as a year, which is in the past.
  expect(waitAfter(header, NOW)).toBe(ms);
});

test("waits longer after each failure, up to six hours", () => {
  expect([1, 2, 3, 9, 10, 5_000].map(waitAfterFailures)).toEqual(
    [1, 2, 4, 256, 360, 360].map((minutes) => minutes * MINUTE_MS),
  );
});
