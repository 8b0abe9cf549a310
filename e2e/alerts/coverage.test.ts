import { describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/certificate-zoo";
import { newReceiver } from "@/e2e/support/stand-ins/receiver";
import { until } from "@/e2e/support/until";
import { listAlerts } from "@/lib/alerts/list";
import { readNotificationGaps } from "@/lib/alerts/notification-gaps";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

const server = sharedServer();

interface Made {
  id: string;
}

/** An organization without rules and channels. */
async function withoutRules(): Promise<Organization> {
  const owner = await newOrganization(server);
  await query(server, "app", "DELETE FROM alert_rules WHERE organization_id = $1", [owner.id]);
  return owner;
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
    const owner = await withoutRules();
    const [shop, docs] = [await addEndpoint(owner, ["shop"]), await addEndpoint(owner)];
    const listed = async (covered: boolean) => {
      const { data } = await owner.read.get<Made[]>(`/certificates/endpoints?covered=${covered}`);
      return data.map(({ id }) => id).sort();
    };
    const both = [shop.id, docs.id].sort();
    const rule = await addRule(owner, { selector: { tags: ["shop"], ids: [] } });
    // Another organization's rules and channels do not count.
    const stranger = await newOrganization(server);
    await addWebhook(stranger, "https://example.test/");
    expect(await listed(false)).toEqual(both);
    expect(await gapsOf(owner)).toMatchObject({ channels: "none" });

    const channel = await addWebhook(owner, "https://example.test/");
    expect([await listed(true), await listed(false)]).toEqual([[shop.id], [docs.id]]);
    expect(await gapsOf(owner)).toEqual({ channels: "enabled", openAlerts: 0, endpoints: 1, monitors: 0 });

    await addRule(owner, { condition: { type: "time_left" }, steps: [{ days_left: 7, severity: "warning" }] });
    expect([await listed(true), await listed(false)]).toEqual([both, []]);
    await owner.admin.put(`/notification-channels/${channel.id}`, { enabled: false });
    expect([await listed(true), await listed(false)]).toEqual([[], both]);
    expect(await gapsOf(owner)).toMatchObject({ channels: "disabled" });
    expect((await owner.admin.put(`/alert-rules/${rule.id}`, { enabled: false })).status).toBe(200);
  });

  test("a rule for chosen endpoints leaves out endpoints without a certificate", async () => {
    const owner = await withoutRules();
    await addWebhook(owner, "https://example.test/");
    const [chosen, other] = [await addEndpoint(owner), await addEndpoint(owner)];
    await addRule(owner, { selector: { tags: [], ids: [chosen.id] } });
    const { data } = await owner.read.get<Made[]>("/certificates/endpoints?covered=false");
    expect(data.map(({ id }) => id)).toEqual([other.id]);
    expect(await gapsOf(owner)).toMatchObject({ endpoints: 1 });
  });

  test("the filter of expiry finds expired certificates and those that expire soon", async () => {
    const owner = await withoutRules();
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

describe("last_told_at", () => {
  test("is null while no channel is enabled", async () => {
    const owner = await withoutRules();
    const receiver = await newReceiver();
    const input = { type: "tcp", target: `127.0.0.1:${await closedPort()}`, failure_threshold: 1 };
    await create(owner, "/uptime", { ...input, name: newId() });
    await addRule(owner, { condition: { type: "monitor_down" } });
    const alerts = async () => {
      await query(server, "app", "UPDATE alert_evaluations SET next_at = now() WHERE organization_id = $1", [owner.id]);
      const unfiltered = { limit: 10, cursor: undefined, status: undefined, severity: undefined, rule_id: undefined };
      const others = { subject_id: undefined, certificate_id: undefined, since: undefined, until: undefined };
      return (await listAlerts(systemPrincipal(owner.id), { ...unfiltered, ...others })).items;
    };
    const [opened] = await until("it opens", async () => (await alerts()).length > 0 && alerts());
    expect(opened?.last_told_at).toBeNull();
    const channel = await addWebhook(owner, receiver.url);
    await create(owner, "/uptime", { ...input, name: newId() });
    const told = await until("another one is told", async () =>
      (await alerts()).find(({ last_told_at }) => last_told_at !== null),
    );
    expect(told.id).not.toBe(opened?.id);
    await owner.admin.put(`/notification-channels/${channel.id}`, { enabled: false });
    receiver.close();
  });
});
