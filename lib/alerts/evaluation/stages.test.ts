import { describe, expect, test } from "vitest";
import type { AlertState } from "@/lib/alerts/alert-state";
import { evaluate } from "@/lib/alerts/evaluation/evaluate";
import { factsOf } from "@/lib/alerts/evaluation/facts";
import { stagesOf } from "@/lib/alerts/evaluation/stages";
import { type Condition, condition, selector, step } from "@/lib/alerts/rules/conditions";
import type { Ended, Incident, OpenFinding, Situation } from "@/lib/alerts/situation/situation";
import { newId } from "@/lib/ids";

const MINUTE = 60_000;
const now = Date.parse("2026-11-22T12:00:00Z");
const nothing: Situation = {
  now,
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

const incident = (id: string, minutes: [number, number | null], monitorId = "m"): Incident => ({
  ...{ id, monitorId, name: monitorId, tags: [], reason: "connection_refused" },
  startedAt: now - minutes[0] * MINUTE,
  endedAt: minutes[1] === null ? null : now - minutes[1] * MINUTE,
});
const finding = (id: string, code: OpenFinding["code"], minutes: [number, number | null]): OpenFinding => ({
  ...{ id, endpointId: "e", endpointName: "shop.example.com:443", tags: [], certificateId: "c", code },
  severity: "warning",
  openedAt: now - minutes[0] * MINUTE,
  closedAt: minutes[1] === null ? null : now - minutes[1] * MINUTE,
});

/** The notifications of one evaluation of a rule, and its alerts afterwards. */
function evaluated(
  terms: Condition,
  afterMinutes: number,
  situation: Partial<Situation>,
  ended: Partial<Ended>,
  before: readonly AlertState[] = [],
) {
  const steps = [step.parse({ severity: "warning", after_minutes: afterMinutes })];
  const rule = {
    ...{ enabled: true, steps, isOfEvents: false, resolveAfterMinutes: 0, repeatMinutes: 1, sendResolved: true },
    quietHours: null,
  };
  const stages = stagesOf({ ...nothing, ...situation }, { findings: [], incidents: [], ...ended });
  const alerts = new Map(before.map((alert) => [alert.id, alert]));
  const notified: string[] = [];
  for (const stage of stages) {
    const facts = factsOf({ selector: selector.parse({}), condition: terms, steps }, stage);
    const changes = evaluate(rule, facts, [...alerts.values()], {
      now,
      isMassFailure: false,
      isPast: stage !== stages.at(-1),
      newId,
    });
    for (const { alert, reason } of changes) {
      alerts.set(alert.id, alert);
      if (reason !== null) notified.push(`${alert.subject.id} ${reason}`);
    }
  }
  return { notified, alerts: [...alerts.values()] };
}

const down = condition.parse({ type: "monitor_down" });
const found = condition.parse({ type: "finding" });

describe("a cause that began and ended since the previous evaluation", () => {
  test("opens and resolves one alert", () => {
    const { notified, alerts } = evaluated(down, 0, {}, { incidents: [incident("1", [3, 2])] });
    expect(notified).toEqual(["m opened", "m resolved"]);
    expect(alerts).toMatchObject([{ resolvedAt: now, resolvedBy: "cause", told: null }]);
    const again = evaluated(found, 0, {}, { findings: [finding("1", "untrusted_root", [3, 2])] });
    expect(again.notified).toEqual(["e opened", "e resolved"]);
  });

  test("opens no alert if it was shorter than the rule's delay, however long ago it was", () => {
    expect(evaluated(down, 5, {}, { incidents: [incident("1", [60, 56])] }).notified).toEqual([]);
    expect(evaluated(down, 5, {}, { incidents: [incident("1", [60, 55])] }).notified).toEqual([
      "m opened",
      "m resolved",
    ]);
    const short = finding("1", "untrusted_root", [60, 56]);
    expect(evaluated(found, 5, {}, { findings: [short] }).notified).toEqual([]);
    expect(
      evaluated(found, 5, { findings: [finding("2", "weak_key", [1, null])] }, { findings: [short] }).notified,
    ).toEqual([]);
  });

  test("is sent each time it began and ended, without affecting others", () => {
    const incidents = [incident("1", [9, 8]), incident("2", [7, 6]), incident("3", [9, 5], "n")];
    const situation = { incidents: [incident("4", [2, null]), incident("5", [2, null], "o")] };
    const { notified, alerts } = evaluated(down, 0, situation, { incidents });
    expect(notified.filter((each) => each.startsWith("m"))).toEqual([
      ...["m opened", "m resolved", "m opened", "m resolved"],
      "m opened",
    ]);
    expect(notified.filter((each) => each.startsWith("n"))).toEqual(["n opened", "n resolved"]);
    expect(notified.filter((each) => each.startsWith("o"))).toEqual(["o opened"]);
    expect(alerts).toHaveLength(3);
  });

  test("raises the alert of a persisting cause without resolving it", () => {
    const lasting = { findings: [finding("1", "untrusted_root", [20, null])] };
    const before = evaluated(found, 0, lasting, {});
    const { notified, alerts } = evaluated(
      found,
      0,
      lasting,
      { findings: [finding("2", "weak_key", [3, 2])] },
      before.alerts,
    );
    expect(notified).toEqual(["e raised"]);
    expect(alerts).toMatchObject([{ resolvedAt: null, causes: ["untrusted_root"] }]);
  });
});

test("a cause with an alert resolves once, without being repeated", () => {
  const before = evaluated(down, 0, { incidents: [incident("1", [60, null])] }, {});
  const known = before.alerts.map((alert) => ({
    ...alert,
    told: alert.told && { ...alert.told, at: now - 60 * MINUTE },
  }));
  const ended = { incidents: [incident("1", [60, 1])] };
  expect(evaluated(down, 0, {}, ended, known).notified).toEqual(["m resolved"]);
  // It may end between the two statements that read it.
  expect(evaluated(down, 0, { incidents: [incident("1", [60, null])] }, ended, known).notified).toEqual(["m resolved"]);
});
