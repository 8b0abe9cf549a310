import { beforeAll, expect, test } from "vitest";
import { withKey } from "@/e2e/support/api";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { readChanges } from "@/lib/analytics/changes";
import { readCurrentState } from "@/lib/analytics/current-state";
import { compareWeeks } from "@/lib/analytics/weeks";
import { handleOldSecretUse } from "@/lib/api-keys/old-secrets/handle";
import { readLeaks } from "@/lib/api-keys/old-secrets/leaks";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { systemPrincipal } from "@/lib/http/principal";
import type { Monitor } from "@/lib/uptime/contract";

const server = sharedServer();
const began = Date.now();
let organization: Organization;
let other: Organization;

beforeAll(async () => {
  [organization, other] = [await newOrganization(server), await newOrganization(server)];
});

test("the state counts what is wrong in the organization alone", async () => {
  const { admin } = organization;
  await admin.post("/certificates/endpoints", { host: "127.0.0.1", port: await closedPort() });
  const target = `127.0.0.1:${await closedPort()}`;
  await admin.post<Monitor>("/uptime", { name: "down", type: "tcp", target, failure_threshold: 1 });
  const state = await readCurrentState(systemPrincipal(organization.id));
  expect(state).toMatchObject({
    endpoints: 1,
    monitors: 1,
    down: 1,
    unchecked: 0,
    unreachable: 1,
    expired: 0,
    critical: 0,
    leaks: { found: [], isComplete: true },
  });
  expect(await readCurrentState(systemPrincipal(other.id))).toEqual({
    ...{ endpoints: 0, monitors: 0, down: 0, expired: 0, expiring: 0, nextExpiry: null },
    ...{ unchecked: 0, unreachable: 0, critical: 0, leaks: { found: [], isComplete: true }, openAlerts: 0 },
  });
});

test("the state counts what was not checked yet", async () => {
  const waiting = await newOrganization(server);
  await waiting.admin.post("/uptime", { name: "never called", type: "heartbeat" });
  await waiting.admin.post("/certificates/endpoints", { host: "127.0.0.1", port: await closedPort() });
  const principal = systemPrincipal(waiting.id);
  expect(await readCurrentState(principal)).toMatchObject({ endpoints: 1, monitors: 1, unchecked: 1 });
  await query(server, "app", "UPDATE certificate_endpoints SET status = 'pending' WHERE organization_id = $1", [
    waiting.id,
  ]);
  expect(await readCurrentState(principal)).toMatchObject({ unchecked: 2 });
});

test("a leaked secret counts its unrecognized addresses until it is handled", async () => {
  const key = await organization.newKey({ name: "ci-deploy" });
  const from = (address: string) => withKey(server, key.secret).with({ "x-forwarded-for": address });
  await from("192.0.2.10").get("/certificates");
  await organization.admin.post(`/api-keys/${key.id}/rotate`);
  for (const address of ["192.0.2.10", "203.0.113.7", "203.0.113.8"]) await from(address).get("/certificates");
  // Written by the server within 20 s.
  await query(server, "app", "UPDATE api_keys SET rotated_secret_used_at = now() WHERE id = $1 RETURNING id", [key.id]);
  const principal = systemPrincipal(organization.id);
  const leaks = async () => (await readCurrentState(principal)).leaks?.found;
  expect(await leaks()).toEqual([{ apiKeyId: key.id, name: "ci-deploy", strangers: 2 }]);
  expect((await readCurrentState(systemPrincipal(other.id))).leaks?.found).toEqual([]);
  await withAuditEvent({ action: "api_key.handle_old_secrets", principal }, () =>
    handleOldSecretUse(principal, { id: key.id, note: null }),
  );
  expect(await leaks()).toEqual([]);
  await from("203.0.113.9").get("/certificates");
  expect(await leaks()).toMatchObject([{ strangers: 1 }]);
});

test("a leaked secret is found among keys whose own addresses tried their old secrets later", async () => {
  const busy = await newOrganization(server);
  const principal = systemPrincipal(busy.id);
  for (const name of ["ci-deploy", ..."abcdefghijkl"]) {
    const key = await busy.newKey({ name });
    const from = (address: string) => withKey(server, key.secret).with({ "x-forwarded-for": address });
    await from("192.0.2.10").get("/certificates");
    await busy.admin.post(`/api-keys/${key.id}/rotate`);
    await from(name === "ci-deploy" ? "203.0.113.7" : "192.0.2.10").get("/certificates");
    await query(server, "app", "UPDATE api_keys SET rotated_secret_used_at = clock_timestamp() WHERE id = $1", [
      key.id,
    ]);
  }
  const { leaks } = await readCurrentState(principal);
  expect(leaks).toMatchObject({ found: [{ name: "ci-deploy", strangers: 1 }], isComplete: true });
  // Nothing is examined without time, and a statement ends with the time that was left.
  const none = { found: [], isComplete: false };
  expect(await readLeaks(principal, 0)).toEqual(none);
  const late = withTransaction(auditPool("job"), async (client) => {
    await client.query("LOCK TABLE audit_deltas IN ACCESS EXCLUSIVE MODE");
    return readLeaks(principal, 100);
  });
  expect(await late).toEqual(none);
});

test("changes are counted since a time", async () => {
  const principal = systemPrincipal(organization.id);
  const changes = await readChanges(principal, began - 60_000);
  expect(changes).toMatchObject({ endpoints: 1, monitors: 1, members: 0, expired: 0, keys: 3 });
  const none = { alerts: 0, expired: 0, endpoints: 0, monitors: 0, members: 0, keys: 0 };
  expect(await readChanges(principal, Date.now() + 60_000)).toEqual(none);
});

test("the last week is counted apart from the week before", async () => {
  const principal = systemPrincipal(organization.id);
  const { last, before } = await compareWeeks(principal);
  expect(last.requests).toBeGreaterThan(5);
  expect(last.errors).toBeGreaterThanOrEqual(3);
  expect(last.securityEvents).toBeGreaterThanOrEqual(3);
  expect(last.uptimePercent).toBe(0);
  expect(before).toEqual({ requests: 0, errors: 0, securityEvents: 0, uptimePercent: null, alerts: 0 });
  expect((await compareWeeks(systemPrincipal(other.id))).last).toMatchObject({ errors: 0, uptimePercent: null });
});
