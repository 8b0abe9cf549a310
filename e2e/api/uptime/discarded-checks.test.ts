import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/certificate-zoo";
import { unsent } from "@/lib/uptime/checks/outcome";
import { recordOutcomes } from "@/lib/uptime/checks/record-outcomes";
import type { Monitor } from "@/lib/uptime/contract";

const server = sharedServer();

test("a check of settings that have changed since is discarded, and does not delay the next one until its lease ends", async () => {
  const { id: organizationId, admin } = await newOrganization(server);
  const sent = { name: "Closed", type: "tcp", target: `127.0.0.1:${await closedPort()}`, interval_seconds: 3600 };
  const { data: monitor } = await admin.post<Monitor>("/uptime", sent);
  const own = [organizationId, monitor.id];
  const [row] = await query<{ version: number; leased_until: Date }>(
    server,
    "app",
    `UPDATE uptime_monitors SET leased_until = now() + interval '1 hour' WHERE organization_id = $1 AND id = $2
     RETURNING version, leased_until`,
    own,
  );
  if (row === undefined) throw new Error("the monitor is gone");
  const result = { organizationId, monitorId: monitor.id, leasedUntil: row.leased_until, outcome: unsent("timeout") };
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
