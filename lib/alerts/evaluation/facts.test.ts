import { describe, expect, test } from "vitest";
import { factsOf, unjudgedSubjects } from "@/lib/alerts/evaluation/facts";
import { condition, selector, step } from "@/lib/alerts/rules/conditions";
import { defaultRules } from "@/lib/alerts/rules/default-rules";
import { byCaller } from "@/lib/alerts/situation/flagged-events";
import type { OpenFinding, Situation } from "@/lib/alerts/situation/situation";
import { type FindingCode, findingCodes } from "@/lib/certificates/findings";

const DAY = 86_400_000;
const now = Date.parse("2026-11-21T12:00:00Z");
const nothing: Situation = {
  organizationId: "o",
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
};
const steps = [step.parse({ severity: "warning" })];
const everything = selector.parse({});

const finding = (code: FindingCode, more: Partial<OpenFinding> = {}): OpenFinding => ({
  id: "f",
  endpointId: "e",
  endpointName: "shop.example.com:443",
  tags: ["shop"],
  certificateId: "c",
  code,
  severity: "warning",
  openedAt: now - DAY,
  closedAt: null,
  ...more,
});

const found = (findings: OpenFinding[], terms: object = {}, chosen: object = {}) =>
  factsOf(
    { selector: selector.parse(chosen), condition: condition.parse({ type: "finding", ...terms }), steps },
    { ...nothing, findings },
  );

describe("findings", () => {
  test("of one endpoint and certificate are one fact with the highest severity and the longest duration", () => {
    const facts = found([
      finding("untrusted_root"),
      finding("weak_key", { severity: "critical", openedAt: now - 2 * DAY }),
    ]);
    expect(facts).toMatchObject([
      {
        subject: { type: "endpoint", id: "e", name: "shop.example.com:443" },
        certificateId: "c",
        causes: ["untrusted_root", "weak_key"],
        severity: "critical",
        since: now - 2 * DAY,
        detail: "untrusted root, weak key",
      },
    ]);
  });

  test("about reachability concern no certificate and have one cause, however a check fails", () => {
    const facts = found([finding("dns_failure"), finding("untrusted_root")]);
    expect(facts.map(({ certificateId, causes }) => [certificateId, causes])).toEqual([
      [null, ["unreachable"]],
      ["c", ["untrusted_root"]],
    ]);
  });

  test("are selected by code, severity, tag or id", () => {
    const all = [finding("untrusted_root"), finding("weak_key", { endpointId: "f", severity: "info", tags: [] })];
    expect(found(all)).toHaveLength(1);
    expect(found(all, { severity: "info" })).toHaveLength(2);
    expect(found(all, { severity: "info", codes: ["weak_key"] })).toHaveLength(1);
    expect(found(all, { severity: "info", except_codes: ["weak_key", "untrusted_root"] })).toEqual([]);
    expect(found(all, { severity: "info" }, { tags: ["shop"] })).toHaveLength(1);
    expect(found(all, { severity: "info" }, { ids: ["018f0000-0000-7000-8000-000000000001"] })).toEqual([]);
  });
});

test("shows the time left in days, then in hours, then as expired", () => {
  const detailOf = (left: number) =>
    factsOf(
      { selector: everything, condition: { type: "time_left" }, steps },
      {
        ...nothing,
        validities: [
          {
            subject: { type: "endpoint", id: "e", name: "shop" },
            certificateId: "c",
            tags: [],
            notBefore: now - 80 * DAY,
            notAfter: now + left,
          },
        ],
      },
    )[0]?.detail;
  expect([detailOf(12.9 * DAY), detailOf(DAY), detailOf(-3 * DAY)]).toEqual([
    "12 days left",
    "24 hours left",
    "expired 3 days ago",
  ]);
});

test("matches only monitors slower than the rule's limit in the rule's window", () => {
  const slow = [{ monitorId: "m", name: "shop", tags: [], windowMinutes: 15, ofMinutes: 40, medianMs: 800.4 }];
  const facts = (terms: object) =>
    factsOf(
      { selector: everything, condition: condition.parse({ type: "latency", ...terms }), steps },
      { ...nothing, slow },
    );
  expect(facts({ above_ms: 500 })[0]?.detail).toBe("responds in 800 ms (median of 40 min)");
  expect(facts({ above_ms: 900 })).toEqual([]);
  expect(facts({ above_ms: 500, window_minutes: 5 })).toEqual([]);
});

test("a monitor with too few checks is unjudged by the rules that select it and have its window", () => {
  const unjudged = [{ monitorId: "m", tags: ["shop"], windowMinutes: 15 }];
  const ids = (terms: object, of: object = {}) => [
    ...unjudgedSubjects({ selector: selector.parse(of), condition: condition.parse(terms) }, { ...nothing, unjudged }),
  ];
  const latency = { type: "latency", above_ms: 500 };
  expect(ids(latency)).toEqual(["m"]);
  expect(ids(latency, { tags: ["shop"] })).toEqual(["m"]);
  expect(ids(latency, { tags: ["docs"] })).toEqual([]);
  expect(ids({ ...latency, window_minutes: 5 })).toEqual([]);
  expect(ids({ type: "monitor_down" })).toEqual([]);
});

test("events of one caller are one fact, and so are those of all unknown callers", () => {
  const event = { organization_id: "o", user_id: null, user_name: null, ip_address: "192.0.2.1" };
  const mine = { ...event, api_key_id: "k", api_key_name: "ci" };
  const nobody = { ...event, api_key_id: null, api_key_name: null, flags: ["new_country" as const] };
  const events = byCaller(
    [
      { ...mine, flags: ["rotated_secret", "sign_in"] },
      { ...mine, flags: ["new_country"], ip_address: "192.0.2.2" },
      nobody,
    ],
    ["rotated_secret", "new_country"],
  );
  const terms = condition.parse({ type: "security_event", flags: ["rotated_secret", "new_country"] });
  const facts = factsOf({ selector: everything, condition: terms, steps }, { ...nothing, events });
  expect(facts.map(({ subject, causes, detail }) => [subject.name, causes, detail])).toEqual([
    ["ci", ["new_country", "rotated_secret"], "new country, rotated secret (2 times) from 192.0.2.1, 192.0.2.2"],
    ["Unknown callers", ["new_country"], "new country from 192.0.2.1"],
  ]);
});

test("unrecognized addresses that tried an old secret come first and are named as such", () => {
  const terms = condition.parse({ type: "security_event", flags: ["rotated_secret"] });
  const subject = { type: "api_key" as const, id: "k", name: "ci" };
  const addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "203.0.113.7"];
  const tried = { subject, flags: ["rotated_secret" as const], count: 4, addresses };
  const detailOf = (strangers?: string[]) =>
    factsOf(
      { selector: everything, condition: terms, steps },
      { ...nothing, events: [{ ...tried, ...(strangers && { strangers }) }] },
    )[0]?.detail;
  expect(detailOf()).toBe("rotated secret (4 times) from 192.0.2.1, 192.0.2.2, 192.0.2.3, …");
  expect(detailOf(["203.0.113.7"])).toBe(
    "rotated secret (4 times) from 203.0.113.7 (unrecognized), 192.0.2.1, 192.0.2.2, …: the secret may have leaked",
  );
});

test("the default rules cover every significant finding exactly once", () => {
  // The rule about the time left covers `expires_soon`; a certificate change is informational.
  const exempt = ["expires_soon", "certificate_changed"];
  for (const code of findingCodes) {
    const rules = defaultRules.filter(
      ({ selector, condition, steps }) =>
        factsOf({ selector, condition, steps }, { ...nothing, findings: [finding(code)] }).length > 0,
    );
    expect(rules.length, code).toBe(exempt.includes(code) ? 0 : 1);
  }
});

describe("destinations that are behind", () => {
  const lag = (more: object) => ({
    id: "d",
    name: "SIEM",
    entries: 0,
    seconds: 0,
    pausedReason: null,
    failure: null,
    ...more,
  });
  const found = (destinationLags: ReturnType<typeof lag>[], ids: string[] = []) =>
    factsOf(
      { selector: { tags: [], ids }, condition: condition.parse({ type: "destination_lag" }), steps },
      { ...nothing, destinationLags },
    ).map(({ subject, causes, detail }) => ({ subject, causes, detail }));
  const subject = { type: "destination", id: "d", name: "SIEM" };

  test("match from the minutes of the condition on, with the reason if it is known", () => {
    expect(found([lag({ entries: 5, seconds: 899 }), lag({})])).toEqual([]);
    expect(found([lag({ entries: 1, seconds: 900 })])).toEqual([
      { subject, causes: ["destination_behind"], detail: "1 entry not sent, the first for 15 minutes" },
    ]);
    expect(found([lag({ entries: 4_711, seconds: 90_000, failure: "HTTP status 503" })])).toEqual([
      {
        subject,
        causes: ["destination_behind"],
        detail: "4,711 entries not sent, the first for 25 hours: HTTP status 503",
      },
    ]);
  });

  test("match at once if Sealwatch paused them", () => {
    const paused = lag({
      entries: 2,
      seconds: 60,
      pausedReason: "Nothing could be sent for 24 hours: HTTP status 403.",
    });
    const detail =
      "2 entries not sent, the first for 1 minute; paused: nothing could be sent for 24 hours: HTTP status 403";
    expect(found([paused])).toEqual([{ subject, causes: ["destination_paused"], detail }]);
  });

  test("match only if they are selected", () => {
    expect(found([lag({ seconds: 9_000 })], ["other"])).toEqual([]);
    expect(found([lag({ seconds: 9_000 })], ["d"])).toHaveLength(1);
  });
});
