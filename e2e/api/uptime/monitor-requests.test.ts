import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type Authority, makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import type { TrustStoreDetail } from "@/lib/certificates/trust-stores/trust-store-contract";
import { newId } from "@/lib/ids";
import type { UptimeCheck } from "@/lib/uptime/checks-contract";
import type { Monitor } from "@/lib/uptime/contract";
import type { Incident, IncidentDetail } from "@/lib/uptime/incidents/contract";
import type { BulkResult } from "@/lib/uptime/monitors/bulk-contract";

const server = sharedServer();
let organization: Organization;
let authority: Authority;
/** An https site whose certificate only `authority` vouches for. */
let target: string;
const closers: (() => void)[] = [];

beforeAll(async () => {
  organization = await newOrganization(server);
  authority = await makeAuthority("Cellar");
  target = await listen(createServer(await credentials(), (_, response) => response.end()));
});

/** The key and the chain of a site at 127.0.0.1. */
async function credentials() {
  const { pem, keyPem } = await authority.leaf({ sans: ["127.0.0.1"] });
  return { key: keyPem, cert: pem + authority.intermediate.pem };
}

async function listen(site: Server): Promise<string> {
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  closers.push(() => site.close().closeAllConnections());
  return `https://127.0.0.1:${(site.address() as AddressInfo).port}/`;
}

afterAll(() => {
  for (const close of closers) close();
});

const body = (input: object) => ({
  name: newId(),
  type: "http",
  target,
  interval_seconds: 3600,
  failure_threshold: 1,
  ...input,
});

async function watch(input: object): Promise<Monitor> {
  const answer = await organization.admin.post<Monitor>("/uptime", body(input));
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

async function newTrustStore(by: Organization, pem: string): Promise<TrustStoreDetail> {
  return (await by.admin.post<TrustStoreDetail>("/certificates/trust-stores", { name: newId(), pem })).data;
}

describe("certificates", () => {
  test("a private authority's site is down until its trust store is chosen, or nothing is verified", async () => {
    const store = await newTrustStore(organization, authority.root.pem);
    const made = await watch({});
    expect(made).toMatchObject({
      status: "down",
      trust_store_id: null,
      verify_tls: true,
      last_check: { reason: "tls_failed" },
    });
    const trusted = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { trust_store_id: store.id });
    expect(trusted.data).toMatchObject({ status: "up", trust_store_id: store.id });
    const path = `/certificates/trust-stores/${store.id}`;
    expect((await organization.read.get<TrustStoreDetail>(path)).data.monitor_count).toBe(1);
    const refused = await organization.admin.delete(path);
    expect([refused.status, refused.error.message]).toEqual([409, "1 monitor uses this trust store."]);
    const unverified = await organization.admin.put<Monitor>(`/uptime/${made.id}`, {
      trust_store_id: null,
      verify_tls: false,
    });
    expect(unverified.data).toMatchObject({ status: "up", trust_store_id: null, verify_tls: false });
    expect((await organization.admin.delete(path)).status).toBe(200);
  });

  test("the worker checks the monitors of a changed trust store", async () => {
    const store = await newTrustStore(organization, (await makeAuthority("Other")).root.pem);
    const made = await watch({ trust_store_id: store.id });
    expect(made.status).toBe("down");
    await organization.admin.put(`/certificates/trust-stores/${store.id}`, { pem: authority.root.pem });
    const isUp = "SELECT FROM uptime_monitors WHERE organization_id = $1 AND id = $2 AND status = 'up'";
    await until("the worker has checked with the new certificates", async () => {
      return (await query(server, "app", isUp, [organization.id, made.id])).length > 0;
    });
  });

  test("another organization's trust store is refused, also in bulk", async () => {
    const other = await newTrustStore(await newOrganization(server), authority.root.pem);
    const input = body({ trust_store_id: other.id });
    const created = await organization.admin.post("/uptime", input);
    expect([created.status, created.error.issues?.[0]?.path]).toEqual([400, "trust_store_id"]);
    const mine = await watch({ paused: true });
    const changed = await organization.admin.put(`/uptime/${mine.id}`, { trust_store_id: other.id });
    expect([changed.status, changed.error.issues?.[0]?.path]).toEqual([400, "trust_store_id"]);
    const items = [input, body({ paused: true, verify_tls: false })];
    const bulk = await organization.admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items });
    expect(bulk.data.results).toMatchObject([
      { status: "failed", error: "trust_store_id: is not the id of a trust store of this organization" },
      { status: "created" },
    ]);
  });
});

describe("requests and expectations", () => {
  const settings = {
    method: "PUT",
    request_body: '{"probe":true}',
    headers: { "content-type": "application/json" },
    expected_text: "ok",
    forbidden_text: "Exception",
    expected_pattern: "v\\d+",
    expected_json: [
      { path: "$.status", comparison: "equals", value: "ok" },
      { path: "$.queue", comparison: "at_most", value: 10 },
    ],
    expected_headers: { "content-type": "json" },
    max_response_time_ms: 30_000,
    min_certificate_days: 14,
    ip_version: "4",
  };

  test("are kept and shown, and a failure says which one was not met", async () => {
    const site = { queue: 1 };
    const app = createServer(await credentials(), (request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ method: request.method, status: "ok", version: "v2", queue: site.queue }));
    });
    const url = await listen(app);
    const { headers: _, ...shown } = settings;
    const made = await watch({ ...settings, target: url, verify_tls: false });
    expect(made).toMatchObject({ ...shown, status: "up", header_names: ["content-type"] });
    expect((await organization.read.get<Monitor>(`/uptime/${made.id}`)).data).toEqual(made);
    site.queue = 11;
    const checked = await organization.admin.post<UptimeCheck>(`/uptime/${made.id}/check`);
    expect(checked.data).toMatchObject({ ok: false, reason: "json_mismatch", detail: "$.queue: 11" });
    const changed = await organization.admin.put<Monitor>(`/uptime/${made.id}`, { expected_json: [] });
    expect(changed.data).toMatchObject({ ...shown, expected_json: [], status: "up" });
  });

  test.each<[string, object, string]>([
    ["a body with GET", { request_body: "x" }, "request_body"],
    ["a long body", { method: "POST", request_body: "x".repeat(16_385) }, "request_body"],
    ["an unknown method", { method: "TRACE" }, "method"],
    ["a pattern with look-ahead", { expected_pattern: "a(?=b)" }, "expected_pattern"],
    ["a pattern that takes long", { expected_pattern: "(a{20}b){20}" }, "expected_pattern"],
    ["a path with a filter", { expected_json: [{ path: "$[?@.a]" }] }, "expected_json.0.path"],
    [
      "a comparison of text by size",
      { expected_json: [{ path: "$", comparison: "at_least", value: "1" }] },
      "expected_json.0.value",
    ],
    ["many paths", { expected_json: Array(11).fill({ path: "$" }) }, "expected_json"],
    ["a header that is none", { expected_headers: { "a b": "" } }, "expected_headers.a b"],
    ["no time at all", { max_response_time_ms: 0 }, "max_response_time_ms"],
    ["too many days", { min_certificate_days: 401 }, "min_certificate_days"],
  ])("%s is refused, also in bulk", async (_what, input, path) => {
    const refused = await organization.admin.post("/uptime", body(input));
    expect([refused.status, refused.error.issues?.[0]?.path]).toEqual([400, path]);
    const bulk = await organization.admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items: [body(input)] });
    expect(bulk.data.results).toMatchObject([{ status: "failed", error: expect.stringContaining(path) }]);
  });
});

describe("evidence", () => {
  test("is the response that opened an incident, without secrets, for the latest ten incidents", async () => {
    const site = { status: 200 };
    const app = createServer(await credentials(), (_, response) => {
      response.setHeader("set-cookie", "sid=secret");
      response.writeHead(site.status, { "x-region": "eu-1" }).end(`<b>broken</b>\0${"x".repeat(5000)}`);
    });
    const made = await watch({ target: await listen(app), verify_tls: false });
    const earlier = `WITH made AS (
        INSERT INTO uptime_incidents (organization_id, id, monitor_id, started_at, ended_at, reason)
        SELECT $1, gen_random_uuid(), $2, now() - n * interval '1 hour', now() - n * interval '50 minutes', 'timeout'
        FROM generate_series(1, 10) AS n RETURNING organization_id, id)
      INSERT INTO uptime_evidence SELECT organization_id, id, '{}' FROM made RETURNING incident_id`;
    expect(await query(server, "app", earlier, [organization.id, made.id])).toHaveLength(10);
    site.status = 503;
    await organization.admin.post(`/uptime/${made.id}/check`);
    const open = await organization.read.get<Incident[]>(`/uptime/incidents?monitor_id=${made.id}&open=true`);
    expect(open.data).toHaveLength(1);
    expect(open.data[0]).not.toHaveProperty("evidence");
    const path = `/uptime/incidents/${open.data[0]?.id}`;
    const { evidence } = (await organization.read.get<IncidentDetail>(path)).data;
    expect(evidence).toMatchObject({
      status_code: 503,
      address: "127.0.0.1",
      headers: { "set-cookie": "(hidden)", "x-region": "eu-1" },
      body_truncated: true,
    });
    expect(evidence?.body).toMatch(/^<b>broken<\/b>\ufffdx{4000}/);
    expect(evidence?.body).toHaveLength(4096);
    const kept =
      "SELECT FROM uptime_evidence e JOIN uptime_incidents i ON i.id = e.incident_id WHERE i.monitor_id = $1";
    expect(await query(server, "app", kept, [made.id])).toHaveLength(10);
    expect((await (await newOrganization(server)).read.get(path)).status).toBe(404);
  });

  test("is missing without a response", async () => {
    const made = await watch({ target: `http://127.0.0.1:${await closedPort()}/` });
    const { data } = await organization.read.get<Incident[]>(`/uptime/incidents?monitor_id=${made.id}`);
    const detail = await organization.read.get<IncidentDetail>(`/uptime/incidents/${data[0]?.id}`);
    expect(detail.data).toMatchObject({ reason: "connection_refused", evidence: null });
  });
});
