import { expect, test } from "vitest";
import {
  fieldsOf,
  newRule,
  nextStep,
  ruleAbout,
  sentOf,
  stepsFor,
  withoutStep,
} from "@/components/alert-rules/rule-fields";
import { reachedWords } from "@/components/alert-rules/rule-preview";
import { conditionSummary, subjectCount } from "@/components/alert-rules/words";
import { alertRuleInput } from "@/lib/alerts/rules/contract";
import { defaultRules } from "@/lib/alerts/rules/default-rules";
import type { FindingCode } from "@/lib/certificates/findings";

const rest = {
  id: "018f0000-0000-7000-8000-000000000001",
  open_alerts: 0,
  created_at: "2026-11-21T12:00:00.000Z",
  updated_at: "2026-11-21T12:00:00.000Z",
};

test.each(defaultRules.map((rule) => [rule.name, rule] as const))(
  "saving %s without editing it changes nothing",
  (_name, rule) => {
    const fields = fieldsOf({ ...rule, ...rest }, "UTC");
    expect(alertRuleInput.parse({ ...sentOf(fields), enabled: rule.enabled })).toEqual(rule);
  },
);

test("the steps fit whatever the condition is changed to", () => {
  for (const type of [
    "finding",
    "time_left",
    "monitor_down",
    "latency",
    "security_event",
    "event_count",
    "log_integrity",
    "destination_lag",
  ] as const) {
    for (const before of ["finding", "time_left", "latency"] as const) {
      const first = newRule("Europe/Berlin");
      const steps = stepsFor(before, [...first.steps, nextStep(first.steps)]);
      const fields = { ...first, name: "Rule", type, steps: stepsFor(type, steps) };
      expect(alertRuleInput.safeParse(sentOf(fields)).error?.issues ?? []).toEqual([]);
    }
  }
});

test("without its first step, a rule can be saved, and the other steps keep their times where they are shown", () => {
  const first = newRule("UTC");
  const timed = (afterMinutes: string, key: number) => ({ ...nextStep(first.steps), afterMinutes, key });
  const steps = [timed("0", 0), timed("5", 1), timed("10", 2)];
  const after = (type: "latency" | "monitor_down", key: number) => {
    const severe = steps.map((each) => ({ ...each, severity: "warning" as const }));
    const rule = alertRuleInput.parse(sentOf({ ...first, name: "Rule", type, steps: withoutStep(type, severe, key) }));
    return rule.steps.map(({ after_minutes }) => after_minutes);
  };
  expect(after("latency", 0)).toEqual([0, 10]);
  expect(after("latency", 1)).toEqual([0, 10]);
  expect(after("monitor_down", 0)).toEqual([5, 10]);
});

test("text that is not a number is sent on, and the API names the field", () => {
  const fields = { ...newRule("UTC"), name: "Rule", type: "latency" as const, aboveMs: "soon" };
  const { error } = alertRuleInput.safeParse(sentOf({ ...fields, steps: stepsFor("latency", fields.steps) }));
  expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["condition.above_ms"]);
});

test("a limit that is not a number is refused by its name, and does not become none", () => {
  const fields = { ...newRule("UTC"), name: "Rule", type: "time_left" as const };
  const [first, ...others] = stepsFor("time_left", fields.steps);
  const steps = first ? [{ ...first, daysLeft: "2 weeks", sharePercent: "33%" }, ...others] : [];
  const { error } = alertRuleInput.safeParse(JSON.parse(JSON.stringify(sentOf({ ...fields, steps }))));
  expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["steps.0.days_left", "steps.0.share_left"]);
  const percent = first ? [{ ...first, sharePercent: "33" }] : [];
  expect(sentOf({ ...fields, steps: percent }).steps[0]?.share_left).toBe(0.33);
});

test("tags are words, and are not sent for keys, which have no tags", () => {
  const fields = { ...newRule("UTC"), tags: "shop, web  docs" };
  expect(sentOf(fields).selector.tags).toEqual(["shop", "web", "docs"]);
  expect(sentOf({ ...fields, type: "security_event" }).selector.tags).toEqual([]);
});

test("a rule about filters of the audit log keeps them, whatever their characters", () => {
  const fields = ruleAbout("status=4xx%2C!404&q=50%25+%26+more", "UTC");
  const rule = alertRuleInput.parse(sentOf({ ...fields, name: "Refusals", count: "20" }));
  expect(rule.condition).toEqual({
    type: "event_count",
    query: { status: "4xx,!404", q: "50% & more" },
    count: 20,
    window_minutes: 60,
  });
  expect(sentOf(fieldsOf({ ...rule, ...rest }, "UTC")).condition).toEqual(rule.condition);
});

test("a filter of the audit log that does not exist is an error of the filter", () => {
  const { error } = alertRuleInput.safeParse(sentOf({ ...ruleAbout("colour=red&status=9xx", "UTC"), name: "Rule" }));
  expect(error?.issues.map(({ path }) => path.slice(0, 2).join("."))).toEqual(["condition.query", "condition.query"]);
});

test("one selected resource is in the singular", () => {
  expect(subjectCount("security_event", 1)).toBe("1 API key");
  expect(subjectCount("event_count", 1)).toBe("1 entry");
  expect(subjectCount("latency", 2)).toBe("2 monitors");
});

test("the condition names the first of the findings that a rule leaves out", () => {
  const of = (except_codes: FindingCode[], severity: "info" | "warning") =>
    conditionSummary({ type: "finding", codes: [], except_codes, severity });
  expect(of([], "warning")).toBe("Any problem (warning or higher)");
  expect(of(["expired"], "info")).toBe("Any problem, except: expired");
  expect(of(["expired", "expires_soon", "certificate_changed", "revoked", "chain_extra"], "warning")).toBe(
    "Warning or higher, except: expired, expires soon, certificate changed, revoked, …",
  );
});

test("a preview with more matches than it lists claims nothing about the others", () => {
  expect(reachedWords(1200, [{ step: 2 }, { step: 1 }])).toBe("at least 2 at a step");
  expect(reachedWords(1200, [{ step: 1 }, { step: null }])).toBe("1 at a step");
  expect(reachedWords(2, [{ step: 1 }, { step: 1 }])).toBe("all at a step");
});
