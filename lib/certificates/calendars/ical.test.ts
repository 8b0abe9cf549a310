import fc from "fast-check";
import { expect, test } from "vitest";
import { toIcal } from "@/lib/certificates/calendars/ical";

const at = new Date("2027-01-02T03:04:05.678Z");
const NOW = new Date("2026-11-21T00:00:00.000Z");

test("events follow the format", () => {
  const text = toIcal("Ours; all", [{ uid: "1@x", at, summary: "a,b", description: "one\ntwo\\" }], NOW);
  expect(text.split("\r\n")).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sealwatch//Certificate expiries//EN",
    "X-WR-CALNAME:Ours\\; all",
    "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
    "BEGIN:VEVENT",
    "UID:1@x",
    "DTSTAMP:20261121T000000Z",
    "DTSTART:20270102T030405Z",
    "SUMMARY:a\\,b",
    "DESCRIPTION:one\\ntwo\\\\",
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("no line is longer than 75 octets, and no text breaks out of its line", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", ";", "é", "€", "😀", "\n", "\r", "\u0007"), maxLength: 200 }),
      (name) => {
        const lines = toIcal(name, [], NOW).split("\r\n");
        expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
        const unfolded = lines.join("\r\n").replaceAll("\r\n ", "").split("\r\n");
        expect(unfolded).toHaveLength(7);
      },
    ),
  );
});
