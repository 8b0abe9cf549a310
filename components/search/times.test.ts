import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTimes } from "@/components/search/times";

/** A Sunday; Berlin changed from summer time on 25 October. */
const NOW = Date.parse("2026-11-22T12:30:00Z");
const iso = (time: number | null) => (time === null ? null : `${new Date(time).toISOString().slice(0, 16)}Z`);
const parse = (text: string, zone = "Europe/Berlin") => {
  const found = parseTimes(text, NOW, zone);
  return found && [iso(found.since), iso(found.until)];
};

test.each([
  ["yesterday 14:00–16:00", "2026-11-21T13:00Z", "2026-11-21T15:00Z"],
  ["yesterday 14:00 - 16:30", "2026-11-21T13:00Z", "2026-11-21T15:30Z"],
  ["Yesterday from 2pm to 4pm", "2026-11-21T13:00Z", "2026-11-21T15:00Z"],
  ["yesterday 22:00–02:00", "2026-11-21T21:00Z", "2026-11-22T01:00Z"],
  ["yesterday 14:00", "2026-11-21T13:00Z", "2026-11-21T14:00Z"],
  ["yesterday 14:05", "2026-11-21T13:05Z", "2026-11-21T13:06Z"],
  ["yesterday", "2026-11-20T23:00Z", "2026-11-21T23:00Z"],
  ["today", "2026-11-21T23:00Z", "2026-11-22T23:00Z"],
  ["2026-11-20", "2026-11-19T23:00Z", "2026-11-20T23:00Z"],
  ["2026-11-20 09:30-10:00", "2026-11-20T08:30Z", "2026-11-20T09:00Z"],
  ["2026-11-20t09:30", "2026-11-20T08:30Z", "2026-11-20T08:31Z"],
  ["2026-11-18 – 2026-11-20", "2026-11-17T23:00Z", "2026-11-20T23:00Z"],
  ["2026-11-18..2026-11-20", "2026-11-17T23:00Z", "2026-11-20T23:00Z"],
  ["2026-11-18 09:00 – 2026-11-19 10:30", "2026-11-18T08:00Z", "2026-11-19T09:30Z"],
  ["2026-11-18t09:00..2026-11-19", "2026-11-18T08:00Z", "2026-11-19T23:00Z"],
  ["16 nov 00:00-20 nov 6:00", "2026-11-15T23:00Z", "2026-11-20T05:00Z"],
  ["from yesterday 10pm to today 6am", "2026-11-21T21:00Z", "2026-11-22T05:00Z"],
  ["20 Nov", "2026-11-19T23:00Z", "2026-11-20T23:00Z"],
  ["Nov 20, 2025 8:00", "2025-11-20T07:00Z", "2025-11-20T08:00Z"],
  ["20.11.2026", "2026-11-19T23:00Z", "2026-11-20T23:00Z"],
  ["24 dec", "2025-12-23T23:00Z", "2025-12-24T23:00Z"],
  ["friday", "2026-11-19T23:00Z", "2026-11-20T23:00Z"],
  ["last sunday", "2026-11-14T23:00Z", "2026-11-15T23:00Z"],
  ["9:00–10:00", "2026-11-22T08:00Z", "2026-11-22T09:00Z"],
  ["23:00–23:30", "2026-11-21T22:00Z", "2026-11-21T22:30Z"],
  ["25 oct 2026", "2026-10-24T22:00Z", "2026-10-25T23:00Z"],
])("%s", (text, since, until) => {
  expect(parse(text)).toEqual([since, until]);
});

test("a range without an end", () => {
  expect(parse("since yesterday 14:00")).toEqual(["2026-11-21T13:00Z", null]);
  expect(parse("last 2 hours")).toEqual(["2026-11-22T10:30Z", null]);
  expect(parse("90m")).toEqual(["2026-11-22T11:00Z", null]);
});

test("a usual range is recognized as one, so that it moves on with the time", () => {
  expect(parseTimes("last hour", NOW, "UTC")?.range).toBe("1h");
  expect(parseTimes("past 7 days", NOW, "UTC")?.range).toBe("7d");
  expect(parseTimes("last 2 hours", NOW, "UTC")?.range).toBeNull();
});

test("times are those of the reader's zone", () => {
  expect(parse("yesterday 14:00–16:00", "UTC")).toEqual(["2026-11-21T14:00Z", "2026-11-21T16:00Z"]);
  expect(parse("yesterday 14:00–16:00", "Asia/Kolkata")).toEqual(["2026-11-21T08:30Z", "2026-11-21T10:30Z"]);
  // It is already Monday there.
  expect(parse("yesterday", "Pacific/Kiritimati")).toEqual(["2026-11-21T10:00Z", "2026-11-22T10:00Z"]);
});

test.each([
  "",
  "m",
  "hours",
  "14",
  "404",
  "14-16",
  "2026-13-01",
  "30 feb",
  "25:00",
  "14:60",
  "0pm",
  "ci-deploy",
  "status",
  "may",
  "1.2.3.4",
])("%j is not a time", (text) => {
  expect(parse(text)).toBeNull();
});

test("any text gives a range that begins before it ends, or nothing, quickly", () => {
  const part = fc.constantFrom(
    "yesterday",
    "last",
    "2",
    "hours",
    "14:00",
    "–",
    "to",
    "nov",
    "20",
    "2026-11-20",
    ",",
    "t",
    "since",
    "pm",
    " ",
  );
  const text = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.array(part, { maxLength: 40 }).map((parts) => parts.join(" ")),
  );
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe");
  fc.assert(
    fc.property(text, zone, (typed, zone) => {
      const found = parseTimes(typed, NOW, zone);
      if (found !== null && found.until !== null) expect(found.since).toBeLessThan(found.until);
    }),
    { numRuns: 500 },
  );
});
