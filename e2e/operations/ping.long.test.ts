import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { iputils, standInPing } from "@/e2e/support/stand-ins/ping";
import { until } from "@/e2e/support/until";
import type { Monitor } from "@/lib/uptime/contract";
import type { BulkResult } from "@/lib/uptime/monitors/bulk-contract";

const standIn = standInPing();
const server = await startSealwatch({ PATH: standIn.folder, PROBE_ALLOWED_NETWORKS: "192.0.2.0/24" });
afterAll(async () => {
  await server.destroy();
  standIn.remove();
});

const { admin, read, id: organizationId } = await newOrganization(server);

test("monitors of the type ping use the machine's ping, and are refused where there is none", async () => {
  const body = { name: "Router", type: "ping", target: "192.0.2.1", failure_threshold: 1, interval_seconds: 3600 };
  const refused = await admin.post("/uptime", body);
  expect([refused.status, refused.error.issues]).toMatchObject([400, [{ path: "type" }]]);
  const bulk = await admin.post<{ results: BulkResult[] }>("/uptime/bulk", { items: [body] });
  expect(bulk.data.results).toMatchObject([{ status: "failed", error: expect.stringContaining("type: ") }]);

  standIn.prints(iputils(3, 3));
  const made = await admin.post<Monitor>("/uptime", body);
  expect(made.status, made.text).toBe(201);
  const round = { ok: true, address: "192.0.2.1", status_code: null, total_ms: 12.5 };
  expect(made.data).toMatchObject({ type: "ping", ping: null, status: "up", last_check: round });

  standIn.prints(iputils(5, 3));
  const ping = { count: 5, max_loss_percent: 20 };
  const changed = await admin.put<Monitor>(`/uptime/${made.data.id}`, { ping });
  expect(changed.data).toMatchObject({
    ...{ status: "down", ping },
    last_check: { ok: false, reason: "packet_loss", detail: "2 of 5 packets lost" },
  });
  expect(readFileSync(standIn.asked, "utf8")).toContain("-c 5 -W 5 192.0.2.1");

  standIn.prints(iputils(5, 5));
  const due = "UPDATE uptime_monitors SET next_check_at = now() WHERE organization_id = $1";
  await query(server, "app", due, [organizationId]);
  await until("the worker has pinged it, too", async () => {
    return (await read.get<Monitor>(`/uptime/${made.data.id}`)).data.status === "up";
  });
});

test("an invalid ping is refused, with an issue for each field", async () => {
  standIn.prints(iputils(3, 3));
  const refuses = async (input: object, paths: string[]) => {
    const { status, error } = await admin.post("/uptime", { name: "Refused", type: "ping", ...input });
    expect([status, error.issues?.map(({ path }) => path)]).toEqual([400, paths]);
  };
  await refuses({ target: "10.0.0.1" }, ["target"]);
  await refuses({ target: "-f" }, ["target"]);
  await refuses({ target: "router.example.com:1" }, ["target"]);
  await refuses({ target: "192.0.2.1", ip_version: "6" }, ["ip_version"]);
  await refuses({ target: "192.0.2.1", ping: { count: 11 } }, ["ping.count"]);
  await refuses({ target: "192.0.2.1", timeout_seconds: 3 }, ["timeout_seconds"]);
  await refuses({ type: "tcp", target: "192.0.2.1:1", ping: {} }, ["ping"]);
});
