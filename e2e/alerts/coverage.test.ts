import { describe, expect, test } from "vitest";
import { newOrganization, newOrganizationWithoutRules, type Organization } from "@/e2e/support/organization";
import { makeRulesDue, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newReceiver } from "@/e2e/support/stand-ins/receiver";
import { newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { readNotificationGaps } from "@/lib/alerts/coverage/notification-gaps";
import { listAlerts } from "@/lib/alerts/list";
import type { AlertCoverage, AlertRuleSentTest } from "@/lib/alerts/rules/coverage-contract";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

const server = sharedServer();

interface Made {
  id: string;
}

async function create({ admin }: Organization, path: string, body: object): Promise<Made> {
  const answer = await admin.post<Made>(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

/** An endpoint that Sealwatch does not connect to. */
const addEndpoint = (owner: Organization, tags: string[] = []) =>
  create(owner, "/certificates/endpoints", { host: `${newId()}.internal`, reported: true, tags });

const addWebhook = async (owner: Organization, url: string) =>
  create(owner, "/notification-channels", { type: "webhook", name: newId(), settings: { url } });

const addRule = (owner: Organization, rule: object) =>
  create(owner, "/alert-rules", { name: newId(), condition: { type: "finding" }, steps: [{}], ...rule });

const gapsOf = ({ id }: Organization) => readNotificationGaps(systemPrincipal(id));

describe("coverage of endpoints", () => {
  test("the filter and the warning agree, and need an enabled rule and an enabled channel", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const [shop, docs] = [await addEndpoint(owner, ["shop"]), await addEndpoint(owner)];
    const listed = async (covered: boolean) => {
      const { data } = await owner.read.get<Made[]>(`/certificates/endpoints?covered=${covered}`);
      return data.map(({ id }) => id).sort();
    };
    const both = [shop.id, docs.id].sort();
    // Tags of endpoints are stored in lower case.
    const rule = await addRule(owner, { selector: { tags: [" Shop"], ids: [] } });
    // Another organization's rules and channels do not count.
    const stranger = await newOrganization(server);
    await addWebhook(stranger, "https://example.test/");
    expect(await listed(false)).toEqual(both);
    expect(await gapsOf(owner)).toMatchObject({ channels: "none" });

    const channel = await addWebhook(owner, "https://example.test/");
    expect([await listed(true), await listed(false)]).toEqual([[shop.id], [docs.id]]);
    expect(await gapsOf(owner)).toMatchObject({ channels: "enabled", openAlerts: 0, endpoints: 1, monitors: 0 });

    await addRule(owner, { condition: { type: "time_left" }, steps: [{ days_left: 7, severity: "warning" }] });
    expect([await listed(true), await listed(false)]).toEqual([both, []]);
    await owner.admin.put(`/notification-channels/${channel.id}`, { enabled: false });
    expect([await listed(true), await listed(false)]).toEqual([[], both]);
    expect(await gapsOf(owner)).toMatchObject({ channels: "disabled" });
    expect((await owner.admin.put(`/alert-rules/${rule.id}`, { enabled: false })).status).toBe(200);
  });

  test("a rule for chosen endpoints leaves out endpoints without a certificate", async () => {
    const owner = await newOrganizationWithoutRules(server);
    await addWebhook(owner, "https://example.test/");
    const [chosen, other] = [await addEndpoint(owner), await addEndpoint(owner)];
    await addRule(owner, { selector: { tags: [], ids: [chosen.id.toUpperCase()] } });
    const { data } = await owner.read.get<Made[]>("/certificates/endpoints?covered=false");
    expect(data.map(({ id }) => id)).toEqual([other.id]);
    expect(await gapsOf(owner)).toMatchObject({ endpoints: 1 });
  });

  test("the filter of expiry finds expired certificates and those that expire soon", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const [soon, later] = [await addEndpoint(owner), await addEndpoint(owner)];
    for (const [{ id }, days] of [
      [soon, 10],
      [later, 20],
    ] as const) {
      await query(
        server,
        "app",
        "UPDATE certificate_endpoints SET expires_at = now() + make_interval(days => $2::integer) WHERE id = $1",
        [id, days],
      );
    }
    const listed = async (days: number) => {
      const { data } = await owner.read.get<Made[]>(`/certificates/endpoints?expires_within_days=${days}`);
      return data.map(({ id }) => id).sort();
    };
    expect(await listed(14)).toEqual([soon.id]);
    expect(await listed(30)).toEqual([soon.id, later.id].sort());
    const refused = await owner.read.get("/certificates/endpoints?expires_within_days=-1");
    expect(refused.error.issues?.map(({ path }) => path)).toEqual(["expires_within_days"]);
  });
});

describe("coverage of a resource", () => {
  const coverageOf = ({ read }: Organization, type: string, id: string) =>
    read.get<AlertCoverage>(`/alert-rules/coverage?resource_type=${type}&resource_id=${id}`);

  test("names the rules that cover it, their channels and the next step", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const [ops, desk] = [
      await addWebhook(owner, "https://example.test/a"),
      await addWebhook(owner, "https://example.test/b"),
    ];
    const { id } = await addEndpoint(owner, ["shop"]);
    const steps = [
      { days_left: 30, severity: "info", channel_ids: [desk.id] },
      { days_left: 7, severity: "critical", channel_ids: [ops.id] },
    ];
    const rule = await addRule(owner, {
      condition: { type: "time_left" },
      selector: { tags: ["Shop"], ids: [] },
      steps,
    });
    await addRule(owner, { selector: { tags: ["docs"], ids: [] } });
    const { data } = await coverageOf(owner, "endpoint", id);
    expect(data).toMatchObject({ resource: { type: "endpoint", id }, notified: true, rule_count: 1, next_at: null });
    expect(data.last_message).toBeNull();
    expect(data.rules.map((each) => each.id)).toEqual([rule.id]);
    const channelIds = data.rules[0]?.steps.map(({ channels }) => channels.map((channel) => channel.id));
    expect(channelIds).toEqual([[desk.id], [ops.id, desk.id].sort()]);
  });

  test("of a served certificate has dates, and after an alert the last message", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const receiver = await newReceiver();
    const channel = await addWebhook(owner, receiver.url);
    const { pem } = await makeCertificate({ name: "shop.test", sans: ["shop.test"] });
    const { id } = await addEndpoint(owner);
    expect((await owner.admin.post(`/certificates/endpoints/${id}/report`, { pem })).status).toBe(200);
    const steps = [
      { share_left: 1, severity: "info" },
      { share_left: 0.001, severity: "critical" },
    ];
    await addRule(owner, { condition: { type: "time_left" }, steps });
    // Asking meanwhile would use up the key's limit.
    await until("it arrived", () => receiver.received.length > 0);
    const { data } = await until("it was sent", async () => {
      const answer = await coverageOf(owner, "endpoint", id);
      return answer.data.last_message?.status === "sent" && answer;
    });
    expect(data.last_message?.channel.id).toBe(channel.id);
    const [first, second] = data.rules[0]?.steps.map(({ reached_at }) => reached_at) ?? [];
    expect(Date.parse(first ?? "")).toBeLessThan(Date.now());
    expect(data.next_at).toBe(second);
    receiver.close();
  });

  test("of monitors, keys and domains goes by their own conditions", async () => {
    const owner = await newOrganizationWithoutRules(server);
    await addWebhook(owner, "https://example.test/");
    const monitor = await create(owner, "/uptime", {
      name: newId(),
      type: "tcp",
      target: `127.0.0.1:${await closedPort()}`,
    });
    const domain = await create(owner, "/subdomains/domains", { name: newDomainName() });
    const key = await owner.newKey();
    const named = [
      ["monitor", monitor.id, await addRule(owner, { condition: { type: "monitor_down" } })],
      ["domain", domain.id, await addRule(owner, { condition: { type: "finding", codes: ["issuer_unexpected"] } })],
      [
        "api_key",
        key.id,
        await addRule(owner, {
          condition: { type: "security_event", flags: ["new_country"] },
          steps: [{ severity: "warning" }],
        }),
      ],
    ] as const;
    for (const [type, id, rule] of named) {
      const { data } = await coverageOf(owner, type, id);
      expect([type, data.rules.map((each) => each.id), data.notified]).toEqual([type, [rule.id], true]);
    }
    const stranger = await newOrganization(server);
    for (const [type, id] of named) expect((await coverageOf(stranger, type, id)).error.code).toBe("NOT_FOUND");
  });

  test("keys and domains without a rule are counted, as the pages of each say", async () => {
    const owner = await newOrganizationWithoutRules(server);
    await addWebhook(owner, "https://example.test/");
    const [one, other] = [
      await create(owner, "/subdomains/domains", { name: newDomainName() }),
      await create(owner, "/subdomains/domains", { name: newDomainName() }),
    ];
    const keys = (await owner.admin.get<Made[]>("/api-keys?limit=200")).data;
    expect(await gapsOf(owner)).toMatchObject({ apiKeys: keys.length, domains: 2 });
    await addRule(owner, {
      condition: { type: "finding", codes: ["issuer_unexpected"] },
      selector: { tags: [], ids: [one.id] },
    });
    const event = { condition: { type: "security_event", flags: ["new_country"] }, steps: [{ severity: "warning" }] };
    const [key] = keys;
    const chosen = await addRule(owner, { ...event, selector: { tags: [], ids: [key?.id] } });
    expect(await gapsOf(owner)).toMatchObject({ apiKeys: keys.length - 1, domains: 1 });
    expect((await coverageOf(owner, "domain", other.id)).data.notified).toBe(false);
    await addRule(owner, event);
    await owner.admin.put(`/alert-rules/${chosen.id}`, { enabled: false });
    expect(await gapsOf(owner)).toMatchObject({ apiKeys: 0, domains: 1 });
  });

  test("a test goes to the channels of the steps, with the result of each", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const receiver = await newReceiver();
    const works = await addWebhook(owner, receiver.url);
    const fails = await addWebhook(owner, `http://127.0.0.1:${await closedPort()}/`);
    const { id } = await addEndpoint(owner);
    const steps = [{ channel_ids: [works.id] }, { after_minutes: 60, channel_ids: [fails.id] }];
    const rule = await addRule(owner, { steps });
    const path = `/alert-rules/${rule.id}/send-test`;
    const { data } = await owner.admin.post<AlertRuleSentTest>(path, { resource: { type: "endpoint", id } });
    const results = data.results.map(({ step, delivery }) => [
      step,
      delivery.channel.id,
      delivery.status,
      delivery.kind,
    ]);
    expect(results).toEqual([
      [1, works.id, "sent", "test"],
      [2, fails.id, "failed", "test"],
    ]);
    expect(receiver.received).toHaveLength(1);
    expect((await owner.read.get<object[]>("/alerts")).data).toEqual([]);
    const stranger = await newOrganization(server);
    expect((await stranger.admin.post(path, {})).status).toBe(404);
    const theirs = { type: "endpoint", id: (await addEndpoint(stranger)).id };
    expect((await owner.admin.post(path, { resource: theirs })).status).toBe(404);
    receiver.close();
  });
});

describe("last_told_at", () => {
  test("is null while no channel is enabled", async () => {
    const owner = await newOrganizationWithoutRules(server);
    const receiver = await newReceiver();
    const input = { type: "tcp", target: `127.0.0.1:${await closedPort()}`, failure_threshold: 1 };
    await create(owner, "/uptime", { ...input, name: newId() });
    await addRule(owner, { condition: { type: "monitor_down" } });
    const alerts = async () => {
      await makeRulesDue(server, owner.id);
      const unfiltered = { limit: 10, cursor: undefined, status: undefined, severity: undefined, rule_id: undefined };
      const others = { subject_id: undefined, certificate_id: undefined, since: undefined, until: undefined };
      return (await listAlerts(systemPrincipal(owner.id), { ...unfiltered, ...others })).items;
    };
    const [opened] = await until("it opens", async () => (await alerts()).length > 0 && alerts());
    expect(opened?.last_told_at).toBeNull();
    const channel = await addWebhook(owner, receiver.url);
    await create(owner, "/uptime", { ...input, name: newId() });
    const notified = await until("another one is notified", async () =>
      (await alerts()).find(({ last_told_at }) => last_told_at !== null),
    );
    expect(notified.id).not.toBe(opened?.id);
    await owner.admin.put(`/notification-channels/${channel.id}`, { enabled: false });
    receiver.close();
  });
});
