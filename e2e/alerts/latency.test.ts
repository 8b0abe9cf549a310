import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/certificate-zoo";
import { newIdAt } from "@/lib/ids";
import { utcDay } from "@/lib/text/dates";
import { MINUTE_MS } from "@/lib/time/units";
import { createDayPartitions } from "@/lib/uptime/checks/partitions";
import type { Monitor } from "@/lib/uptime/contract";

const server = sharedServer();

test("a rule about response times judges monitors that are checked rarely over four of their intervals", async () => {
  const { id: organizationId, admin } = await newOrganization(server);
  /** A monitor with successful checks that took so many milliseconds, by minutes before now. */
  const add = async (name: string, interval_seconds: number, checks: Record<number, number>, maintenance = false) => {
    const sent = { name, type: "tcp", target: `127.0.0.1:${await closedPort()}`, interval_seconds, paused: true };
    const { data } = await admin.post<Monitor>("/uptime", sent);
    // Not due before the test has ended.
    const resume = `UPDATE uptime_monitors SET paused_at = NULL, next_check_at = now() + interval '1 hour'
      WHERE organization_id = $1 AND id = $2`;
    await query(server, "app", resume, [organizationId, data.id]);
    for (const [minutes, ms] of Object.entries(checks)) {
      const at = Date.now() - Number(minutes) * MINUTE_MS;
      await createDayPartitions(utcDay(at));
      const insert = `INSERT INTO uptime_checks (organization_id, monitor_id, id, ok, maintenance, total_us)
        VALUES ($1, $2, $3, true, $5, $4)`;
      await query(server, "app", insert, [organizationId, data.id, newIdAt(at), ms * 1000, maintenance]);
    }
  };
  await add("often", 60, { 1: 900, 2: 900, 3: 900, 100: 1, 110: 1, 120: 1, 130: 1 });
  await add("rarely", 3600, { 50: 900, 110: 900, 170: 900, 400: 1, 460: 1, 520: 1, 580: 1 });
  await add("often, long ago", 60, { 100: 900, 110: 900, 120: 900 });
  await add("rarely, too few", 3600, { 50: 900, 110: 900 });
  await add("often, in maintenance", 60, { 1: 900, 2: 900, 3: 900 }, true);
  const rule = { name: "Slow", condition: { type: "latency", above_ms: 500 }, steps: [{ severity: "warning" }] };
  const preview = await admin.post<{ matches: { subject: { name: string }; detail: string }[] }>(
    "/alert-rules/preview",
    rule,
  );
  expect(preview.status, preview.text).toBe(200);
  const found = preview.data.matches.map(({ subject, detail }) => `${subject.name} ${detail}`).sort();
  expect(found).toEqual([
    "often responds in 900 ms (median of 15 min)",
    "rarely responds in 900 ms (median of 240 min)",
  ]);
});
