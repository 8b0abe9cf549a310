import { beforeAll, expect, test } from "vitest";
import type { Answer } from "@/e2e/support/http";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { unlessBusy } from "@/e2e/support/until";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { newId } from "@/lib/ids";

const server = sharedServer();
let organization: Organization;
let other: Organization;
beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
});

const detailsOf = async ({ requestId }: Answer) => (await eventById(server, requestId)).details;

test("a changed key has its fields before and after in the log, its list and its export", async () => {
  const { admin } = organization;
  const { data: key } = await admin.post<{ id: string; hint: string }>("/api-keys", { name: "terraform" });
  const sent = await admin.put(`/api-keys/${key.id}`, { name: "tf", ip_whitelist: ["203.0.113.0/24"] });
  const details = {
    resource_name: "terraform",
    changes: [
      { field: "name", from: "terraform", to: "tf" },
      { field: "ip_whitelist", from: [], to: ["203.0.113.0/24"] },
    ],
  };
  expect(await detailsOf(sent)).toEqual(details);
  const query = `resource_id=${key.id}&action=api_key.update`;
  const { data: listed } = await admin.get<AuditEvent[]>(`/audit-logs?${query}`);
  expect(listed.map((event) => [event.id, event.details])).toEqual([[sent.requestId, details]]);
  const exported = await unlessBusy(() => admin.get(`/audit-logs/export?format=ndjson&${query}`));
  expect(JSON.parse(exported.text.split("\n", 1)[0] ?? "")).toMatchObject({ details });
  expect((await other.admin.get<AuditEvent[]>(`/audit-logs?${query}`)).data).toEqual([]);

  const rotated = await admin.post<{ hint: string }>(`/api-keys/${key.id}/rotate`);
  const hints = { from: key.hint, to: rotated.data.hint };
  expect(await detailsOf(rotated)).toEqual({ resource_name: "tf", changes: [{ field: "hint", ...hints }] });
  const revoked = await admin.delete<{ revoked_at: string }>(`/api-keys/${key.id}`);
  const at = { from: null, to: revoked.data.revoked_at };
  expect(await detailsOf(revoked)).toEqual({ resource_name: "tf", changes: [{ field: "revoked_at", ...at }] });
});

test("a refused change and one of another organization record nothing", async () => {
  const { admin } = organization;
  const { data: key } = await admin.post<{ id: string }>("/api-keys", { name: "deploy" });
  const refused = [
    await admin.put(`/api-keys/${key.id}`, { ip_whitelist: ["not a network"] }),
    await organization.read.put(`/api-keys/${key.id}`, { name: "x" }),
    await other.admin.put(`/api-keys/${key.id}`, { name: "x" }),
    await admin.put(`/api-keys/${key.id}`, { name: "x" }, { headers: { "if-match": '"another"' } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 403, 404, 412]);
  expect(await Promise.all(refused.map(detailsOf))).toEqual([null, null, null, null]);
  const same = await admin.put(`/api-keys/${key.id}`, { name: "deploy" });
  expect(await detailsOf(same)).toEqual({ resource_name: "deploy", changes: [] });
});

test("no secret is recorded, only that it changed", async () => {
  const { admin } = organization;
  const details: unknown[] = [];
  const change = async (path: string, made: object, changed: object) => {
    const created = await admin.post<{ id: string }>(path, made);
    const sent = await admin.put(`${path}/${created.data.id}`, changed);
    expect([created.status, sent.status], sent.text).toEqual([201, 200]);
    details.push(await detailsOf(created), await detailsOf(sent));
    return (details.at(-1) as { changes: unknown }).changes;
  };
  const address = `http://127.0.0.1:${await closedPort()}`;
  const monitor = { name: newId(), type: "http", target: `${address}/a?hush-1`, headers: { "x-token": "hush-2" } };
  expect(await change("/uptime", monitor, { target: `${address}/a?hush-3`, headers: { "x-token": "hush-4" } })).toEqual(
    [
      { field: "target", secret: true },
      { field: "headers", secret: true },
    ],
  );
  const slack = { type: "slack", name: newId(), settings: { url: "https://hooks.example.test/hush-5" } };
  expect(
    await change("/notification-channels", slack, { settings: { url: "https://hooks.example.test/hush-6" } }),
  ).toEqual([{ field: "settings.url", secret: true }]);
  const webhook = { type: "webhook", name: newId(), settings: { url: "https://one.example.test/hush-7" } };
  expect(
    await change("/notification-channels", webhook, { settings: { url: "https://two.example.test/hush-8" } }),
  ).toEqual([{ field: "settings.url", from: "https://one.example.test", to: "https://two.example.test" }]);
  const ntfy = { type: "ntfy", name: newId(), settings: { topic: "ops", token: "hush-9" } };
  expect(await change("/notification-channels", ntfy, { settings: { topic: "night", token: "hush-10" } })).toEqual([
    { field: "settings.topic", from: "ops", to: "night" },
    { field: "settings.token", secret: true },
  ]);
  expect(JSON.stringify(details)).not.toMatch(/hush|whsec_/);
});

test("a rule's channels are recorded by name", async () => {
  const { admin } = organization;
  const name = newId();
  const channel = { type: "webhook", name, settings: { url: "https://one.example.test/" } };
  const { data: made } = await admin.post<{ id: string }>("/notification-channels", channel);
  const rule = { name: newId(), condition: { type: "time_left" }, steps: [{ share_left: 0.3, severity: "info" }] };
  const { data } = await admin.post<{ id: string }>("/alert-rules", rule);
  const steps = [{ share_left: 0.3, severity: "warning", channel_ids: [made.id] }];
  expect(await detailsOf(await admin.put(`/alert-rules/${data.id}`, { steps }))).toEqual({
    resource_name: rule.name,
    changes: [
      { field: "steps.0.severity", from: "info", to: "warning" },
      { field: "steps.0.channels", from: [], to: [name] },
    ],
  });
});

test("a bulk request records each change with its resource, and a dry run none", async () => {
  const { admin } = organization;
  const items = await Promise.all(
    [1, 2, 3].map(async (n) => ({ host: "127.0.0.1", port: await closedPort(), sni: `n${n}.example.test` })),
  );
  const send = (tags: string[], dry_run = false) =>
    admin.post<{ results: { id: string }[] }>("/certificates/endpoints/bulk", {
      items: items.map((item) => ({ ...item, tags })),
      dry_run,
    });
  expect(await detailsOf(await send(["a"]))).toEqual({ created: 3, updated: 0, changes: [] });
  expect(await detailsOf(await send(["b"], true))).toBeNull();
  const sent = await send(["b"]);
  expect(await detailsOf(sent)).toEqual({
    created: 0,
    updated: 3,
    changes: items.map(({ host, port, sni }, at) => ({
      resource: { id: sent.data.results[at]?.id, name: `${host}:${port} (${sni})` },
      field: "tags",
      from: ["a"],
      to: ["b"],
    })),
  });
});
