import { expect, test } from "vitest";
import { emailAfter, lastWeek, nextEmailAt, weekBefore } from "@/lib/audit-views/week";

const at = (text: string) => Date.parse(`${text}Z`);
const iso = (time: number) => new Date(time).toISOString().slice(0, 16);

test.each([
  ["2026-11-23T00:00", "2026-11-16T00:00", "2026-11-23T06:00"],
  ["2026-11-23T05:59", "2026-11-16T00:00", "2026-11-23T06:00"],
  ["2026-11-23T06:00", "2026-11-16T00:00", "2026-11-30T06:00"],
  ["2026-11-29T23:59", "2026-11-16T00:00", "2026-11-30T06:00"],
  ["2027-01-01T12:00", "2026-12-21T00:00", "2027-01-04T06:00"],
  ["1970-01-01T00:00", "1969-12-22T00:00", "1970-01-05T06:00"],
])("at %s the last week began at %s, and the next e-mail is sent at %s", (now, from, next) => {
  const week = lastWeek(at(now));
  expect(iso(week.from)).toBe(from);
  expect(week.to - week.from).toBe(7 * 86_400_000);
  expect(weekBefore(week)).toEqual({ from: week.from - 7 * 86_400_000, to: week.from });
  expect(iso(nextEmailAt(at(now)))).toBe(next);
});

test.each(["2026-11-23T03:00", "2026-11-23T05:59:59", "2026-11-23T06:00", "2026-11-29T23:59:59"])(
  "after an e-mail that is sent at %s, the next is sent in the following week",
  (now) => expect(iso(emailAfter(lastWeek(at(now))))).toBe("2026-11-30T06:00"),
);
