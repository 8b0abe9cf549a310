import { expect, test } from "vitest";
import { bind, newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { applyStateRules } from "@/lib/alerts/evaluation/evaluate-due";
import { condition, selector } from "@/lib/alerts/rules/conditions";
import { readSlow } from "@/lib/alerts/situation/slow-monitors";
import { inTransaction } from "@/lib/db/app";
import { newIdAt } from "@/lib/ids";
import { utcDay } from "@/lib/text/dates";
import { MINUTE_MS } from "@/lib/time/units";
import { createDayPartitions } from "@/lib/uptime/checks/partitions";
import type { Monitor } from "@/lib/uptime/contract";

const server = sharedServer();

/** An organization, and a function that adds a monitor with successful checks that took so many milliseconds, by minutes before now. */
async function monitored() {
  const owner = await newOrganization(server);
  const organizationId = owner.id;
  const add = async (
    name: string,
    seconds: number,
    checks: Record<number, number>,
    maintenance = false,
    tags = [""],
  ) => {
    const target = `127.0.0.1:${await closedPort()}`;
    const sent = { name, type: "tcp", target, interval_seconds: seconds, paused: true, tags: tags.filter(Boolean) };
    const { data } = await owner.admin.post<Monitor>("/uptime", sent);
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
    return data.id;
  };
  return { ...owner, add };
}

test("a rule about response times judges monitors that are checked rarely over four of their intervals", async () => {
  const { admin, add } = await monitored();
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

test("response times are read of the monitors that a rule with the window selects", async () => {
  const { id, add } = await monitored();
  bind(server);
  const checks = { 1: 900, 2: 900, 3: 900 };
  const [one] = [
    await add("one", 60, checks),
    await add("two", 60, checks, false, ["shop", "eu"]),
    await add("three", 60, checks, false, ["docs"]),
  ];
  const few = await add("few", 60, { 1: 900, 2: 900 }, false, ["few"]);
  const rule = (above_ms: number, window_minutes: number, selected: object = {}) => ({
    condition: condition.parse({ type: "latency", above_ms, window_minutes }),
    selector: selector.parse(selected),
  });
  const found = async (...rules: ReturnType<typeof rule>[]) => {
    const { slow, unjudged, measured } = await readSlow(id, rules, new Date());
    expect(measured).toHaveLength(rules.length);
    expect(unjudged.every(({ monitorId }) => monitorId === few)).toBe(true);
    return slow.map(({ name, windowMinutes }) => `${name} ${windowMinutes}`).sort();
  };
  expect(await found(rule(500, 15, { ids: [one] }))).toEqual(["one 15"]);
  expect(await found(rule(500, 15, { tags: ["shop", "us"] }))).toEqual(["two 15"]);
  expect(await found(rule(500, 15, { tags: ["shop"] }), rule(950, 15, { ids: [one] }))).toEqual(["one 15", "two 15"]);
  expect(await found(rule(500, 15), rule(500, 20, { tags: ["docs"] }))).toEqual([
    ...["one 15", "three 15", "three 20", "two 15"],
  ]);
  expect(await found(rule(500, 15), rule(500, 15, { ids: [one] }))).toEqual(["one 15", "three 15", "two 15"]);
  expect(await found(rule(950, 15))).toEqual([]);
  const { unjudged } = await readSlow(id, [rule(500, 15), rule(500, 20, { tags: ["docs"] })], new Date());
  expect(unjudged).toMatchObject([{ monitorId: few, windowMinutes: 15 }]);
  expect(await found()).toEqual([]);
});

test("alerts of a rule whose response times were not read in time stay as they are, and other rules are applied", async () => {
  const { id, admin, add } = await monitored();
  const monitor = await add("often", 60, { 1: 900, 2: 900, 3: 900 });
  const rule = { name: "Slow", condition: { type: "latency", above_ms: 500 }, steps: [{ severity: "warning" }] };
  expect((await admin.post("/alert-rules", rule)).status).toBe(201);
  const alerts = async () => {
    const text = `SELECT causes, absent_since IS NOT NULL AS absent FROM alerts WHERE organization_id = $1 ORDER BY causes`;
    const rows = await query<{ causes: string[]; absent: boolean }>(server, "app", text, [id]);
    return rows.map(({ causes, absent }) => `${causes} ${absent ? "absent" : "present"}`);
  };
  await until("there is an alert", async () => (await alerts()).length > 0);
  expect(await alerts()).toEqual(["latency present"]);
  const hold = `UPDATE alert_evaluations SET leased_until = now() + interval '1 hour'
    WHERE organization_id = $1 AND leased_until IS NULL RETURNING organization_id`;
  await until("no evaluation runs", async () => (await query(server, "app", hold, [id])).length > 0);
  await query(server, "app", "DELETE FROM uptime_checks WHERE organization_id = $1", [id]);
  await query(
    server,
    "app",
    `INSERT INTO uptime_incidents (organization_id, id, monitor_id, started_at, reason) VALUES ($1, gen_random_uuid(), $2, now(), 'timeout')`,
    [id, monitor],
  );

  bind(server);
  const terms = [{ condition: condition.parse(rule.condition), selector: selector.parse({}) }];
  const evaluate = async (limits?: { window: number; all: number }) => {
    const latencies = await readSlow(id, terms, new Date(), limits);
    await inTransaction((tx) => applyStateRules(tx, id, latencies, false));
    return alerts();
  };
  expect(await evaluate({ window: 0, all: 0 })).toEqual(["latency present", "monitor_down present"]);
  // Without successful checks nothing says that it is fast again.
  expect(await evaluate()).toEqual(["latency present", "monitor_down present"]);
  const pause = "UPDATE uptime_monitors SET paused_at = now() WHERE organization_id = $1 AND id = $2";
  await query(server, "app", pause, [id, monitor]);
  expect(await evaluate()).toContain("latency absent");
});
