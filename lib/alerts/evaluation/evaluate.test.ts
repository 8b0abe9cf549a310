import { describe, expect, test } from "vitest";
import { acknowledge, resolveByHand, snooze } from "@/lib/alerts/acts";
import { columnsOf } from "@/lib/alerts/alert-row";
import type { AlertState, Fact } from "@/lib/alerts/alert-state";
import { type Change, evaluate } from "@/lib/alerts/evaluation/evaluate";
import type { EvaluatedRule } from "@/lib/alerts/rules/alert-rule";
import { quietHours, type Step, step } from "@/lib/alerts/rules/conditions";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const start = Date.parse("2026-11-21T12:00:00Z");

const steps = (...given: Partial<Step>[]): Step[] => given.map((each) => step.parse(each));
const rule = (given: Partial<EvaluatedRule> = {}): EvaluatedRule => ({
  enabled: true,
  steps: steps({ severity: "warning" }),
  isOfEvents: false,
  resolveAfterMinutes: 0,
  repeatMinutes: null,
  sendResolved: true,
  quietHours: null,
  ...given,
});
const fact = (given: Partial<Fact> = {}): Fact => ({
  subject: { type: "endpoint", id: "e", name: "shop.example.com:443" },
  certificateId: "c",
  causes: ["untrusted_root"],
  severity: "warning",
  since: start,
  detail: "untrusted root",
  validity: null,
  isReachability: false,
  ...given,
});

/** A rule's alerts over time: each evaluation starts from the result of the previous one. */
function history(of: EvaluatedRule) {
  let alerts: AlertState[] = [];
  let ids = 0;
  return {
    rule: of,
    get only(): AlertState {
      const [alert, ...others] = alerts;
      if (alert === undefined || others.length > 0) throw new Error(`${alerts.length} alerts`);
      return alert;
    },
    get count(): number {
      return alerts.length;
    },
    act(change: (alert: AlertState) => AlertState) {
      alerts = alerts.map(change);
    },
    at(now: number, facts: Fact[], isMassFailure = false, unjudged = new Set<string>()): Change[] {
      const newId = () => String(ids++);
      const changes = evaluate(this.rule, facts, alerts, { now, isMassFailure, unjudged, newId });
      const changed = new Map(changes.map(({ alert }) => [alert.id, alert]));
      alerts = [
        ...alerts.map((alert) => changed.get(alert.id) ?? alert),
        ...changes.filter(({ isNew }) => isNew).map(({ alert }) => alert),
      ];
      return changes;
    },
    /** The notifications at `now`. */
    notified(now: number, facts: Fact[], isMassFailure = false) {
      return this.at(now, facts, isMassFailure).flatMap(({ reason }) => reason ?? []);
    },
  };
}

describe("one alert per subject and certificate", () => {
  test("opens once, notifies once, and resolves when the cause ends", () => {
    const all = history(rule());
    expect(all.notified(start, [fact()])).toEqual(["opened"]);
    expect(all.at(start + MINUTE, [fact()])).toEqual([]);
    expect(all.notified(start + 2 * MINUTE, [])).toEqual(["resolved"]);
    expect(all.only).toMatchObject({ resolvedBy: "cause", resolvedAt: start + 2 * MINUTE, told: null });
    expect(all.at(start + 3 * MINUTE, [])).toEqual([]);
  });

  test("stays as it is while its subject cannot be judged, unless the rule is disabled", () => {
    const all = history(rule({ resolveAfterMinutes: 2, repeatMinutes: 30 }));
    const unjudged = new Set(["e"]);
    all.at(start, [fact()]);
    expect(all.at(start + MINUTE, [], false, unjudged)).toEqual([]);
    expect(all.notified(start + 2 * MINUTE, [])).toEqual([]);
    // Absent for a minute, and then unjudged for an hour.
    expect(all.at(start + HOUR, [], false, unjudged)).toEqual([]);
    expect(all.only).toMatchObject({ resolvedAt: null, absentSince: start + 2 * MINUTE });
    expect(all.at(start + HOUR, [], false, new Set(["f"]))).toMatchObject([{ reason: "resolved" }]);
    all.at(start + 3 * HOUR, [fact()]);
    all.rule = { ...all.rule, enabled: false };
    expect(all.at(start + 4 * HOUR, [], false, unjudged)).toMatchObject([{ alert: { resolvedBy: "rule" } }]);
  });

  test("another certificate or another subject has its own alert", () => {
    const all = history(rule());
    const other = { type: "endpoint", id: "f", name: "other" } as const;
    expect(all.notified(start, [fact(), fact({ certificateId: "d" }), fact({ subject: other })])).toHaveLength(3);
    expect(all.notified(start + MINUTE, [fact({ certificateId: "d" }), fact({ subject: other })])).toEqual([
      "resolved",
    ]);
    expect(all.count).toBe(3);
  });

  test("stays open for the rule's resolve delay, and a returning cause changes nothing", () => {
    const all = history(rule({ resolveAfterMinutes: 10 }));
    all.at(start, [fact()]);
    expect(all.notified(start + MINUTE, [])).toEqual([]);
    expect(all.notified(start + 5 * MINUTE, [fact()])).toEqual([]);
    expect(all.notified(start + 6 * MINUTE, [])).toEqual([]);
    expect(all.notified(start + 15 * MINUTE, [])).toEqual([]);
    expect(all.notified(start + 16 * MINUTE, [])).toEqual(["resolved"]);
  });

  test("disabling a rule resolves its alerts", () => {
    const all = history(rule({ resolveAfterMinutes: 60 }));
    all.at(start, [fact()]);
    all.rule = rule({ enabled: false });
    expect(all.notified(start + MINUTE, [fact()])).toEqual(["resolved"]);
    expect(all.only.resolvedBy).toBe("rule");
  });
});

describe("steps", () => {
  test("a later step raises the same alert", () => {
    const all = history(
      rule({ steps: steps({ after_minutes: 5, severity: "warning" }, { after_minutes: 60, severity: "critical" }) }),
    );
    expect(all.at(start + 4 * MINUTE, [fact()])).toEqual([]);
    expect(all.notified(start + 5 * MINUTE, [fact()])).toEqual(["opened"]);
    expect(all.notified(start + 59 * MINUTE, [fact()])).toEqual([]);
    expect(all.notified(start + 60 * MINUTE, [fact()])).toEqual(["raised"]);
    expect(all.only).toMatchObject({ step: 1, severity: "critical" });
  });

  test("a cause that returns before the wait of the first step keeps its open alert from resolving", () => {
    const all = history(rule({ steps: steps({ after_minutes: 5 }), resolveAfterMinutes: 3 }));
    expect(all.notified(start + 5 * MINUTE, [fact()])).toEqual(["opened"]);
    expect(all.at(start + 6 * MINUTE, [])).toHaveLength(1);
    const back = fact({ since: start + 7 * MINUTE });
    for (const minute of [7, 8, 10, 11]) expect(all.notified(start + minute * MINUTE, [back])).toEqual([]);
    expect(all.only).toMatchObject({ resolvedAt: null, absentSince: null, step: 0 });
    expect(all.notified(start + 12 * MINUTE, [])).toEqual([]);
    expect(all.notified(start + 15 * MINUTE, [])).toEqual(["resolved"]);
    // Once it has resolved, the first step waits again.
    expect(all.notified(start + 16 * MINUTE, [fact({ since: start + 15 * MINUTE })])).toEqual([]);
    expect(all.notified(start + 20 * MINUTE, [fact({ since: start + 15 * MINUTE })])).toEqual(["opened"]);
  });

  test("compares the time left with the lesser of days and share of the lifetime", () => {
    const all = history(
      rule({
        steps: steps(
          { days_left: 30, share_left: 0.33, severity: "info" },
          { days_left: 14, share_left: 0.2, severity: "warning" },
          { days_left: 7, share_left: 0.1, severity: "critical" },
        ),
      }),
    );
    const expires = start + 100 * DAY;
    const left = (lifetime = 90) =>
      fact({
        since: null,
        validity: { notBefore: expires - lifetime * DAY, notAfter: expires },
        certificateId: `${lifetime}`,
      });
    const at = (days: number, lifetime?: number) => all.notified(expires - days * DAY, [left(lifetime)]);
    expect(at(30)).toEqual([]);
    expect(at(29)).toEqual(["opened"]);
    expect(at(13.9)).toEqual(["raised"]);
    expect(at(6.9)).toEqual(["raised"]);
    expect(at(-1)).toEqual([]);
    const short = history(all.rule);
    expect(short.notified(expires - 2 * DAY, [left(6)])).toEqual([]);
    expect(short.notified(expires - 1.9 * DAY, [left(6)])).toEqual(["opened"]);
    expect(short.only.severity).toBe("info");
  });

  test("steps of a cause without a start count from when the alert was reopened", () => {
    const slow = fact({ since: null });
    const all = history(rule({ steps: steps({ severity: "warning" }, { after_minutes: 30, severity: "critical" }) }));
    expect(all.notified(start, [slow])).toEqual(["opened"]);
    expect(all.notified(start + 20 * MINUTE, [])).toEqual(["resolved"]);
    expect(all.notified(start + 40 * MINUTE, [slow])).toEqual(["opened"]);
    expect(all.notified(start + 41 * MINUTE, [slow])).toEqual([]);
    expect(all.only).toMatchObject({ openedAt: start, reopenedAt: start + 40 * MINUTE, step: 0 });
    expect(all.notified(start + 70 * MINUTE, [slow])).toEqual(["raised"]);
  });

  test("a step without a severity uses that of the finding; a new cause raises the alert, a removed cause does not", () => {
    const all = history(rule({ steps: steps({}) }));
    expect(all.notified(start, [fact()])).toEqual(["opened"]);
    expect(all.notified(start + MINUTE, [fact({ severity: "critical" })])).toEqual(["raised"]);
    expect(all.notified(start + 2 * MINUTE, [fact()])).toEqual([]);
    expect(all.only.severity).toBe("warning");
    expect(all.notified(start + 3 * MINUTE, [fact({ causes: ["untrusted_root", "weak_key"] })])).toEqual(["raised"]);
    expect(all.notified(start + 4 * MINUTE, [fact()])).toEqual([]);
    expect(all.notified(start + 5 * MINUTE, [fact({ causes: ["weak_key"] })])).toEqual([]);
  });
});

describe("repeating, acknowledging, snoozing", () => {
  test("repeats at the rule's interval while the cause persists", () => {
    const all = history(rule({ repeatMinutes: 60, resolveAfterMinutes: 120 }));
    const notified = Array.from({ length: 13 }, (_, at) => all.notified(start + at * 15 * MINUTE, [fact()]).join());
    expect(notified.filter(Boolean)).toEqual(["opened", "repeated", "repeated", "repeated"]);
    expect(all.notified(start + 260 * MINUTE, [])).toEqual([]);
  });

  test("repeats alerts together that are at least half due, so that they become one message", () => {
    const all = history(rule({ repeatMinutes: 24 * 60 }));
    const facts = [0, 1, 2].map((at) => fact({ subject: { type: "endpoint", id: `${at}`, name: `host-${at}` } }));
    const known = (hours: number) => facts.filter((_, at) => hours >= ([0, 6, 18][at] ?? 0));
    const repeats = Array.from({ length: 120 }, (_, hours) => {
      const changes = all.at(start + hours * HOUR, known(hours));
      return [hours, changes.filter(({ reason }) => reason === "repeated").length];
    });
    expect(repeats.filter(([, count]) => count !== 0)).toEqual([
      [24, 2],
      [42, 3],
      [66, 3],
      [90, 3],
      [114, 3],
    ]);
  });

  test("acknowledging stops repeats, but not raised alerts", () => {
    const all = history(rule({ steps: steps({}), repeatMinutes: 60 }));
    all.at(start, [fact()]);
    all.act((alert) => acknowledge(alert, "Ada", start + MINUTE));
    expect(all.notified(start + 5 * HOUR, [fact()])).toEqual([]);
    expect(all.notified(start + 6 * HOUR, [fact({ severity: "critical" })])).toEqual(["raised"]);
    expect(all.only.acknowledgedAt).toBeNull();
    expect(all.notified(start + 7 * HOUR, [fact({ severity: "critical" })])).toEqual(["repeated"]);
    expect(all.notified(start + 8 * HOUR, [])).toEqual(["resolved"]);
  });

  test("snoozing stops all notifications until it ends; then an alert that persists is sent once more", () => {
    const all = history(rule({ steps: steps({}), repeatMinutes: 30 }));
    all.at(start, [fact()]);
    all.act((alert) => snooze(alert, start + 4 * HOUR));
    expect(all.notified(start + HOUR, [fact({ severity: "critical" })])).toEqual([]);
    expect(all.notified(start + 4 * HOUR, [fact({ severity: "critical" })])).toEqual(["raised"]);
    expect(all.only.snoozedUntil).toBeNull();
    all.act((alert) => snooze(alert, start + 5 * HOUR));
    expect(all.notified(start + 5 * HOUR, [fact({ severity: "critical" })])).toEqual(["repeated"]);
  });

  test("a snooze outlasts a short end of the cause, and channels are notified when it is over", () => {
    const all = history(rule());
    all.at(start, [fact()]);
    all.act((alert) => snooze(alert, start + 4 * HOUR));
    expect(all.notified(start + HOUR, [])).toEqual([]);
    expect(all.only).toMatchObject({ resolvedBy: "cause", snoozedUntil: start + 4 * HOUR });
    expect(all.notified(start + HOUR + MINUTE, [fact()])).toEqual([]);
    expect(all.only).toMatchObject({ resolvedAt: null, snoozedUntil: start + 4 * HOUR });
    expect(all.notified(start + 4 * HOUR, [fact()])).toEqual(["repeated"]);
    all.act((alert) => snooze(alert, start + 6 * HOUR));
    expect(all.notified(start + 5 * HOUR, [])).toEqual([]);
    expect(all.notified(start + 6 * HOUR, [])).toEqual(["resolved"]);
    expect(all.only.snoozedUntil).toBeNull();
  });

  test("a person, or the end of the rule, ends a snooze", () => {
    const all = history(rule());
    all.at(start, [fact()]);
    all.act((alert) => snooze(alert, start + 4 * HOUR));
    all.act((alert) => resolveByHand(alert, start + MINUTE));
    expect(all.notified(start + 2 * MINUTE, [fact()])).toEqual(["resolved"]);
    expect(all.only.snoozedUntil).toBeNull();
    const disabled = history(rule());
    disabled.at(start, [fact()]);
    disabled.act((alert) => snooze(alert, start + 4 * HOUR));
    disabled.rule = rule({ enabled: false });
    expect(disabled.notified(start + MINUTE, [fact()])).toEqual(["resolved"]);
    const ended = history(rule());
    ended.at(start, [fact()]);
    ended.act((alert) => snooze(alert, start + 4 * HOUR));
    expect(ended.notified(start + MINUTE, [])).toEqual([]);
    ended.rule = rule({ enabled: false });
    expect(ended.notified(start + 2 * MINUTE, [])).toEqual(["resolved"]);
  });

  test("a snooze lasts until its time, even if no end is notified, and no longer", () => {
    const all = history(rule({ sendResolved: false }));
    all.at(start, [fact()]);
    all.act((alert) => snooze(alert, start + 4 * HOUR));
    expect(all.notified(start + MINUTE, [])).toEqual([]);
    expect(columnsOf(all.only)).toMatchObject({ live: true });
    expect(all.notified(start + 3 * HOUR, [fact()])).toEqual([]);
    expect(all.notified(start + 3 * HOUR + MINUTE, [])).toEqual([]);
    expect(all.notified(start + 4 * HOUR, [])).toEqual([]);
    expect(columnsOf(all.only)).toMatchObject({ live: false, snoozedUntil: null });
    expect(all.at(start + 5 * HOUR, [])).toEqual([]);
  });

  test("an alert resolved by a person stays resolved until its cause gets worse or has ended once", () => {
    const all = history(rule({ steps: steps({}) }));
    all.at(start, [fact()]);
    all.act((alert) => resolveByHand(alert, start + MINUTE));
    expect(all.notified(start + 2 * MINUTE, [fact()])).toEqual(["resolved"]);
    expect(all.notified(start + 9 * HOUR, [fact()])).toEqual([]);
    expect(all.notified(start + 10 * HOUR, [fact({ severity: "critical" })])).toEqual(["opened"]);
    all.act((alert) => resolveByHand(alert, start + 11 * HOUR));
    all.at(start + 12 * HOUR, []);
    expect(all.only.isMuted).toBe(false);
    expect(all.notified(start + 12 * HOUR + MINUTE, [fact()])).toEqual(["opened"]);
  });
});

describe("holding back", () => {
  const quiet = quietHours.parse({ start: "22:00", end: "07:00", time_zone: "UTC" });
  const night = Date.parse("2026-11-21T23:00:00Z");
  const morning = Date.parse("2026-11-22T07:00:00Z");

  test("sends nothing in quiet hours; persisting alerts are sent when they end", () => {
    const all = history(rule({ quietHours: quiet }));
    expect(all.notified(night, [fact()])).toEqual([]);
    expect(all.notified(morning - 1, [fact()])).toEqual([]);
    expect(all.notified(morning, [fact()])).toEqual(["opened"]);
  });

  test("sends resolutions after quiet hours; alerts that opened and resolved within them are not sent", () => {
    const all = history(rule({ quietHours: quiet }));
    all.at(start, [fact()]);
    expect(all.notified(night, [fact({ certificateId: "d" })])).toEqual([]);
    expect(all.notified(night + 2 * HOUR, [])).toEqual([]);
    expect(all.notified(morning, [])).toEqual(["resolved"]);
  });

  test("sends critical alerts anyway, unless the rule disables it", () => {
    const critical = fact({ severity: "critical" });
    expect(history(rule({ steps: steps({}), quietHours: quiet })).notified(night, [critical])).toEqual(["opened"]);
    const strict = rule({ steps: steps({}), quietHours: { ...quiet, except_critical: false } });
    expect(history(strict).notified(night, [critical])).toEqual([]);
  });

  test("a mass failure holds back only alerts about reachability", () => {
    const all = history(rule());
    const gone = fact({ isReachability: true, certificateId: null });
    expect(all.notified(start, [gone, fact()], true)).toEqual(["opened"]);
    expect(all.notified(start + MINUTE, [gone, fact()])).toEqual(["opened"]);
  });

  test("a lasting mass failure holds back notifications for at most five minutes", () => {
    const all = history(rule());
    const gone = fact({ isReachability: true, certificateId: null });
    expect(all.notified(start, [gone], true)).toEqual([]);
    expect(all.notified(start + 4 * MINUTE, [gone], true)).toEqual([]);
    expect(all.notified(start + 5 * MINUTE, [gone], true)).toEqual(["opened"]);
    expect(all.notified(start + 20 * MINUTE, [], true)).toEqual([]);
    expect(all.notified(start + 25 * MINUTE, [], true)).toEqual(["resolved"]);
    expect(all.notified(start + 40 * MINUTE, [gone], true)).toEqual([]);
    expect(all.notified(start + 45 * MINUTE, [gone], true)).toEqual(["opened"]);
  });

  test("a flapping alert is sent a few times, then held open until it is stable", () => {
    const all = history(rule());
    const notified = Array.from({ length: 20 }, (_, at) =>
      all.notified(start + at * MINUTE, at % 2 === 0 ? [fact()] : []).join(),
    );
    expect(notified.filter(Boolean)).toEqual(["opened", "resolved", "opened", "resolved", "opened"]);
    expect(all.only).toMatchObject({ isFlapping: true, resolvedAt: null });
    expect(all.notified(start + 48 * MINUTE, [])).toEqual([]);
    expect(all.notified(start + 49 * MINUTE, [])).toEqual(["resolved"]);
    expect(all.only.isFlapping).toBe(false);
  });

  test("an alert that was flapping is repeated again, whatever changes about it", () => {
    const all = history(rule({ repeatMinutes: 60 }));
    for (let at = 0; at < 7; at++) all.at(start + at * MINUTE, at % 2 === 0 ? [fact()] : []);
    expect(all.only).toMatchObject({ isFlapping: true, resolvedAt: null });
    const later = Array.from({ length: 24 * 60 }, (_, at) => {
      return all.at(start + (at + 7) * MINUTE, [fact({ detail: `${at} ms` })]);
    }).flat();
    expect(later.flatMap(({ entries }) => entries.map(({ kind }) => kind))).toEqual([]);
    expect(later.flatMap(({ reason }) => reason ?? [])).toEqual(Array(24).fill("repeated"));
    expect(all.only.isFlapping).toBe(false);
  });

  test("events open one alert per caller, which is sent before it may resolve", () => {
    const all = history(rule({ isOfEvents: true, resolveAfterMinutes: 60, quietHours: quiet }));
    expect(all.notified(night, [fact({ causes: ["rotated_secret"] })])).toEqual([]);
    expect(all.notified(night + 3 * HOUR, [])).toEqual([]);
    expect(all.only.resolvedAt).toBeNull();
    expect(all.notified(morning, [])).toEqual(["opened"]);
    expect(all.notified(morning + MINUTE, [])).toEqual(["resolved"]);
    expect(all.notified(morning + 2 * MINUTE, [fact({ causes: ["rotated_secret"] })])).toEqual(["opened"]);
    expect(all.notified(morning + 3 * MINUTE, [fact({ causes: ["rotated_secret"] })])).toEqual([]);
    expect(all.notified(morning + 4 * MINUTE, [fact({ causes: ["new_country"] })])).toEqual(["raised"]);
    expect(all.notified(morning + 5 * MINUTE, [fact({ causes: ["rotated_secret"] })])).toEqual([]);
  });
});
