import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { aged } from "@/e2e/support/aged-key";
import { withKey } from "@/e2e/support/api";
import { fillWithEndpoints } from "@/e2e/support/large-organization";
import { newOrganization, newOrganizationWithoutRules, type Organization } from "@/e2e/support/organization";
import { eventById, makeRulesDue, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type { Alert, AlertDetail } from "@/lib/alerts/contract";
import { getAlert } from "@/lib/alerts/get";
import { listAlerts } from "@/lib/alerts/list";
import type { AlertRule, RuleMatch, RuleTest } from "@/lib/alerts/rules/contract";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import type { Message } from "@/lib/notification-channels/providers/message";
import { DAY_MS } from "@/lib/time/units";
import type { Monitor } from "@/lib/uptime/contract";

const server = sharedServer();
const closing: { close: () => unknown }[] = [];
afterAll(() => Promise.all(closing.map((each) => each.close())));

type Asked = Parameters<typeof listAlerts>[1];

const none: Asked = {
  limit: 200,
  cursor: undefined,
  status: undefined,
  severity: undefined,
  rule_id: undefined,
  subject_id: undefined,
  certificate_id: undefined,
  since: undefined,
  until: undefined,
};

/** Uses the verbs, because polling would exceed the rate limit. */
async function alertsOf({ id }: { id: string }, asked: Partial<Asked> = {}) {
  return (await listAlerts(systemPrincipal(id), { ...none, ...asked })).items;
}

const alertOf = ({ id: organization }: { id: string }, id: string) => getAlert(systemPrincipal(organization), { id });

/** Waits for the result of evaluations. */
async function evaluated<T>(owner: { id: string }, what: string, is: () => Promise<T | false | null | undefined>) {
  return until(what, async () => {
    await makeRulesDue(server, owner.id);
    return is();
  });
}

async function addRule({ admin }: Organization, rule: object): Promise<AlertRule> {
  const answer = await admin.post<AlertRule>("/alert-rules", { name: newId(), ...rule });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

async function addWebhook({ admin }: Organization): Promise<{ channel: NotificationChannel; receiver: Receiver }> {
  const receiver = await newReceiver();
  closing.push(receiver);
  const body = { type: "webhook", name: newId(), settings: { url: receiver.url } };
  const answer = await admin.post<NotificationChannel>("/notification-channels", body);
  expect(answer.status, answer.text).toBe(201);
  return { channel: answer.data, receiver };
}

interface Notification {
  type: string;
  data: Pick<Message, "title" | "severity" | "items" | "text">;
}

const notificationsTo = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body) as Notification);

/** A web site whose status can be set, and the monitor that checks it. */
async function watchSite({ admin }: Organization, tags: string[] = []) {
  const site = { status: 500 };
  const made: Server = createServer((_request, response) => response.writeHead(site.status).end());
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  closing.push({ close: () => made.close().closeAllConnections() });
  const target = `http://127.0.0.1:${(made.address() as AddressInfo).port}/`;
  const input = { name: newId(), type: "http", target, tags, failure_threshold: 1, recovery_threshold: 1 };
  const answer = await admin.post<Monitor>("/uptime", input);
  expect(answer.status, answer.text).toBe(201);
  const { data: monitor } = answer;
  const answers = async (status: number) => {
    site.status = status;
    expect((await admin.post(`/uptime/${monitor.id}/check`)).status).toBe(200);
  };
  return { monitor, answers };
}

async function watchTls({ admin }: Organization, { port }: TestServer, host = "127.0.0.1") {
  const answer = await admin.post<{ id: string }>("/certificates/endpoints", { host, port, sni: "good.test" });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

const down = { condition: { type: "monitor_down" }, steps: [{ severity: "warning" }], resolve_after_minutes: 0 };

describe("alert rules", () => {
  test("a new organization has default rules, and they raise alerts", async () => {
    const owner = await newOrganization(server);
    const { data: rules } = await owner.read.get<AlertRule[]>("/alert-rules");
    expect(rules.map(({ name }) => name).sort()).toEqual([
      "Certificate problems",
      "Certificates about to expire",
      "Monitors down",
      "Suspicious use of API keys",
      "Unreachable endpoints",
    ]);
    const authority = await makeAuthority("Default");
    const testServer = await serveTls([await authority.leaf({ fromDays: -86, untilDays: 4 }), authority.intermediate]);
    closing.push(testServer);
    const endpoint = await watchTls(owner, testServer);
    const found = await evaluated(owner, "both rules alert", async () => {
      const alerts = await alertsOf(owner, { subject_id: endpoint.id });
      return alerts.length === 2 && alerts;
    });
    const byRule = Object.fromEntries(found.map((alert) => [alert.rule.name, alert]));
    expect(byRule["Certificates about to expire"]).toMatchObject({ severity: "critical", step: 3, status: "open" });
    expect(byRule["Certificate problems"]?.causes).toContain("untrusted_root");
    const { data: listed } = await owner.read.get<Alert[]>("/alerts?severity=critical&status=open");
    expect(listed.map(({ id }) => id)).toContain(byRule["Certificates about to expire"]?.id);
  });

  let owner: Organization | undefined;
  test.each([
    [{ condition: { type: "time_left" }, steps: [{ severity: "info" }] }, "steps.0.days_left"],
    [{ condition: { type: "monitor_down" }, steps: [{ days_left: 3 }] }, "steps.0.days_left"],
    [{ condition: { type: "monitor_down" }, steps: [{ after_minutes: 5 }, {}] }, "steps.1.after_minutes"],
    [{ condition: { type: "monitor_down" }, steps: [] }, "steps"],
    [{ condition: { type: "latency", above_ms: 0 }, steps: [{ severity: "info" }] }, "condition.above_ms"],
    [{ condition: { type: "security_event", flags: ["interrupted"] }, steps: [{}] }, "condition.flags.0"],
    [{ ...down, steps: [{ severity: "critical" }, { after_minutes: 9, severity: "info" }] }, "steps.1.severity"],
    [{ ...down, repeat_minutes: 1 }, "repeat_minutes"],
    [{ ...down, quiet_hours: { start: "22:00", end: "7:00", time_zone: "Europe/Berlin" } }, "quiet_hours.end"],
    [{ ...down, quiet_hours: { start: "22:00", end: "07:00", time_zone: "Moon/Base" } }, "quiet_hours.time_zone"],
    [{ ...down, steps: [{ channel_ids: [newId()] }] }, "steps.0.channel_ids.0"],
  ])("%o is refused with an issue for the field", async (rule, path) => {
    owner ??= await newOrganizationWithoutRules(server);
    const answer = await owner.admin.post("/alert-rules", { name: "x", ...rule });
    expect([answer.status, answer.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.error.issues?.map((issue) => issue.path)).toContain(path);
    expect((await owner.read.get<AlertRule[]>("/alert-rules")).data).toEqual([]);
  });

  test("a change keeps omitted fields, and an inconsistent result is refused", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const rule = await addRule(owner, { ...down, name: "Sites", repeat_minutes: 60 });
    const path = `/alert-rules/${rule.id}`;
    const { data: changed } = await owner.admin.put<AlertRule>(path, { repeat_minutes: null });
    expect(changed).toMatchObject({ name: "Sites", repeat_minutes: null, condition: rule.condition });
    const refused = await owner.admin.put(path, { condition: { type: "time_left" } });
    expect(refused.error.issues?.map((issue) => issue.path)).toEqual(["steps.0.days_left"]);
    const same = await owner.admin.post("/alert-rules", { ...down, name: "Sites" });
    expect([same.status, same.error.code]).toEqual([409, "CONFLICT"]);
    const stranger = await newOrganizationWithoutRules(server);
    expect((await stranger.admin.put(path, { enabled: false })).status).toBe(404);
    expect((await owner.read.put(path, { enabled: false })).error.code).toBe("METHOD_NOT_ALLOWED");
    const event = await eventById(server, (await owner.admin.put(path, { enabled: false })).requestId);
    expect(event).toMatchObject({ action: "alert_rule.update", resource_type: "alert_rule", resource_id: rule.id });
  });

  test("a preview shows what matches now, a test what would be sent; neither changes anything", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { channel, receiver } = await addWebhook(owner);
    const [shop] = [await watchSite(owner, ["shop"]), await watchSite(owner, ["docs"])];
    const rule = { ...down, name: "Shop", selector: { tags: ["shop"], ids: [] } };
    const preview = await owner.admin.post<{ count: number; matches: RuleMatch[] }>("/alert-rules/preview", rule);
    expect(preview.data).toMatchObject({
      count: 1,
      matches: [{ subject: { type: "monitor", id: shop.monitor.id }, step: 1, severity: "warning" }],
    });
    const made = await addRule(owner, { ...rule, enabled: false });
    await query(server, "app", "UPDATE alert_rules SET enabled = true WHERE id = $1", [made.id]);
    // Between two evaluations the alert may or may not be open; the response shows which.
    const { data: tested } = await owner.admin.post<RuleTest>(`/alert-rules/${made.id}/test`);
    expect(tested.held).toBe(false);
    for (const outcome of tested.outcomes) {
      expect(outcome).toMatchObject({ alert_id: null, entries: ["opened"], tell: "opened" });
      expect(outcome.channels).toEqual([{ id: channel.id, name: channel.name }]);
    }
    expect(receiver.received.length).toBeLessThanOrEqual(1);
  });

  test("the time left is that of certificates that are served or were submitted, also before the worker has filled in when they expire", async () => {
    const { id, admin } = await newOrganizationWithoutRules(server);
    await fillWithEndpoints(server, id, 3);
    const own = (text: string) => query(server, "app", text, [id]);
    // Certificates that no endpoint serves any more; one was submitted.
    const served = "SELECT certificate_id FROM certificate_endpoints WHERE organization_id = $1";
    const others = `UPDATE certificates SET not_after = now() - interval '1 hour', added_at = CASE common_name WHEN 'host-2' THEN now() END
      WHERE organization_id = $1 AND id NOT IN (${served})`;
    await own(others);
    const found = async (days_left: number) => {
      const rule = { name: "Left", condition: { type: "time_left" }, steps: [{ severity: "info", days_left }] };
      const { data } = await admin.post<{ matches: RuleMatch[] }>("/alert-rules/preview", rule);
      return data.matches.filter(({ step }) => step !== null).map(({ subject }) => subject.name);
    };
    const names = ["host-1.example:443", "host-2", "host-2.example:443", "host-3.example:443"];
    expect((await found(71)).sort()).toEqual(names);
    expect(await found(60)).toEqual(["host-2"]);
    await own(
      "UPDATE certificate_endpoints SET urgency = 9, expires_at = '9999-12-31T23:59:59.999Z' WHERE organization_id = $1",
    );
    expect((await found(71)).sort()).toEqual(names);
    expect(await found(60)).toEqual(["host-2"]);
  });
});

describe("an alert", () => {
  test("is notified once when it opens, can be acknowledged, and resolves with its cause", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { receiver } = await addWebhook(owner);
    const { monitor, answers } = await watchSite(owner);
    const rule = await addRule(owner, down);
    const opened = await evaluated(owner, "it opens", async () => (await alertsOf(owner))[0]);
    expect(opened).toMatchObject({
      rule: { id: rule.id, name: rule.name },
      subject: { type: "monitor", id: monitor.id, name: monitor.name },
      status: "open",
      severity: "warning",
      step: 1,
      causes: ["monitor_down"],
      certificate_id: null,
    });
    await until("it was notified", () => receiver.received.length === 1);
    const [first] = notificationsTo(receiver);
    expect(first).toMatchObject({
      type: "alert.firing",
      data: { severity: "warning", items: [{ subject: monitor.name, alert_id: opened.id }] },
    });

    const path = `/alerts/${opened.id}`;
    expect((await owner.read.post(`${path}/acknowledge`, {})).error.code).toBe("METHOD_NOT_ALLOWED");
    const acknowledged = await owner.admin.post<AlertDetail>(`${path}/acknowledge`, { note: "on it" });
    expect(acknowledged.data).toMatchObject({ status: "acknowledged", acknowledged_by: "Admin" });
    expect(await eventById(server, acknowledged.requestId)).toMatchObject({
      action: "alert.acknowledge",
      resource_type: "alert",
      resource_id: opened.id,
    });
    await answers(200);
    const over = await evaluated(owner, "it is over", async () => {
      const alert = await alertOf(owner, opened.id);
      return alert.status === "resolved" && alert;
    });
    expect(over.resolved_by).toBe("cause");
    await until("its end was notified", () => receiver.received.length === 2);
    expect(notificationsTo(receiver)[1]).toMatchObject({ type: "alert.resolved" });
    const { data } = await owner.read.get<AlertDetail>(path);
    const kinds = data.timeline.map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(["opened", "told", "acknowledged"]);
    expect(kinds.slice(3)).toEqual(["cause_gone", "resolved", "told"]);
    expect(data.timeline[2]).toMatchObject({ actor: "Admin", details: { note: "on it" } });
    const again = await owner.admin.post(`${path}/resolve`, {});
    expect([again.status, again.error.code]).toEqual([409, "CONFLICT"]);
    const stranger = await newOrganizationWithoutRules(server);
    expect((await stranger.read.get(path)).status).toBe(404);
  });

  test("resolved by a person with a note stays resolved while its cause remains, and the resolution is notified", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { receiver } = await addWebhook(owner);
    await watchSite(owner);
    await addRule(owner, down);
    const { id } = await evaluated(owner, "it opens", async () => (await alertsOf(owner))[0]);
    const note = "planned work";
    const { data } = await owner.admin.post<AlertDetail>(`/alerts/${id}/resolve`, { note });
    expect(data).toMatchObject({ status: "resolved", resolved_by: "person" });
    const resolved = data.timeline.find(({ kind }) => kind === "resolved");
    expect(resolved).toMatchObject({ actor: "Admin", details: { note } });
    await until("its end was notified", () => notificationsTo(receiver).some(({ type }) => type === "alert.resolved"));
    const { data: tests } = await owner.admin.post<RuleTest>(`/alert-rules/${data.rule.id}/test`);
    expect(tests.outcomes).toEqual([]);
    expect(await alertsOf(owner)).toHaveLength(1);
  });

  test("sends nothing while it is snoozed", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { receiver } = await addWebhook(owner);
    const { answers } = await watchSite(owner);
    await addRule(owner, down);
    const { id } = await evaluated(owner, "it opens", async () => (await alertsOf(owner))[0]);
    await until("it was notified", () => receiver.received.length === 1);
    for (const until of ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"]) {
      const refused = await owner.admin.post(`/alerts/${id}/snooze`, { until });
      expect(refused.error.issues?.map(({ path }) => path)).toEqual(["until"]);
    }
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { data } = await owner.admin.post<AlertDetail>(`/alerts/${id}/snooze`, { until: later });
    expect(data).toMatchObject({ status: "snoozed", snoozed_until: later });
    expect(await alertsOf(owner, { status: "snoozed" })).toHaveLength(1);
    expect(await alertsOf(owner, { status: "open" })).toEqual([]);
    await answers(200);
    await evaluated(owner, "it is over", async () => (await alertsOf(owner, { status: "resolved" })).length === 1);
    expect((await alertOf(owner, id)).timeline.at(-1)).toMatchObject({ kind: "resolved" });
    expect(receiver.received).toHaveLength(1);
    const end = "UPDATE alerts SET snoozed_until = now() WHERE organization_id = $1 AND id = $2 RETURNING id";
    expect(await query(server, "app", end, [owner.id, id])).toHaveLength(1);
    await evaluated(owner, "its end was notified", async () => receiver.received.length === 2);
  });

  test("quiet hours hold notifications, which a rule's test shows; they are sent at the end", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { receiver } = await addWebhook(owner);
    await watchSite(owner);
    const always = { start: "00:00", end: "00:00", time_zone: "Pacific/Auckland", except_critical: false };
    const rule = await addRule(owner, { ...down, quiet_hours: always });
    const { id } = await evaluated(owner, "it opens", async () => (await alertsOf(owner))[0]);
    const { data: tested } = await owner.admin.post<RuleTest>(`/alert-rules/${rule.id}/test`);
    expect(tested).toEqual({ held: true, outcomes: [] });
    expect((await alertOf(owner, id)).last_told_at).toBeNull();
    expect(receiver.received).toEqual([]);
    await owner.admin.put(`/alert-rules/${rule.id}`, { quiet_hours: null });
    await until("it was notified", () => receiver.received.length === 1);
  });

  test("of many endpoints with one certificate is one message", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { receiver } = await addWebhook(owner);
    const authority = await makeAuthority("Wildcard");
    const testServer = await serveTls([await authority.leaf(), authority.intermediate], {}, "0.0.0.0");
    closing.push(testServer);
    for (const at of [1, 2, 3, 4]) await watchTls(owner, testServer, `127.0.0.${at}`);
    await addRule(owner, { condition: { type: "finding", codes: ["untrusted_root"] }, steps: [{}] });
    const alerts = await evaluated(owner, "all are there", async () => {
      const found = await alertsOf(owner);
      return found.length === 4 && found;
    });
    expect(new Set(alerts.map(({ certificate_id }) => certificate_id)).size).toBe(1);
    await until("they were notified", () => receiver.received.length > 0);
    const [message, ...others] = notificationsTo(receiver);
    expect(others).toEqual([]);
    expect(message?.data.items).toHaveLength(4);
  });

  test("about the log: an old secret and a new country, by the user of the key", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { receiver } = await addWebhook(owner);
    const flags = ["rotated_secret", "new_country"];
    await addRule(owner, { condition: { type: "security_event", flags }, steps: [{ severity: "warning" }] });
    // Rules consider only events after their first evaluation.
    const place = "SELECT events_place FROM alert_evaluations WHERE organization_id = $1";
    await until("the log's end was noted", async () => {
      const [row] = await query<{ events_place: unknown }>(server, "app", place, [owner.id]);
      return row?.events_place !== null;
    });
    const old = await owner.newKey({ name: "old" });
    // In the first day of a key no origin is new.
    const wanderer = await aged(server, await owner.newKey({ name: "wanderer" }), 2 * DAY_MS);
    const abroad = withKey(server, wanderer.secret).with({ "x-forwarded-for": "8.8.8.8" });
    expect((await abroad.get("/certificates")).status).toBe(200);
    await owner.admin.post(`/api-keys/${old.id}/rotate`);
    expect((await old.api.get("/certificates")).status).toBe(401);
    const alerts = await evaluated(owner, "both are there", async () => {
      const found = await alertsOf(owner);
      return found.length === 2 && found;
    });
    const bySubject = Object.fromEntries(alerts.map((alert) => [alert.subject.name, alert]));
    expect(bySubject.old).toMatchObject({
      subject: { type: "api_key", id: old.id },
      causes: ["rotated_secret"],
      detail: "rotated secret from 127.0.0.1 (unrecognized): the secret may have leaked",
    });
    expect(bySubject.wanderer).toMatchObject({ subject: { id: wanderer.id }, causes: ["new_country"] });
    await until("they were notified", () => notificationsTo(receiver).flatMap(({ data }) => data.items).length === 2);
  });

  test("whose cause began and ended between two evaluations opens and resolves once, with both messages", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { receiver } = await addWebhook(owner);
    await addRule(owner, down);
    await addRule(owner, { ...down, steps: [{ severity: "warning", after_minutes: 30 }] });
    const finding = { type: "finding", codes: ["hostname_mismatch"] };
    await addRule(owner, { condition: finding, steps: [{}], resolve_after_minutes: 0 });
    // A lease without a worker, as a killed worker leaves it.
    const hold = `UPDATE alert_evaluations SET leased_until = now() + interval '1 hour'
      WHERE organization_id = $1 AND leased_until IS NULL RETURNING organization_id`;
    await until("no evaluation runs", async () => (await query(server, "app", hold, [owner.id])).length > 0);
    const { monitor, answers } = await watchSite(owner);
    await answers(500);
    await answers(200);
    const authority = await makeAuthority("Between");
    const testServer = await serveTls([await authority.leaf(), authority.intermediate]);
    closing.push(testServer);
    const target = { host: "127.0.0.1", port: testServer.port, sni: "other.test" };
    const { data: endpoint } = await owner.admin.post<{ id: string }>("/certificates/endpoints", target);
    const changed = await owner.admin.put(`/certificates/endpoints/${endpoint.id}`, { sni: "good.test" });
    expect(changed.status, changed.text).toBe(200);
    const ended = `SELECT FROM uptime_incidents WHERE organization_id = $1 AND ended_at IS NOT NULL UNION ALL
      SELECT FROM certificate_findings WHERE organization_id = $1 AND code = 'hostname_mismatch' AND closed_at IS NOT NULL`;
    expect(await query(server, "app", ended, [owner.id])).toHaveLength(2);
    expect(await alertsOf(owner)).toEqual([]);
    await query(server, "app", "UPDATE alert_evaluations SET leased_until = NULL WHERE organization_id = $1", [
      owner.id,
    ]);
    const alerts = await evaluated(owner, "both are over", async () => {
      const found = await alertsOf(owner, { status: "resolved" });
      return found.length === 2 && found;
    });
    expect(alerts.map(({ subject }) => subject.id).sort()).toEqual([monitor.id, endpoint.id].sort());
    await until("both messages of both were sent", () => receiver.received.length >= 4);
    const awaits = `SELECT FROM uptime_incidents WHERE organization_id = $1 AND awaits_evaluation UNION ALL
      SELECT FROM certificate_findings WHERE organization_id = $1 AND awaits_evaluation`;
    expect(await query(server, "app", awaits, [owner.id])).toEqual([]);
    expect(await alertsOf(owner)).toHaveLength(2);
    for (const { id } of alerts) {
      const { timeline } = await alertOf(owner, id);
      expect(timeline.map(({ kind }) => kind)).toEqual(["opened", "told", "cause_gone", "resolved", "told"]);
    }
    expect(
      notificationsTo(receiver)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(["alert.firing", "alert.firing", "alert.resolved", "alert.resolved"]);
  });

  test("whose only messages a failing channel has lost is sent to another one when that channel is disabled", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const [dead, alive] = [await addWebhook(owner), await addWebhook(owner)];
    dead.receiver.answer = 410;
    const naming = (...channel_ids: string[]) =>
      addRule(owner, { ...down, steps: [{ severity: "warning", channel_ids }] });
    const [one, other] = [dead.channel.id, alive.channel.id];
    // The last is not sent again, because the other channel got it.
    const rules = [await naming(one), await naming(one), await naming(one, other)];
    const { answers } = await watchSite(owner);
    await answers(500);
    const alerts = await evaluated(owner, "the other channel is notified of each", async () => {
      const all = await alertsOf(owner);
      const told = notificationsTo(alive.receiver).flatMap(({ data }) => data.items.map(({ alert_id }) => alert_id));
      return all.length === 3 && all.every(({ id }) => told.includes(id)) && all;
    });
    expect(alerts.map(({ rule }) => rule.id).sort()).toEqual(rules.map(({ id }) => id).sort());
    const [notice] = notificationsTo(alive.receiver).filter(({ type }) => type === "notice");
    expect(notice?.data.text).toContain("3 messages were lost; alerts that nobody else got are sent again.");
    const sent = notificationsTo(alive.receiver).filter(({ type }) => type === "alert.firing");
    expect(sent).toHaveLength(3);
  });

  test("whose messages the only channel has lost is sent when that channel is enabled again, but not if it was acknowledged", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { channel, receiver } = await addWebhook(owner);
    receiver.answer = 410;
    const rules = [await addRule(owner, down), await addRule(owner, down), await addRule(owner, down)];
    const { answers } = await watchSite(owner);
    await answers(500);
    const path = `/notification-channels/${channel.id}`;
    await evaluated(owner, "the channel is disabled", async () => {
      const { data } = await owner.admin.get<NotificationChannel>(path);
      return data.state === "disabled";
    });
    const alerts = await evaluated(owner, "nobody was notified", async () => {
      const all = await alertsOf(owner);
      return all.length === 3 && all.every(({ last_told_at }) => last_told_at === null) && all;
    });
    const known = alerts.find(({ rule }) => rule.id === rules[0]?.id);
    expect((await owner.admin.post(`/alerts/${known?.id}/acknowledge`, {})).status).toBe(200);
    const before = receiver.received.length;
    receiver.answer = 200;
    expect((await owner.admin.put(path, { enabled: true })).status).toBe(200);
    const again = () =>
      notificationsTo(receiver)
        .slice(before)
        .flatMap(({ data }) => data.items.map(({ alert_id }) => alert_id));
    await evaluated(owner, "the others are sent", async () => again().length === 2);
    const others = alerts.filter(({ id }) => id !== known?.id).map(({ id }) => id);
    expect(again().sort()).toEqual(others.sort());
  });

  test("ends its incident at PagerDuty also if its rule has other channels by then", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { channel } = await addWebhook(owner);
    const pager = await newReceiver();
    closing.push(pager);
    const settings = { routing_key: "0".repeat(32), api_url: pager.url };
    const body = { type: "pagerduty", name: "Pager", settings };
    const { data: made } = await owner.admin.post<NotificationChannel>("/notification-channels", body);
    const stepsTo = (id: string) => ({ steps: [{ severity: "warning", channel_ids: [id] }] });
    const rule = await addRule(owner, { ...down, ...stepsTo(made.id) });
    const { answers } = await watchSite(owner);
    await answers(500);
    const events = () =>
      pager.received.map((one) => JSON.parse(one.body) as { event_action: string; dedup_key: string });
    await evaluated(owner, "the incident begins", async () => events().length === 1);
    expect((await owner.admin.put(`/alert-rules/${rule.id}`, stepsTo(channel.id))).status).toBe(200);
    await answers(200);
    await evaluated(owner, "the incident ends", async () => events().length === 2);
    const [begin, end] = events();
    expect([begin?.event_action, end?.event_action]).toEqual(["trigger", "resolve"]);
    expect(end?.dedup_key).toBe(begin?.dedup_key);
  });

  test("is resolved when its rule is deleted, and stays in the list", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const { receiver } = await addWebhook(owner);
    await watchSite(owner);
    const [first, second] = [await addRule(owner, down), await addRule(owner, down)];
    await evaluated(owner, "both are there", async () => (await alertsOf(owner, { status: "open" })).length === 2);
    await owner.admin.put(`/alert-rules/${first.id}`, { enabled: false });
    await owner.admin.delete(`/alert-rules/${second.id}`);
    const over = await evaluated(owner, "both are over", async () => {
      const found = await alertsOf(owner, { status: "resolved" });
      return found.length === 2 && found;
    });
    expect(over.map(({ resolved_by, rule }) => [resolved_by, rule.name]).sort()).toEqual(
      [first, second].map(({ name }) => ["rule", name]).sort(),
    );
    expect((await owner.read.get(`/alert-rules/${second.id}`)).status).toBe(404);
    await until(
      "both ends were notified",
      () => notificationsTo(receiver).filter(({ type }) => type === "alert.resolved").length === 2,
    );
  });
});
