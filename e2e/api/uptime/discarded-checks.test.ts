import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { unsent } from "@/lib/uptime/checks/outcome";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import type { Monitor } from "@/lib/uptime/contract";

const server = sharedServer();

async function newMonitor() {
  const { id: organizationId, admin } = await newOrganization(server);
  const sent = { name: "Closed", type: "tcp", target: `127.0.0.1:${await closedPort()}`, interval_seconds: 3600 };
  const { data: monitor } = await admin.post<Monitor>("/uptime", sent);
  return { organizationId, admin, monitorId: monitor.id };
}

/** Whether the worker checks it within so many seconds. */
async function isDueWithin(monitorId: string, seconds: number): Promise<boolean | undefined> {
  const due = "SELECT next_check_at <= now() + make_interval(secs => $2) AS due FROM uptime_monitors WHERE id = $1";
  const [row] = await query<{ due: boolean }>(server, "app", due, [monitorId, seconds]);
  return row?.due;
}

test("a check of settings that have changed since is discarded, and does not delay the next one until its lease ends", async () => {
  const { organizationId, monitorId } = await newMonitor();
  const own = [organizationId, monitorId];
  const [row] = await query<{ version: number; leased_until: Date }>(
    server,
    "app",
    `UPDATE uptime_monitors SET leased_until = now() + interval '1 hour' WHERE organization_id = $1 AND id = $2
     RETURNING version, leased_until`,
    own,
  );
  if (row === undefined) throw new Error("the monitor is gone");
  const result = { organizationId, monitorId, leasedUntil: row.leased_until, outcome: unsent("timeout") };
  const state = () =>
    query<{ leased: boolean; status: string; reason: string | null }>(
      server,
      "app",
      `SELECT leased_until IS NOT NULL AS leased, status, last_check->>'reason' AS reason FROM uptime_monitors
       WHERE organization_id = $1 AND id = $2`,
      own,
    );
  const [before] = await state();
  expect(before?.leased).toBe(true);

  // One of another lease must not end this one.
  const other = new Date(row.leased_until.getTime() - 60_000);
  expect(await recordOutcomes([{ ...result, version: row.version - 1, leasedUntil: other }])).toEqual([]);
  expect(await state()).toEqual([before]);

  expect(await recordOutcomes([{ ...result, version: row.version - 1 }])).toEqual([]);
  expect(await state()).toEqual([{ ...before, leased: false }]);
});

test("a discarded check of a monitor that is due does not make it due at once", async () => {
  const { organizationId, monitorId } = await newMonitor();
  const [row] = await query<{ version: number; leased_until: Date; now: Date }>(
    server,
    "app",
    `UPDATE uptime_monitors SET next_check_at = now() - interval '1 hour', leased_until = now() + interval '1 hour'
     WHERE organization_id = $1 AND id = $2 RETURNING version, leased_until, now()`,
    [organizationId, monitorId],
  );
  if (row === undefined) throw new Error("the monitor is gone");
  const result = { organizationId, monitorId, leasedUntil: row.leased_until, outcome: unsent("timeout") };
  expect(await recordOutcomes([{ ...result, version: row.version - 1 }])).toEqual([]);
  const [after] = await query<{ next_check_at: Date }>(
    server,
    "app",
    "SELECT next_check_at FROM uptime_monitors WHERE organization_id = $1 AND id = $2",
    [organizationId, monitorId],
  );
  expect((after?.next_check_at.getTime() ?? 0) - row.now.getTime()).toBeGreaterThanOrEqual(5_000);
});

test("a check by a process whose clock is a day ahead delays no other, and is recorded once", async () => {
  const { organizationId, monitorId } = await newMonitor();
  const result = { organizationId, monitorId, version: 1 };
  const ahead = { ...unsent("timeout"), at: new Date(Date.now() + 86_400_000) };
  expect(await recordOutcomes([{ ...result, outcome: ahead }])).toHaveLength(1);
  expect(await isDueWithin(monitorId, 2 * 3600)).toBe(true);
  expect(await recordOutcomes([{ ...result, outcome: ahead }])).toEqual([]);
  expect(await recordOutcomes([{ ...result, outcome: unsent("timeout") }])).toHaveLength(1);
  const [row] = await query<{ ahead: boolean }>(
    server,
    "app",
    "SELECT last_checked_at > now() + interval '1 hour' AS ahead FROM uptime_monitors WHERE organization_id = $1 AND id = $2",
    [organizationId, monitorId],
  );
  expect(row?.ahead).toBe(false);
});

test("an incident that a process whose clock is ahead opened does not end before it began", async () => {
  const { organizationId, admin, monitorId } = await newMonitor();
  const result = { organizationId, monitorId, version: 1 };
  await admin.put(`/uptime/${monitorId}`, { failure_threshold: 1 });
  const ok = { ...unsent("timeout"), ok: true, reason: null };
  const later = new Date(Date.now() + 3_600_000);
  expect(await recordOutcomes([{ ...result, outcome: { ...ok, at: new Date() } }])).toHaveLength(1);
  expect(await recordOutcomes([{ ...result, outcome: { ...unsent("timeout"), at: later } }])).toHaveLength(1);
  expect(await recordOutcomes([{ ...result, outcome: { ...ok, at: new Date() } }])).toHaveLength(1);
  const ends =
    "SELECT ended_at >= started_at AS sound FROM uptime_incidents WHERE organization_id = $1 AND monitor_id = $2";
  expect(await query(server, "app", ends, [organizationId, monitorId])).toEqual([{ sound: true }]);
});

test("a change that leaves the check as it is neither ends the lease of one that runs nor makes it due", async () => {
  const { organizationId, admin, monitorId } = await newMonitor();
  const lease = `UPDATE uptime_monitors SET leased_until = now() + interval '1 hour', next_check_at = now() + interval '30 minutes'
    WHERE organization_id = $1 AND id = $2 RETURNING leased_until, next_check_at`;
  const [leased] = await query(server, "app", lease, [organizationId, monitorId]);
  const state = () =>
    query(
      server,
      "app",
      "SELECT leased_until, next_check_at FROM uptime_monitors WHERE organization_id = $1 AND id = $2",
      [organizationId, monitorId],
    );
  expect((await admin.put(`/uptime/${monitorId}`, { name: "Still closed", interval_seconds: 7200 })).status).toBe(200);
  expect(await state()).toEqual([leased]);
  const tagged = await admin.post("/uptime/bulk/update", { ids: [monitorId], add_tags: ["web"] });
  expect(tagged.status).toBe(200);
  expect(await state()).toEqual([leased]);
  // A shorter interval brings the next check forward, but does not end the lease.
  expect((await admin.put(`/uptime/${monitorId}`, { interval_seconds: 300 })).status).toBe(200);
  expect(await isDueWithin(monitorId, 300)).toBe(true);
  expect(await isDueWithin(monitorId, 0)).toBe(false);
  expect(await state()).toMatchObject([{ leased_until: (leased as { leased_until: Date }).leased_until }]);
});
