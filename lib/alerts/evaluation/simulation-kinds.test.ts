import { describe, expect, test } from "vitest";
import { random } from "@/bench/audit/events";
import { type AlertState, type Fact, keyOf } from "@/lib/alerts/alert-state";
import { type Change, evaluate, REOPEN_MS } from "@/lib/alerts/evaluation/evaluate";
import { factsOf } from "@/lib/alerts/evaluation/facts";
import { levelOf } from "@/lib/alerts/evaluation/level";
import type { EvaluatedRule } from "@/lib/alerts/rules/alert-rule";
import { step } from "@/lib/alerts/rules/conditions";
import { defaultRules } from "@/lib/alerts/rules/default-rules";
import type { FlaggedEvents, Situation, Validity } from "@/lib/alerts/situation/situation";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const start = Date.parse("2026-11-21T00:00:00Z");
const end = start + 365 * DAY;

function insist(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** A rule's alerts between evaluations, as the database stores them. */
class Ledger {
  readonly alerts = new Map<string, AlertState>();
  private ids = 0;

  constructor(private readonly rule: EvaluatedRule) {}

  evaluate(facts: readonly Fact[], now: number): Change[] {
    const known = [...this.alerts.values()].filter(
      ({ resolvedAt, isMuted, told }) =>
        resolvedAt === null || isMuted || told !== null || now - resolvedAt < REOPEN_MS,
    );
    const newId = () => `alert ${this.ids++}`;
    const changes = evaluate(this.rule, facts, known, { now, isMassFailure: false, newId });
    for (const { alert } of changes) this.alerts.set(alert.id, alert);
    return changes;
  }

  open(): AlertState[] {
    return [...this.alerts.values()].filter(({ resolvedAt }) => resolvedAt === null);
  }
}

const empty: Situation = {
  now: 0,
  findings: [],
  issuances: [],
  validities: [],
  incidents: [],
  slow: [],
  unjudged: [],
  events: [],
  eventCounts: [],
  logFaults: [],
  destinationLags: [],
  organizationId: "o",
};

/** A year of one endpoint: successive certificates of one lifetime, renewed in time, late, or after expiry. */
function certificatesOf(next: () => number, endpoint: number): (Validity & { from: number; until: number })[] {
  const lifetime = [6, 45, 90, 200][endpoint % 4] ?? 90;
  const served: (Validity & { from: number; until: number })[] = [];
  let from = start - next() * lifetime * 0.5 * DAY;
  for (let number = 0; from < end; number++) {
    const how = next();
    const share = how < 0.6 ? 0.55 + next() * 0.1 : how < 0.9 ? 0.7 + next() * 0.29 : 1 + next() * 0.1;
    const until = from + share * lifetime * DAY;
    served.push({
      subject: { type: "endpoint", id: `endpoint ${endpoint}`, name: `host-${endpoint}.example.com:443` },
      certificateId: `certificate ${endpoint} ${number}`,
      tags: [],
      notBefore: from,
      notAfter: from + lifetime * DAY,
      from,
      until,
    });
    from = until;
  }
  return served;
}

describe("a year of certificates with the default rule about the time left", () => {
  const [given] = defaultRules;
  if (given === undefined) throw new Error("there is no default rule");
  const rule: EvaluatedRule = {
    enabled: true,
    steps: given.steps,
    isOfEvents: false,
    resolveAfterMinutes: given.resolve_after_minutes,
    repeatMinutes: given.repeat_minutes,
    sendResolved: given.send_resolved,
    quietHours: null,
  };

  test.each([1, 2, 3])("sends every step once and resolves on renewal: seed %i", (seed) => {
    const next = random(seed);
    const served = Array.from({ length: 12 }, (_, endpoint) => certificatesOf(next, endpoint));
    const ledger = new Ledger(rule);
    const notifications = new Map<string, { at: number; reason: string; step: number }[]>();
    let raised = 0;
    for (let now = start; now < end; now += (10 + next() * 120) * MINUTE) {
      const validities = served.flatMap((chain) => chain.filter(({ from, until }) => from <= now && now < until));
      const facts = factsOf({ ...given, condition: { type: "time_left" } }, { ...empty, now, validities });
      for (const { alert, reason } of ledger.evaluate(facts, now)) {
        if (reason === null) continue;
        const before = notifications.get(alert.id) ?? [];
        const last = before.at(-1);
        insist((last === undefined) === (reason === "opened"), `${reason} after ${last?.reason}`);
        if (reason === "raised") insist(last !== undefined && alert.step > last.step, "raised by a later step only");
        if (reason === "repeated") insist(last !== undefined && now - last.at >= DAY / 2, "not repeated early");
        raised += reason === "raised" ? 1 : 0;
        notifications.set(alert.id, [...before, { at: now, reason, step: alert.step }]);
      }
      const open = ledger.open();
      insist(new Set(open.map(keyOf)).size === open.length, "one open alert per endpoint and certificate");
      const present = new Set(facts.map(keyOf));
      for (const fact of facts) {
        const level = levelOf(rule.steps, fact, null, now);
        const mine = open.find((alert) => keyOf(alert) === keyOf(fact));
        insist((mine?.step ?? null) === (level?.step ?? null), "exactly the step reached by its time left");
        insist(mine === undefined || mine.told?.step === mine.step, "the current step has been sent");
      }
      for (const { absentSince, ...alert } of open) {
        if (present.has(keyOf(alert))) continue;
        insist(absentSince !== null && now - absentSince < 5 * MINUTE, "resolves soon after the renewal");
      }
    }
    // Certificates renewed before the first threshold never alerted; all others did.
    const first = rule.steps[0];
    const late = served
      .flat()
      .filter(({ notBefore, notAfter, from, until, certificateId }) => {
        const life = notAfter - notBefore;
        const threshold = Math.min((first?.days_left ?? 0) * DAY, (first?.share_left ?? 0) * life);
        const seen = Math.min(until, end) - Math.max(from, start);
        return certificateId !== "" && seen > 0 && Math.min(until, end) - 3 * HOUR > notAfter - threshold;
      })
      .map(({ certificateId }) => certificateId);
    const alerted = new Set([...ledger.alerts.values()].map(({ certificateId }) => certificateId));
    for (const id of late) expect(alerted).toContain(id);
    const intime = served
      .flat()
      .filter(({ notBefore, notAfter, until }) => notAfter - until > 0.34 * (notAfter - notBefore))
      .map(({ certificateId }) => certificateId);
    for (const id of intime) expect(alerted).not.toContain(id);
    expect(raised).toBeGreaterThan(5);
    expect(intime.length).toBeGreaterThan(5);
  });
});

describe("a year of flagged events", () => {
  const flags = ["rotated_secret", "new_country", "ip_not_allowed"] as const;

  test.each([1, 2, 3])("sends each event exactly once and leaves no alert open: seed %i", (seed) => {
    const next = random(seed);
    const steps = [step.parse({ severity: "warning" })];
    const condition = { type: "security_event" as const, flags: [...flags] };
    const rule: EvaluatedRule = {
      enabled: true,
      steps,
      isOfEvents: true,
      resolveAfterMinutes: 60,
      repeatMinutes: null,
      sendResolved: next() < 0.5,
      quietHours: {
        start: "22:00",
        end: "07:00",
        days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
        time_zone: "America/New_York",
        except_critical: false,
      },
    };
    const ledger = new Ledger(rule);
    /** For each caller: flags of events that no notification has covered yet. */
    const owed = new Map<string, Set<string>>();
    const counts = { events: 0, notified: 0 };
    const year = (now: number, events: FlaggedEvents[]) => {
      for (const { subject, flags } of events) {
        const mine = owed.get(subject.id) ?? new Set();
        for (const flag of flags) mine.add(flag);
        owed.set(subject.id, mine);
      }
      const facts = factsOf({ selector: { tags: [], ids: [] }, condition, steps }, { ...empty, now, events });
      const causesBefore = new Map([...ledger.alerts.values()].map((alert) => [alert.id, alert.told?.causes ?? []]));
      for (const { alert, reason } of ledger.evaluate(facts, now)) {
        if (reason === null || reason === "resolved") continue;
        const news = alert.causes.filter((cause) => !(causesBefore.get(alert.id) ?? []).includes(cause));
        insist(news.length > 0, "sent again only with new flags");
        for (const cause of alert.causes) owed.get(alert.subject.id)?.delete(cause);
        counts.notified += 1;
      }
      const open = ledger.open();
      insist(new Set(open.map(keyOf)).size === open.length, "one open alert per caller");
      for (const [caller, missing] of owed) {
        const mine = open.find(({ subject }) => subject.id === caller);
        // An open alert that already covers a flag needs no further notification.
        for (const flag of missing) if (mine?.told?.causes.includes(flag)) missing.delete(flag);
        insist(missing.size === 0 || mine !== undefined, "no alert resolves before it was sent");
      }
    };
    let now = start;
    while (now < end) {
      now += next() < 0.3 ? next() * 9 * HOUR : 15_000 + next() * 20 * MINUTE;
      const happened = next() < 0.1;
      const flag = flags[Math.floor(next() * flags.length)] ?? "new_country";
      const caller = `key ${Math.floor(next() * 4)}`;
      if (happened) counts.events += 1;
      const subject = { type: "api_key" as const, id: caller, name: caller };
      year(now, happened ? [{ subject, flags: [flag], count: 1, addresses: ["192.0.2.1"] }] : []);
    }
    for (let hour = 1; hour <= 48; hour++) year(now + hour * HOUR, []);
    expect(ledger.open()).toEqual([]);
    for (const missing of owed.values()) expect([...missing]).toEqual([]);
    expect(counts.events).toBeGreaterThan(200);
    expect(counts.notified).toBeGreaterThan(100);
  });
});
