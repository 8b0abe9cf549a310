import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  callAt,
  isDueSinceAbsence,
  isWithin,
  movedDeadline,
  type State,
  secondsToNextCall,
  secondsToNextCheck,
  step,
  type Turn,
  wasUncallable,
  watchAt,
} from "@/lib/uptime/checks/state";

const NEW: State = { status: "pending", failures: 0, successes: 0 };

/** The state and transitions after a history of checks (`.` succeeded, `x` failed, `m` failed in maintenance). */
function play(history: string, failureThreshold: number, recoveryThreshold: number) {
  let state = NEW;
  const turns: Turn[] = [];
  for (const check of history) {
    const result = step(
      state,
      { ok: check === ".", maintenance: check === "m" },
      { failureThreshold, recoveryThreshold },
    );
    state = result.after;
    turns.push(result.turn);
  }
  return { status: state.status, turns: turns.map((turn) => (turn === null ? "-" : turn.charAt(0))).join("") };
}

describe("step", () => {
  test.each([
    [".", 2, 1, "up", "-"],
    ["x", 2, 1, "pending", "-"],
    ["xx", 2, 1, "down", "-o"],
    [".x.x.", 2, 1, "up", "-----"],
    [".xxx", 2, 1, "down", "--o-"],
    [".xx.", 2, 1, "up", "--oc"],
    [".xx.x..", 2, 2, "up", "--o---c"],
    ["x", 1, 1, "down", "o"],
    [".mmmm", 1, 1, "up", "-----"],
    [".xmx", 2, 1, "up", "----"],
    [".xmxx", 2, 1, "down", "----o"],
    [".xxm", 2, 1, "down", "--o-"],
    [".xx.m.", 2, 2, "down", "--o---"],
  ])("%s with thresholds %i and %i: %s, %s", (history, failures, recoveries, status, turns) => {
    expect(play(history, failures, recoveries)).toEqual({ status, turns });
  });

  test("incidents open and close alternately, and only after as many checks in a row as the threshold", () => {
    const history = fc.array(fc.constantFrom(".", "x", "m"), { maxLength: 60 });
    const threshold = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(history, threshold, threshold, (checks, failures, recoveries) => {
        const { turns, status } = play(checks.join(""), failures, recoveries);
        expect(turns.replaceAll("-", "")).toMatch(/^(oc)*o?$/);
        expect(status === "down").toBe(turns.replaceAll("-", "").endsWith("o"));
        for (const [at, turn] of [...turns].entries()) {
          const before = checks.slice(0, at + 1).join("");
          if (turn === "o") expect(before).toMatch(new RegExp(`x{${failures}}$`));
          if (turn === "c") expect(before).toMatch(new RegExp(`\\.{${recoveries}}$`));
        }
      }),
    );
  });
});

describe("isWithin", () => {
  const startsAt = new Date("2026-11-21T22:00:00Z");
  const endsAt = new Date("2026-11-22T02:00:00Z");
  const at = (text: string, repeat = "none") => isWithin({ startsAt, endsAt, repeat }, Date.parse(text));

  test("includes its start and excludes its end", () => {
    expect(at("2026-11-21T21:59:59.999Z")).toBe(false);
    expect(at("2026-11-21T22:00:00Z")).toBe(true);
    expect(at("2026-11-22T01:59:59.999Z")).toBe(true);
    expect(at("2026-11-22T02:00:00Z")).toBe(false);
  });

  test("repeats daily or weekly, across midnight too, and never before its start", () => {
    expect(at("2026-11-25T01:00:00Z")).toBe(false);
    expect(at("2026-11-25T01:00:00Z", "daily")).toBe(true);
    expect(at("2026-11-25T02:00:00Z", "daily")).toBe(false);
    expect(at("2026-11-25T01:00:00Z", "weekly")).toBe(false);
    expect(at("2026-11-29T01:00:00Z", "weekly")).toBe(true);
    expect(at("2026-11-20T23:00:00Z", "daily")).toBe(false);
  });
});

describe("secondsToNextCheck", () => {
  const seconds = (state: Partial<State>, interval: number, random = 0.5) =>
    secondsToNextCheck({ ...NEW, ...state }, interval, random);

  test("schedules the next check after the interval, give or take 5%", () => {
    expect(seconds({ status: "up", successes: 4 }, 60)).toBe(60);
    expect(seconds({ status: "up" }, 60, 0)).toBeCloseTo(57);
    expect(seconds({ status: "up" }, 60, 1)).toBeCloseTo(63);
    expect(seconds({ status: "down", failures: 9 }, 60)).toBe(60);
  });

  test("a failure in maintenance leaves nothing undecided", () => {
    const failing: State = { status: "up", failures: 1, successes: 0 };
    const thresholds = { failureThreshold: 2, recoveryThreshold: 1 };
    const { after } = step(failing, { ok: false, maintenance: true }, thresholds);
    expect(seconds(after, 60)).toBe(60);
  });

  test("schedules sooner while the state is undecided", () => {
    expect(seconds({ status: "up", failures: 1 }, 60)).toBe(6);
    expect(seconds({ status: "pending", failures: 1 }, 3600)).toBe(360);
    expect(seconds({ status: "down", successes: 1 }, 30)).toBe(5);
  });
});

test("a heartbeat is late after its period and grace, then after each period, and maintenance excuses a missed call", () => {
  const settings = { interval_seconds: 3600, grace_seconds: 300 };
  expect(secondsToNextCall({ ok: true, maintenance: false }, settings)).toBe(3900);
  expect(secondsToNextCall({ ok: false, maintenance: false }, settings)).toBe(3600);
  expect(secondsToNextCall({ ok: false, maintenance: true }, settings)).toBe(3900);
});

test("only a heartbeat that has been due for more than a minute became due while Sealwatch was away", () => {
  expect(isDueSinceAbsence({ type: "heartbeat", overdueSeconds: 60 }, 0)).toBe(false);
  expect(isDueSinceAbsence({ type: "heartbeat", overdueSeconds: 61 }, 0)).toBe(true);
  expect(isDueSinceAbsence({ type: "http", overdueSeconds: 3600 }, 0)).toBe(false);
});

test("a heartbeat that waited behind others while a worker leased monitors was late, unless it was due long before", () => {
  const busy = [0, 30, 60, 110, 170].reduce((watch, at) => watchAt(watch, at * 1000), watchAt(null, 0));
  expect(busy).toEqual({ since: 0, last: 170_000 });
  expect(isDueSinceAbsence({ type: "heartbeat", overdueSeconds: 165 }, 170)).toBe(false);
  expect(isDueSinceAbsence({ type: "heartbeat", overdueSeconds: 231 }, 170)).toBe(true);
});

test("a heartbeat that could not be called from shortly before its period ended until its deadline was not late", () => {
  const daily = { type: "heartbeat", intervalSeconds: 86_400, graceSeconds: 3_600, wasFoundLate: false };
  expect(wasUncallable({ ...daily, callableSeconds: null })).toBe(true);
  expect(wasUncallable({ ...daily, callableSeconds: -60 })).toBe(true);
  expect(wasUncallable({ ...daily, callableSeconds: 3_899 })).toBe(true);
  expect(wasUncallable({ ...daily, callableSeconds: 3_900 })).toBe(false);
  expect(wasUncallable({ ...daily, callableSeconds: null, wasFoundLate: true })).toBe(false);
  expect(wasUncallable({ ...daily, callableSeconds: null, type: "http" })).toBe(false);
  // Created when web processes had just begun: the first period counts.
  expect(wasUncallable({ ...daily, intervalSeconds: 60, graceSeconds: 0, callableSeconds: 60 })).toBe(false);
});

test("a pause, also of the machine, or another clock begins the watch again", () => {
  const watch = { since: 0, last: 100_000 };
  expect(watchAt(watch, 160_000)).toEqual({ since: 0, last: 160_000 });
  expect(watchAt(watch, 160_001)).toEqual({ since: 160_001, last: 160_001 });
  expect(watchAt(watch, 10_000)).toEqual({ since: 10_000, last: 10_000 });
});

test("a call is recorded after the previous check, whatever the clocks say", () => {
  const now = new Date("2026-11-21T12:00:00.000Z");
  expect(callAt(now, null)).toEqual(now);
  expect(callAt(now, new Date("2026-11-21T11:59:59.000Z"))).toEqual(now);
  expect(callAt(now, now).toISOString()).toBe("2026-11-21T12:00:00.001Z");
  expect(callAt(now, new Date("2026-11-21T12:05:00.000Z")).toISOString()).toBe("2026-11-21T12:05:00.001Z");
});

test("the deadline of a heartbeat moves only by the change of its period and grace, and not into the past", () => {
  const before = { nextCheckAt: new Date("2026-11-21T12:00:00Z"), intervalSeconds: 3600, graceSeconds: 300 };
  const moved = (interval_seconds: number, grace_seconds: number, now: string) =>
    movedDeadline(before, { interval_seconds, grace_seconds }, new Date(`2026-11-21T${now}Z`)).toISOString();
  expect(moved(3600, 300, "11:30:00")).toBe("2026-11-21T12:00:00.000Z");
  expect(moved(7200, 300, "11:30:00")).toBe("2026-11-21T13:00:00.000Z");
  expect(moved(3600, 0, "11:30:00")).toBe("2026-11-21T11:55:00.000Z");
  expect(moved(60, 0, "11:30:00")).toBe("2026-11-21T11:30:00.000Z");
  expect(moved(3600, 300, "12:30:00")).toBe("2026-11-21T12:00:00.000Z");
});
