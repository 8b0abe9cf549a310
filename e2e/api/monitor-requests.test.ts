import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type Authority, makeAuthority } from "@/e2e/support/stand-ins/certificate-zoo";
import { until } from "@/e2e/support/until";
import type { TrustStoreDetail } from "@/lib/certificates/trust-stores/trust-store-contract";
import { newId } from "@/lib/ids";
import type { Monitor } from "@/lib/uptime/contract";
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
  const { pem, keyPem } = await authority.leaf({ sans: ["127.0.0.1"] });
  const site = createServer({ key: keyPem, cert: pem + authority.intermediate.pem }, (_, response) => response.end());
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  closers.push(() => site.close().closeAllConnections());
  target = `https://127.0.0.1:${(site.address() as AddressInfo).port}/`;
});

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
