import { expect, test } from "vitest";
import { RecentFailures } from "@/lib/certificates/record/recent-failures";

const START = Date.UTC(2026, 0, 1);
const at = (minutes: number) => new Date(START + minutes * 60_000);

const acme = { organizationId: "acme", creator: null };

/** Checks `count` endpoints, the first `failed` of which have become unreachable. */
function check(failures: RecentFailures, minutes: number, count: number, failed: number): void {
  for (let n = 0; n < count; n++) failures.note(acme, `endpoint ${n}`, at(minutes), n < failed);
}

/** Whether failures that began at one minute are held back at another. */
function holds(failures: RecentFailures, since: number, now: number): boolean {
  failures.update(at(now));
  return failures.holds("acme", at(since), at(now));
}

test("holds back failures of more than a tenth of the endpoints, until they recover", () => {
  const failures = new RecentFailures();
  check(failures, 0, 1000, 100);
  expect(holds(failures, 0, 0)).toBe(false);
  check(failures, 1, 1000, 101);
  expect(holds(failures, 1, 1)).toBe(true);
  check(failures, 2, 1000, 30);
  expect(holds(failures, 1, 2)).toBe(false);
});

test("an endpoint counts once, with its last result, for five minutes", () => {
  const failures = new RecentFailures();
  for (let minute = 0; minute < 4; minute++) check(failures, minute, 19, 19);
  expect(holds(failures, 0, 4)).toBe(false);
  check(failures, 4, 50, 50);
  expect(holds(failures, 4, 8)).toBe(true);
  expect(holds(failures, 4, 10)).toBe(false);
});

test("another organization's endpoints do not count", () => {
  const failures = new RecentFailures();
  check(failures, 0, 50, 0);
  for (let n = 0; n < 10_000; n++)
    failures.note({ organizationId: "hostile", creator: null }, `target ${n}`, at(0), true);
  failures.note(acme, "endpoint 0", at(0), true);
  expect(holds(failures, 0, 0)).toBe(false);
});

test("holds failures back for at most half an hour", () => {
  const failures = new RecentFailures();
  for (const minute of [0, 29, 30]) {
    check(failures, minute, 50, 50);
    expect(holds(failures, 0, minute)).toBe(minute < 30);
  }
});
