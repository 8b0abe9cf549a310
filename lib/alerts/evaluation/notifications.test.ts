import { describe, expect, test } from "vitest";
import { resolveByHand } from "@/lib/alerts/acts";
import type { AlertState, Fact } from "@/lib/alerts/alert-state";
import { type Change, evaluate } from "@/lib/alerts/evaluation/evaluate";
import { channelsOf, messagesOf, receiversOf } from "@/lib/alerts/evaluation/notifications";
import { type Step, step } from "@/lib/alerts/rules/conditions";
import { newId } from "@/lib/ids";

const now = new Date("2026-11-21T12:00:00Z");
const email = { id: "1", name: "Mail", type: "email" };
const pager = { id: "2", name: "Pager", type: "pagerduty" };
const steps = (...given: Partial<Step>[]): Step[] => given.map((each) => step.parse(each));
const rule = { id: "r", name: "Certificates", steps: steps({}) };
const of = { rule, channels: [email, pager], baseUrl: "http://x", now, resources: new Map() };
const terms = {
  enabled: true,
  steps: rule.steps,
  isOfEvents: false,
  resolveAfterMinutes: 0,
  repeatMinutes: null,
  sendResolved: true,
  quietHours: null,
};

const hosts = (count: number, certificateId: string | null): Fact[] =>
  Array.from({ length: count }, (_, at) => ({
    subject: { type: "endpoint", id: `${certificateId} ${at}`, name: `host-${at}.example.com:443` },
    certificateId,
    causes: ["untrusted_root"],
    severity: at === count - 1 ? "critical" : "warning",
    since: now.getTime(),
    detail: "untrusted root",
    validity: null,
    isReachability: false,
  }));

const change = (facts: Fact[], alerts: AlertState[] = []): Change[] =>
  evaluate(terms, facts, alerts, { now: now.getTime(), isMassFailure: false, newId });
const statesOf = (changes: Change[]) => changes.map(({ alert }) => alert);

describe("one evaluation", () => {
  test("is one message per channel, whatever the number of hosts, most severe first", () => {
    const changes = change(hosts(400, "wildcard"));
    const [mail, page, ...others] = messagesOf(of, changes, statesOf(changes));
    expect(others).toEqual([]);
    expect(mail?.message).toMatchObject({
      state: "firing",
      severity: "critical",
      title: "Certificates: 400 alerts",
      more: 380,
      url: "http://x/alerts?rule_id=r",
    });
    expect(mail?.message.items[0]).toMatchObject({ subject: "host-399.example.com:443", severity: "critical" });
    expect(mail?.message.items).toHaveLength(20);
    expect(mail?.alertIds).toHaveLength(400);
    expect(page?.message.key).toBe("r wildcard");
  });

  test("does not mention an automatic renewal where the certificate is renewed by hand", () => {
    const [fact] = hosts(1, null);
    if (fact === undefined) throw new Error("no host");
    const changes = change([{ ...fact, causes: ["expires_soon"] }]);
    const id = changes[0]?.alert.id ?? "";
    const advice = (isRenewedByHand: boolean) => {
      const resources = new Map([[id, { tags: [], notAfter: null, isRenewedByHand }]]);
      return messagesOf({ ...of, resources }, changes, statesOf(changes))[0]?.message.items[0]?.about?.advice;
    };
    expect(advice(true)).toBe("Renew the certificate by hand now, and install the new one.");
    expect(advice(false)).toBe("An automatic renewal should have happened by now: check it.");
  });

  test("has a descriptive title for a single alert", () => {
    const changes = change(hosts(1, null));
    const [mail] = messagesOf(of, changes, statesOf(changes));
    expect(mail?.message.title).toBe("host-0.example.com:443: untrusted root");
    expect(mail?.message.url).toBe(`http://x/alerts/${changes[0]?.alert.id}`);
  });

  test("sends opened and resolved alerts separately", () => {
    const before = statesOf(change(hosts(2, "old")));
    const changes = change(hosts(1, "new"), before);
    const messages = messagesOf({ ...of, channels: [email] }, changes, statesOf(changes));
    expect(messages.map(({ message, alertIds }) => [message.state, alertIds.length])).toEqual([
      ["firing", 1],
      ["resolved", 2],
    ]);
  });
});

test("says that the problem is over only if its cause ended", () => {
  const [open] = statesOf(change(hosts(1, null)));
  if (open === undefined) throw new Error("no alert");
  const told = (alert: AlertState, present: Fact[], by = terms) => {
    const changes = evaluate(by, present, [alert], { now: now.getTime(), isMassFailure: false, newId });
    const [mail] = messagesOf({ ...of, channels: [email] }, changes, statesOf(changes));
    return [mail?.message.text, mail?.message.items[0]?.about?.resolved_by];
  };
  expect(told(open, [])).toEqual(["Rule “Certificates”. The problem is resolved.", "cause"]);
  expect(told(resolveByHand(open, now.getTime()), hosts(1, null))).toEqual([
    "Rule “Certificates”. A person resolved the alert. The problem may persist.",
    "person",
  ]);
  expect(told(open, hosts(1, null), { ...terms, enabled: false })).toEqual([
    "Rule “Certificates”. The rule was disabled or deleted. The problem may persist.",
    "rule",
  ]);
});

describe("a provider that tracks incidents", () => {
  test("is notified that a group is resolved only once all its alerts are", () => {
    const only = { ...of, channels: [pager] };
    const facts = hosts(2, "wildcard");
    const before = statesOf(change(facts));
    const one = change(facts.slice(1), before);
    const after = before.map((alert) => one.find((each) => each.alert.id === alert.id)?.alert ?? alert);
    expect(messagesOf(only, one, after)).toEqual([]);
    const rest = change([], after);
    const [over, ...others] = messagesOf(only, rest, statesOf(rest));
    expect(others).toEqual([]);
    expect(over?.message).toMatchObject({ state: "resolved", key: "r wildcard" });
  });

  const keyOf = (at: number) => `r null ${at}`;

  /** Successive evaluations of one rule. Each returns the state, the key and the number of alerts of the messages. */
  function evaluations(): (facts: Fact[]) => unknown[][] {
    let known: AlertState[] = [];
    return (facts) => {
      const changes = change(facts, known);
      const changed = new Map(changes.map(({ alert }) => [alert.id, alert]));
      known = [
        ...known.map((alert) => changed.get(alert.id) ?? alert),
        ...statesOf(changes.filter(({ isNew }) => isNew)),
      ];
      const messages = messagesOf({ ...of, channels: [pager] }, changes, known);
      return messages.map(({ message, alertIds }) => [message.state, message.key, alertIds.length]);
    };
  }

  test("shares an incident of the rule among all beyond 200, until there are few again", () => {
    const facts = hosts(230, null).map((fact) => ({ ...fact, severity: "warning" as const }));
    const evaluated = evaluations();
    const opened = evaluated(facts);
    expect(opened).toHaveLength(201);
    expect(opened).toContainEqual(["firing", keyOf(199), 1]);
    expect(opened).toContainEqual(["firing", "r", 30]);
    expect(evaluated(facts.slice(1, 229))).toEqual([
      ["firing", keyOf(200), 1],
      ["resolved", keyOf(0), 1],
      ["resolved", keyOf(229), 1],
    ]);
    const few = evaluated(facts.slice(50, 229));
    expect(few.filter(([state]) => state === "firing").map(([, key]) => key)).toEqual(
      Array.from({ length: 28 }, (_, at) => keyOf(201 + at)),
    );
    expect(few.filter(([state]) => state === "resolved")).toHaveLength(50);
    expect(few).toContainEqual(["resolved", "r", 49]);
  });

  test("is notified of the end of an incident whose place an older alert took when it reopened", () => {
    const evaluated = evaluations();
    const facts = hosts(201, null).map((fact) => ({ ...fact, severity: "warning" as const }));
    evaluated(facts.slice(0, 200));
    expect(evaluated(facts.slice(1))).toEqual([
      ["firing", keyOf(200), 1],
      ["resolved", keyOf(0), 1],
    ]);
    expect(evaluated(facts)).toEqual([["firing", keyOf(0), 1]]);
    expect(evaluated(facts.slice(0, 200))).toContainEqual(["resolved", keyOf(200), 1]);
  });

  test("is notified of the end of what it knows, also if the rule has other channels by then", () => {
    const named = { ...rule, steps: steps({ channel_ids: ["018f0000-0000-7000-8000-000000000001"] }) };
    const channels = [{ ...email, id: "018f0000-0000-7000-8000-000000000001" }, pager];
    const known = statesOf(change(hosts(1, "known"))).map((alert) => ({ ...alert, trackedBy: [pager.id] }));
    const before = [...known, ...statesOf(change(hosts(1, "other")))];
    const changes = change([], before);
    const toPager = messagesOf({ ...of, rule: named, channels }, changes, statesOf(changes)).filter(
      ({ channelId }) => channelId === pager.id,
    );
    expect(toPager.map(({ message }) => [message.state, message.key])).toEqual([["resolved", "r known"]]);
    const raised = change(
      hosts(1, "known").map((fact) => ({ ...fact, causes: ["untrusted_root", "expired"] })),
      known,
    );
    const messages = messagesOf({ ...of, rule: named, channels }, raised, statesOf(raised));
    expect(messages.map(({ channelId }) => channelId)).toEqual([channels[0]?.id]);
    const receivers = (reason: "resolved" | "raised") =>
      known.map((alert) => receiversOf(named.steps, { alert, reason }, channels).map(({ name }) => name));
    expect(receivers("resolved")).toEqual([channels.map(({ name }) => name)]);
    expect(receivers("raised")).toEqual([[channels[0]?.name]]);
  });

  test("gets one message per certificate", () => {
    const changes = change([...hosts(3, "one"), ...hosts(3, "other")]);
    const messages = messagesOf({ ...of, channels: [pager] }, changes, statesOf(changes));
    expect(messages.map(({ message }) => message.key).sort()).toEqual(["r one", "r other"]);
  });
});

test("notifies the channels of every reached step, or all channels if none of them is enabled", () => {
  const enabled = [email, pager];
  const escalating = steps(
    { channel_ids: ["018f0000-0000-7000-8000-000000000001"] },
    { channel_ids: [], after_minutes: 5 },
  );
  const named = [{ ...email, id: "018f0000-0000-7000-8000-000000000001" }, pager];
  expect(channelsOf(steps({}), { step: 0 }, enabled)).toEqual(enabled);
  expect(channelsOf(escalating, { step: 0 }, named)).toEqual([named[0]]);
  expect(channelsOf(escalating, { step: 1 }, named)).toEqual(named);
  expect(channelsOf(escalating, { step: 0 }, [pager])).toEqual([pager]);
});
