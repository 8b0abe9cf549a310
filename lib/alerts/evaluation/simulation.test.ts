import { describe, expect, test } from "vitest";
import { random } from "@/bench/audit/events";
import { acknowledge, resolveByHand, snooze } from "@/lib/alerts/acts";
import { type AlertState, type Fact, isRise, keyOf } from "@/lib/alerts/alert-state";
import {
  evaluate,
  FLAP_QUIET_MS,
  LONGEST_HOLD_MS,
  type NotificationReason,
  REOPEN_MS,
} from "@/lib/alerts/evaluation/evaluate";
import { levelOf } from "@/lib/alerts/evaluation/level";
import type { EvaluatedRule } from "@/lib/alerts/rules/alert-rule";
import { type QuietHours, type Step, step } from "@/lib/alerts/rules/conditions";
import { isQuiet } from "@/lib/alerts/rules/quiet-hours";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
const start = Date.parse("2026-11-21T00:00:00Z");
const SUBJECTS = 6;

/** When a subject's cause is present, and how severe it is: at most one span at a time. */
interface Span {
  from: number;
  to: number;
  severity: Fact["severity"];
  causes: string[];
}

type Next = () => number;

/** A year of one subject: long problems, short problems and flapping. */
function spansOf(next: Next): Span[] {
  const spans: Span[] = [];
  let at = start + next() * 20 * 24 * HOUR;
  while (at < start + YEAR) {
    const isFlapping = next() < 0.15;
    const times = isFlapping ? 4 + Math.floor(next() * 12) : 1;
    for (let time = 0; time < times; time++) {
      const length = isFlapping ? next() * 20 * MINUTE : next() < 0.5 ? next() * HOUR : next() * 6 * 24 * HOUR;
      const severity = (["info", "warning", "critical"] as const)[Math.floor(next() * 3)] ?? "info";
      const causes = next() < 0.3 ? ["a", "b"] : ["a"];
      spans.push({ from: at, to: at + length, severity, causes });
      at += length + (isFlapping ? next() * 20 * MINUTE : 0);
      // It gets worse or better without ending.
      if (isFlapping || next() < 0.5) continue;
      const until = at + next() * 24 * HOUR;
      spans.push({ from: at, to: until, severity: "critical", causes });
      at = until;
    }
    at += next() * 25 * 24 * HOUR;
  }
  return spans;
}

function ruleOf(next: Next): EvaluatedRule {
  const steps: Step[] = [step.parse({ after_minutes: Math.floor(next() * 3) * 5 })];
  if (next() < 0.6) steps.push(step.parse({ after_minutes: 120, severity: "critical" }));
  const quietHours: QuietHours = {
    start: "22:00",
    end: "07:00",
    days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    time_zone: "Europe/Berlin",
    except_critical: next() < 0.5,
  };
  return {
    enabled: true,
    steps,
    isOfEvents: false,
    resolveAfterMinutes: Math.floor(next() * 4) * 5,
    repeatMinutes: next() < 0.6 ? 60 + Math.floor(next() * 1440) : null,
    sendResolved: true,
    quietHours: next() < 0.5 ? quietHours : null,
  };
}

/** The alerts that an evaluation reads from the database. */
function isLive({ resolvedAt, isMuted, told }: AlertState, now: number): boolean {
  return resolvedAt === null || isMuted || told !== null || now - resolvedAt < REOPEN_MS;
}

/** The history of one alert, as its channels and people saw it. */
interface Record {
  notifications: { at: number; reason: NotificationReason; state: AlertState }[];
  /** A person's snooze may have ended since the last notification. */
  isSnoozed: boolean;
}

/** Simulates a year and checks the invariants at every evaluation. Returns the number of notifications by reason. */
function live(seed: number): Map<NotificationReason, number> {
  const next = random(seed);
  const rule = ruleOf(next);
  const histories = Array.from({ length: SUBJECTS }, () => spansOf(next));
  const turns = histories.flatMap((spans) => spans.flatMap(({ from, to }) => [from, to])).sort((a, b) => a - b);
  const alerts = new Map<string, AlertState>();
  const ended: AlertState[] = [];
  const records = new Map<string, Record>();
  const counts = new Map<NotificationReason, number>();
  let ids = 0;
  let now = start;
  while (now < start + YEAR + 60 * 24 * HOUR) {
    // Evaluated every few minutes around changes, otherwise every few hours; sometimes the worker is down for hours.
    while ((turns[0] ?? Number.POSITIVE_INFINITY) < now - 2 * HOUR) turns.shift();
    const isNear = (turns[0] ?? Number.POSITIVE_INFINITY) < now + 2 * HOUR;
    now += next() < 0.01 ? next() * 8 * HOUR : isNear ? (2 + next() * 10) * MINUTE : next() * 4 * HOUR;
    const isMassFailure = Math.floor(now / (30 * 24 * HOUR)) % 2 === 0 && now % (30 * 24 * HOUR) < 2 * HOUR;
    const facts = histories.flatMap((spans, index): Fact[] => {
      const span = spans.find(({ from, to }) => from <= now && now < to);
      if (span === undefined) return [];
      const subject = { type: "endpoint", id: `subject ${index}`, name: `subject ${index}` } as const;
      const { from, severity, causes } = span;
      const isReachability = index % 3 === 0;
      return [
        { subject, certificateId: null, causes, severity, since: from, detail: "", validity: null, isReachability },
      ];
    });
    const known = () => [...alerts.values()].filter((alert) => isLive(alert, now));
    const changes = evaluate(rule, facts, known(), { now, isMassFailure, newId: () => `alert ${ids++}` });
    for (const { alert, isNew, reason } of changes) {
      const before = alerts.get(alert.id);
      if (isNew) {
        expect(before).toBeUndefined();
        records.set(alert.id, { notifications: [], isSnoozed: false });
      }
      if (reason !== null) {
        checkNotification(rule, records.get(alert.id) as Record, { at: now, reason, state: alert }, isMassFailure);
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
      alerts.set(alert.id, alert);
    }
    checkState(rule, facts, [...alerts.values()], now, isMassFailure);
    // A second evaluation of an unchanged situation changes and sends nothing.
    const again = evaluate(rule, facts, known(), { now, isMassFailure, newId: () => "none" });
    insist(!again.some(({ reason, isNew }) => reason !== null || isNew), "a second evaluation changes nothing");
    for (const alert of alerts.values()) {
      if (!isLive(alert, now)) {
        alerts.delete(alert.id);
        ended.push(alert);
      }
      if (alert.resolvedAt !== null || next() > 0.01) continue;
      const act = next();
      const record = records.get(alert.id) as Record;
      if (act < 0.5) {
        alerts.set(alert.id, acknowledge(alert, "Ada", now));
      } else if (act < 0.8) {
        alerts.set(alert.id, snooze(alert, now + next() * 24 * HOUR));
        record.isSnoozed = true;
      } else alerts.set(alert.id, resolveByHand(alert, now));
    }
  }
  // Long after the last cause ended, no alert is open, and every notified channel knows of the resolution.
  expect([...alerts.keys()]).toEqual([]);
  for (const alert of ended) {
    expect(alert).toMatchObject({ resolvedAt: expect.any(Number), told: null, isMuted: false });
    const { notifications } = records.get(alert.id) as Record;
    if (notifications.length > 0) expect(notifications.at(-1)?.reason).toBe("resolved");
  }
  return counts;
}

/** Like `expect`, which would take most of the time here. */
function insist(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Whether a mass failure may hold the notification back. */
function isFresh({ isReachability, flips }: AlertState, now: number): boolean {
  return isReachability && now - (flips.at(-1) ?? 0) < LONGEST_HOLD_MS;
}

function checkNotification(
  rule: EvaluatedRule,
  record: Record,
  notification: Record["notifications"][number],
  isMassFailure: boolean,
): void {
  const { at, reason, state } = notification;
  const last = record.notifications.at(-1);
  const isKnown = last !== undefined && last.reason !== "resolved";
  // First opened, then repeated or raised, finally resolved: each once.
  insist(isKnown === (reason !== "opened"), `${reason} after ${last?.reason}`);
  if (rule.quietHours !== null && isQuiet(rule.quietHours, at)) {
    insist(state.severity === "critical" && rule.quietHours.except_critical, "sent in quiet hours only if critical");
  }
  insist(!(isMassFailure && isFresh(state, at)), "not sent during a mass failure");
  if (reason === "raised" && last) insist(isRise(state, last.state), "raised only if it got worse");
  if (reason === "repeated" && last) {
    // Not before half the rule's interval, except once after a snooze; never while it is acknowledged.
    const isHalfDue = rule.repeatMinutes !== null && at - last.at >= (rule.repeatMinutes * MINUTE) / 2;
    insist(isHalfDue || record.isSnoozed, "repeated only at the interval of its rule, or with others");
    insist(state.acknowledgedAt === null && state.absentSince === null, "repeated only if unacknowledged and present");
    record.isSnoozed = false;
  }
  record.notifications.push(notification);
}

function checkState(
  rule: EvaluatedRule,
  facts: readonly Fact[],
  alerts: readonly AlertState[],
  now: number,
  isMassFailure: boolean,
): void {
  const open = alerts.filter(({ resolvedAt }) => resolvedAt === null);
  const keys = open.map(keyOf);
  insist(new Set(keys).size === keys.length, "one open alert per subject and certificate");
  const present = new Set<string>();
  for (const fact of facts) {
    const mine = open.find((alert) => keyOf(alert) === keyOf(fact));
    const level = levelOf(rule.steps, fact, mine === undefined ? null : (mine.reopenedAt ?? mine.openedAt), now);
    if (level === null) continue;
    present.add(keyOf(fact));
    insist((mine?.absentSince ?? null) === null, "an alert whose cause is present does not resolve");
    const muted = alerts.find((alert) => keyOf(alert) === keyOf(fact) && alert.isMuted);
    if (mine === undefined) {
      // Only a person can have resolved it, and it has not got worse since.
      const isHeld = muted !== undefined && !isRise({ ...level, causes: fact.causes }, muted);
      insist(isHeld, "no alert is lost");
      continue;
    }
    const isSilenced =
      mine.acknowledgedAt !== null ||
      (mine.snoozedUntil !== null && now < mine.snoozedUntil) ||
      (isMassFailure && isFresh(mine, now)) ||
      (rule.quietHours !== null &&
        !(rule.quietHours.except_critical && mine.severity === "critical") &&
        isQuiet(rule.quietHours, now));
    if (!isSilenced) {
      insist(mine.told !== null, "an active alert has been sent");
      insist(mine.told !== null && !isRise(mine, mine.told), "sent with its current severity");
    }
  }
  for (const alert of open) {
    if (present.has(keyOf(alert))) continue;
    insist(alert.absentSince !== null, "the absence of its cause is recorded");
    const longest = Math.max(rule.resolveAfterMinutes * MINUTE, alert.isFlapping ? FLAP_QUIET_MS : 0);
    insist(now - (alert.absentSince ?? 0) < longest, "resolved after its cause ended");
  }
}

describe("a year of generated histories", () => {
  test.each([1, 2, 3, 4])("loses no alert, repeats only as the rule says, leaves none open: seed %i", (seed) => {
    const counts = live(seed);
    // The year contained every kind of notification.
    for (const reason of ["opened", "raised", "resolved"] as const)
      expect(counts.get(reason) ?? 0, reason).toBeGreaterThan(5);
  });
});
