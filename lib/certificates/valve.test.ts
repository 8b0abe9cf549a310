import { expect, test } from "vitest";
import { Valve } from "@/lib/certificates/valve";

const START = Date.UTC(2026, 0, 1);
const at = (minutes: number) => new Date(START + minutes * 60_000);

/** Checks `count` endpoints, of which every one up to `turned` has turned unreachable. */
function check(valve: Valve, minutes: number, count: number, turned: number): void {
  for (let n = 0; n < count; n++) valve.note(`endpoint ${n}`, at(minutes), n < turned);
}

test("holds back what happens to more than a tenth at once, and lets go when they are back", () => {
  const valve = new Valve();
  check(valve, 0, 1000, 100);
  expect(valve.holds(at(0), at(0))).toBe(false);
  check(valve, 1, 1000, 101);
  expect(valve.holds(at(1), at(1))).toBe(true);
  check(valve, 2, 1000, 30);
  expect(valve.holds(at(1), at(2))).toBe(false);
});

test("a few are never many", () => {
  const valve = new Valve();
  check(valve, 0, 19, 19);
  expect(valve.holds(at(0), at(0))).toBe(false);
  check(valve, 0, 20, 20);
  expect(valve.holds(at(0), at(0))).toBe(true);
});

test("an endpoint counts once, with what was seen last, and for five minutes", () => {
  const valve = new Valve();
  for (let minute = 0; minute < 4; minute++) check(valve, minute, 19, 19);
  expect(valve.holds(at(0), at(4))).toBe(false);
  check(valve, 4, 50, 50);
  expect(valve.holds(at(4), at(8))).toBe(true);
  expect(valve.holds(at(4), at(10))).toBe(false);
});

test("what lasts for half an hour is told", () => {
  const valve = new Valve();
  for (const minute of [0, 29, 30]) {
    check(valve, minute, 50, 50);
    expect(valve.holds(at(0), at(minute))).toBe(minute < 30);
  }
});
