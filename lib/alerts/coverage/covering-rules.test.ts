import { expect, test } from "vitest";
import { nextStepAt, rulesCovering, toCoveringRule } from "@/lib/alerts/coverage/covering-rules";
import type { Resource } from "@/lib/alerts/coverage/read-resource";
import type { Rule } from "@/lib/alerts/rules/alert-rule";
import { defaultRules } from "@/lib/alerts/rules/default-rules";
import { newId } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/units";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");

const rules = defaultRules.map(
  ({ name, condition, selector, steps, enabled }): Rule => ({
    id: newId(),
    name,
    enabled,
    condition,
    selector,
    steps,
    isOfEvents: condition.type === "security_event",
    repeatMinutes: null,
    resolveAfterMinutes: 5,
    sendResolved: true,
    quietHours: null,
  }),
);

const resource = (type: Resource["type"]): Resource => ({
  type,
  id: newId(),
  ids: [],
  name: type,
  tags: [],
  validity: null,
});

test.each([
  ["endpoint", ["Certificate problems", "Certificates about to expire", "Unreachable endpoints"]],
  ["monitor", ["Monitors down"]],
  ["api_key", ["Suspicious use of API keys"]],
  ["domain", ["Certificate problems"]],
] as const)("of the default rules, these cover a resource of type %s", (type, names) => {
  expect(rulesCovering(rules, resource(type)).map(({ name }) => name)).toEqual(names);
});

test.each(["issuer_unexpected", "issuance_unauthorized"] as const)("a rule about %s alone covers domains", (code) => {
  const problems = rules.filter(({ name }) => name === "Certificate problems");
  const only = (severity: "critical" | "warning") =>
    problems.map((rule) => ({
      ...rule,
      condition: { type: "finding" as const, codes: [code], except_codes: [], severity },
    }));
  expect(rulesCovering(only("warning"), resource("domain"))).toHaveLength(1);
  expect(rulesCovering(only("critical"), resource("domain"))).toHaveLength(code === "issuance_unauthorized" ? 1 : 0);
});

test("a disabled rule covers nothing", () => {
  const disabled = rules.map((rule) => ({ ...rule, enabled: false }));
  expect(rulesCovering(disabled, resource("endpoint"))).toEqual([]);
});

test("a step about the time left has the date on which it is reached, the lesser of days and share", () => {
  const expiry = rules.filter(({ condition }) => condition.type === "time_left");
  const validity = { notBefore: NOW - 70 * DAY_MS, notAfter: NOW + 20 * DAY_MS };
  const [covering] = expiry.map((rule) => toCoveringRule(rule, { validity }, []));
  // 90 days: 33% are 29.7 days, 20% are 18 of which 14 are less, 10% are 9 of which 7 are less.
  const days = covering?.steps.map(({ reached_at }) => (validity.notAfter - Date.parse(reached_at ?? "")) / DAY_MS);
  expect(days).toEqual([expect.closeTo(29.7), 14, 7]);
  expect(nextStepAt(covering ? [covering] : [], new Date(NOW))).toBe(new Date(NOW + 6 * DAY_MS).toISOString());
  expect(nextStepAt(covering ? [covering] : [], new Date(NOW + 19 * DAY_MS))).toBeNull();
});
