import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { startNameServer } from "@/e2e/support/stand-ins/name-server";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { until } from "@/e2e/support/until";
import { newId } from "@/lib/ids";
import type { UptimeCheck } from "@/lib/uptime/checks-contract";
import type { Monitor } from "@/lib/uptime/contract";
import type { Incident, IncidentDetail } from "@/lib/uptime/incidents/contract";
import type { BulkResult } from "@/lib/uptime/monitors/bulk-contract";

const server = sharedServer();
let organization: Organization;
let other: Organization;
const closers: (() => void)[] = [];

beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
});
afterAll(() => {
  for (const close of closers) close();
});

const body = (input: object) => ({ name: newId(), interval_seconds: 3600, failure_threshold: 1, ...input });

async function watch(input: object): Promise<Monitor> {
  const answer = await organization.admin.post<Monitor>("/uptime", body(input));
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

async function evidenceOf({ id }: Monitor) {
  const { data } = await organization.read.get<Incident[]>(`/uptime/incidents?monitor_id=${id}`);
  return (await organization.read.get<IncidentDetail>(`/uptime/incidents/${data[0]?.id}`)).data.evidence;
}

/** Refused both alone and in bulk, naming the fields. */
async function refuses(input: object, paths: string[]): Promise<void> {
  const refused = await organization.admin.post("/uptime", body(input));
  expect([refused.status, refused.error.issues?.map(({ path }) => path).sort()]).toEqual([400, paths]);
  const bulk = await organization.admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items: [body(input)] });
  expect(bulk.data.results).toMatchObject([{ status: "failed", error: expect.stringContaining(paths[0] ?? "") }]);
}

describe("dns", () => {
  test("a changed answer makes it down, with the answer as evidence; the worker checks it too", async () => {
    const { address, zones, close } = await startNameServer();
    closers.push(close);
    zones.set("site.test", { a: ["192.0.2.1"] });
    const dns = { record_type: "A", resolver: address, expected: ["192.0.2.1"], match: "exactly" };
    const made = await watch({ type: "dns", target: "site.test", dns });
    expect(made).toMatchObject({ status: "up", dns: { ...dns, expect_nxdomain: false }, tcp: null });
    expect(made.last_check).toMatchObject({ address: "127.0.0.1", status_code: null });
    zones.set("site.test", { a: ["192.0.2.66"] });
    const due = "UPDATE uptime_monitors SET next_check_at = now() WHERE organization_id = $1 AND id = $2";
    await query(server, "app", due, [organization.id, made.id]);
    const read = async () => (await organization.read.get<Monitor>(`/uptime/${made.id}`)).data;
    const isDown = "SELECT FROM uptime_monitors WHERE organization_id = $1 AND id = $2 AND status = 'down'";
    await until("the worker has seen the other answer", async () => {
      return (await query(server, "app", isDown, [organization.id, made.id])).length > 0;
    });
    const last = { ok: false, reason: "unexpected_answer", detail: "192.0.2.66" };
    expect((await read()).last_check).toMatchObject(last);
    expect(await evidenceOf(made)).toMatchObject({ status_code: null, headers: {}, body: "192.0.2.66" });
    const gone = { record_type: "A", resolver: address, expect_nxdomain: true };
    const changed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { target: "gone.test", dns: gone });
    expect(changed.data).toMatchObject({ status: "up", dns: { expected: [], match: "any" } });
  });

  test("an invalid query is refused, with an issue for each field", async () => {
    const target = "site.example.test";
    const dns = { record_type: "A" };
    await refuses({ type: "dns", target }, ["dns"]);
    await refuses({ type: "tcp", target: `${target}:1`, dns }, ["dns"]);
    await refuses({ type: "dns", target, dns: { record_type: "ANY" } }, ["dns.record_type"]);
    await refuses({ type: "dns", target, dns: { ...dns, resolver: "10.0.0.53" } }, ["dns.resolver"]);
    await refuses({ type: "dns", target, dns: { ...dns, resolver: "dns.example" } }, ["dns.resolver"]);
    await refuses({ type: "dns", target: "192.0.2.1", dns }, ["target"]);
    const none = { ...dns, expected: ["192.0.2.1"], expect_nxdomain: true };
    await refuses({ type: "dns", target: "a b", timeout_seconds: 0, dns: none }, ["dns.expected", "timeout_seconds"]);
  });
});

test("a monitor whose addresses are no longer probed can be changed, but not moved to other such addresses", async () => {
  const probed = { record_type: "A", resolver: "127.0.0.53" };
  const made = await watch({ type: "dns", target: "site.example.test", dns: probed, paused: true });
  const web = await watch({ type: "http", target: "http://127.0.0.1/", paused: true });
  // As in an installation that no longer probes these networks.
  const resolver =
    "UPDATE uptime_monitors SET type_settings = jsonb_set(type_settings, '{dns,resolver}', $2) WHERE id = $1";
  await query(server, "app", resolver, [made.id, JSON.stringify("10.0.0.53")]);
  await query(server, "app", "UPDATE uptime_monitors SET target = $2 WHERE id = $1", [web.id, "http://10.0.0.1/"]);
  const dns = { record_type: "AAAA", resolver: "10.0.0.53:5353" };
  const [asked, named] = await Promise.all([
    organization.admin.put<Monitor>(`/uptime/${made.id}`, { dns, tags: ["kept"] }),
    organization.admin.put<Monitor>(`/uptime/${web.id}`, { target: "http://10.0.0.1/health", name: newId() }),
  ]);
  expect([asked.data, named.data]).toMatchObject([{ dns, tags: ["kept"] }, { target: "http://10.0.0.1/health" }]);
  const items = [
    { name: made.name, tags: ["again"], dns },
    { name: named.data.name, tags: ["again"] },
  ];
  const bulk = await organization.admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items });
  expect(bulk.data.results.map(({ status }) => status)).toEqual(["updated", "updated"]);
  const [other53, otherSite] = await Promise.all([
    organization.admin.put(`/uptime/${made.id}`, { dns: { ...dns, resolver: "10.0.0.54" } }),
    organization.admin.put(`/uptime/${web.id}`, { target: "http://10.0.0.2/" }),
  ]);
  const refused = [other53, otherSite].map(({ status, error }) => [status, error.issues?.map(({ path }) => path)]);
  expect(refused).toEqual([
    [400, ["dns.resolver"]],
    [400, ["target"]],
  ]);
});

describe("tcp", () => {
  test("sends and expects over TLS with a trust store; what arrived is evidence", async () => {
    const authority = await makeAuthority("Cellar");
    const { pem, keyPem } = await authority.leaf({ sans: ["cache.test"] });
    const site = { answer: "+PONG\r\n" };
    const app = createTlsServer({ key: keyPem, cert: pem + authority.intermediate.pem }, (socket) => {
      socket.on("error", () => {}).on("data", () => socket.end(site.answer));
    });
    await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
    closers.push(() => app.close());
    const store = { name: newId(), pem: authority.root.pem };
    const { data } = await organization.admin.post<{ id: string }>("/certificates/trust-stores", store);
    const tcp = { tls: true, server_name: "cache.test", send: "PING\r\n", expected_text: "+PONG" };
    const target = `127.0.0.1:${(app.address() as AddressInfo).port}`;
    const given = { ...tcp, server_name: " Cache.Test." };
    const made = await watch({ type: "tcp", target, tcp: given, trust_store_id: data.id });
    expect(made).toMatchObject({ status: "up", tcp: { ...tcp, expected_pattern: null, send_encoding: "text" } });
    site.answer = "-LOADING\r\n";
    const checked = await organization.admin.post<UptimeCheck>(`/uptime/${made.id}/check`);
    expect(checked.data).toMatchObject({ ok: false, reason: "text_missing" });
    expect(await evidenceOf(made)).toMatchObject({ status_code: null, body: "-LOADING\r\n" });
    const untrusted = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { trust_store_id: null });
    expect(untrusted.data.last_check).toMatchObject({ reason: "tls_failed" });
    const path = `/uptime/${made.id}`;
    const foreign = [await other.read.get(path), await other.admin.put(path, { tcp: null })];
    expect(foreign.map(({ status }) => status)).toEqual([404, 404]);
  });

  test("only connects without settings, and again when they are removed", async () => {
    const app = createTcpServer((socket) => void socket.on("error", () => {}).end("hello"));
    await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
    closers.push(() => app.close());
    const target = `127.0.0.1:${(app.address() as AddressInfo).port}`;
    const made = await watch({ type: "tcp", target, tcp: { expected_pattern: "^HELLO" } });
    expect(made).toMatchObject({ status: "down", last_check: { reason: "pattern_missing" } });
    const plain = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { tcp: null });
    expect(plain.data).toMatchObject({ status: "up", tcp: null });
  });

  test("an invalid dialogue is refused, with an issue for each field", async () => {
    const tcp = (settings: object) => ({ type: "tcp", target: "site.example.test:1", tcp: settings });
    await refuses({ ...tcp({ tls: true }), type: "http", target: "https://site.example.test/" }, ["tcp"]);
    await refuses(tcp({ server_name: "a.test" }), ["tcp.server_name"]);
    await refuses(tcp({ tls: true, server_name: "192.0.2.1" }), ["tcp.server_name"]);
    await refuses(tcp({ send: "é", send_encoding: "base64" }), ["tcp.send"]);
    await refuses(tcp({ send: "x".repeat(4097) }), ["tcp.send"]);
    await refuses({ ...tcp({ expected_pattern: "a(?=b)" }), timeout_seconds: 0 }, [
      "tcp.expected_pattern",
      "timeout_seconds",
    ]);
    const bearer = { type: "bearer", token: "x" };
    await refuses({ ...tcp({ tls: true }), authentication: bearer }, ["authentication"]);
  });
});
