import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newId, newIdAt } from "@/lib/ids";
import { utcDay } from "@/lib/text/dates";
import { MINUTE_MS } from "@/lib/time/units";
import { createDayPartitions } from "@/lib/uptime/checks/partitions";
import { readChecksOf } from "@/lib/uptime/incidents/incident-checks";

const server = sharedServer();

test("of an incident's checks the first and the last are read, and the others counted", async () => {
  const { id: organizationId } = await newOrganization(server);
  const start = Date.now() - 200 * MINUTE_MS;
  await createDayPartitions(utcDay(start));
  await createDayPartitions(utcDay(Date.now()));
  const read = async (checks: number) => {
    const monitor = { id: newId(), name: "Site" };
    const ids = Array.from({ length: checks }, (_, minutes) => newIdAt(start + minutes * MINUTE_MS));
    const insert = `INSERT INTO uptime_checks (organization_id, monitor_id, id, ok, maintenance, total_us)
      SELECT $1, $2, id, true, false, 1000 FROM unnest($3::uuid[]) AS id`;
    await query(server, "app", insert, [organizationId, monitor.id, ids]);
    const incident = { monitor, started_at: new Date(start).toISOString(), ended_at: null };
    const found = await readChecksOf({ organizationId }, incident);
    return { ids, found: found.checks.map(({ id }) => id), between: found.between };
  };
  for (const checks of [0, 1, 50, 51, 99, 100]) {
    const { ids, found, between } = await read(checks);
    expect({ found, between }).toEqual({ found: ids, between: 0 });
  }
  const { ids, found, between } = await read(130);
  expect({ found, between }).toEqual({ found: [...ids.slice(0, 50), ...ids.slice(-50)], between: 30 });
});
