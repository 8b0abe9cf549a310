import { expect, onTestFinished, test } from "vitest";
import { bind, newOrganization } from "@/e2e/support/organization";
import { query, whileHeld } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { closedPort, serveTls } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { applyStateRules } from "@/lib/alerts/evaluation/evaluate-due";
import { unchangedState } from "@/lib/alerts/evaluation/find-unchanged";
import { NO_LATENCIES } from "@/lib/alerts/situation/situation";
import { endOfLog, quietLogs, START_OF_LOG } from "@/lib/audit-logs/read/new-events";
import { inTransaction } from "@/lib/db/app";
import { newId } from "@/lib/ids";

const server = sharedServer();

/** An organization with the default rules, whose next evaluation is due later than any test waits. */
async function asleep() {
  const owner = await newOrganization(server);
  const isAsleep = async () => {
    const text = `UPDATE alert_evaluations SET next_at = now() + interval '1 day', events_next_at = now() + interval '1 day'
      WHERE organization_id = $1 AND events_place IS NOT NULL AND leased_until IS NULL AND events_leased_until IS NULL
      RETURNING organization_id`;
    return (await query(server, "app", text, [owner.id])).length > 0;
  };
  await until("it was evaluated once", isAsleep);
  const causes = () =>
    query<{ causes: string[] }>(server, "app", "SELECT causes FROM alerts WHERE organization_id = $1", [owner.id]);
  return { ...owner, causes };
}

test("a flagged event triggers the evaluation of the rules that may concern it", async () => {
  const { admin, newKey, causes } = await asleep();
  const key = await newKey();
  await admin.post(`/api-keys/${key.id}/rotate`);
  expect((await key.api.get("/certificates")).status).toBe(401);
  await until("there is an alert", async () =>
    (await causes()).some((alert) => alert.causes.includes("rotated_secret")),
  );
});

test("a monitor that goes down triggers an evaluation", async () => {
  const { admin, causes } = await asleep();
  const target = `127.0.0.1:${await closedPort()}`;
  const made = await admin.post("/uptime", { name: "Down", type: "tcp", target, failure_threshold: 1 });
  expect(made.status, made.text).toBe(201);
  await until("there is an alert", async () => (await causes()).length > 0);
});

test("a finding triggers an evaluation", async () => {
  const { admin, causes } = await asleep();
  const authority = await makeAuthority("Unknown");
  const testServer = await serveTls([await authority.leaf(), authority.intermediate]);
  onTestFinished(() => testServer.close());
  const target = { host: "127.0.0.1", port: testServer.port, sni: "good.test" };
  const made = await admin.post("/certificates/endpoints", target);
  expect(made.status, made.text).toBe(201);
  await until("there is an alert", async () =>
    (await causes()).some((alert) => alert.causes.includes("untrusted_root")),
  );
});

test("one statement finds the organizations without a new security event", async () => {
  const [busy, quiet] = await Promise.all([newOrganization(server), newOrganization(server)]);
  bind(server);
  const from = Date.now() - 60_000;
  const start = { position: START_OF_LOG, from };
  // Each has two new keys.
  expect(await quietLogs(new Map([busy, quiet].map(({ id }) => [id, start])))).toEqual(new Map());
  // The end is before the oldest transaction that runs, also of other suites.
  const isRead = async () => (await quietLogs(new Map([[quiet.id, { position: await endOfLog(), from }]]))).size === 1;
  await until("the end of the log is after the new keys", isRead);
  const end = { position: await endOfLog(), from };
  await quiet.read.get("/certificates");
  await busy.newKey();
  const hasMoved = async () => BigInt((await endOfLog()).written) > BigInt(end.position.written);
  await until("the end of the log has moved", hasMoved);
  const restored = { position: { ...end.position, written: "999999999999" }, from };
  const passed = await quietLogs(
    new Map([
      [busy.id, end],
      [quiet.id, end],
      [newId(), end],
      [newId(), restored],
    ] as const),
  );
  expect([...passed.keys()].slice(0, 1)).toEqual([quiet.id]);
  expect(passed.size).toBe(2);
  const reached = passed.get(quiet.id);
  expect(BigInt(reached?.position.written ?? 0)).toBeGreaterThan(BigInt(end.position.written));
  expect(reached?.readAt).toBeGreaterThan(from);
});

test("an organization without new events waits for its next evaluation, and continues from the end of the log", async () => {
  const { id } = await asleep();
  const state = async () => {
    const text = `SELECT events_place -> 'position' ->> 'written' AS written, extract(epoch FROM events_next_at - now())::float8 AS seconds
      FROM alert_evaluations WHERE organization_id = $1`;
    const [row] = await query<{ written: string; seconds: number }>(server, "app", text, [id]);
    return { written: BigInt(row?.written ?? 0), seconds: row?.seconds ?? 0 };
  };
  const before = await state();
  await query(server, "app", "UPDATE alert_evaluations SET events_next_at = now() WHERE organization_id = $1", [id]);
  await until("it was evaluated", async () => {
    const { written, seconds } = await state();
    return written > before.written && seconds > 0 && seconds <= 60;
  });
});

test("an organization is skipped only while no alert, finding or time would change anything", async () => {
  const { id, admin, causes } = await asleep();
  bind(server);
  const isPassed = async () => (await unchangedState([id, newId()])).has(id);
  /** Nobody else evaluates an organization that is leased. */
  const lease = () =>
    query(
      server,
      "app",
      "UPDATE alert_evaluations SET leased_until = now() + interval '1 day' WHERE organization_id = $1",
      [id],
    );
  expect(await isPassed()).toBe(true);
  const target = `127.0.0.1:${await closedPort()}`;
  const made = await admin.post<{ id: string }>("/uptime", { name: "Down", type: "tcp", target, failure_threshold: 1 });
  await until("there is an alert", async () => (await causes()).length > 0);
  await until("it is as the evaluation left it", isPassed);
  await lease();
  expect(await isPassed()).toBe(true);

  const change = (set: string) => query(server, "app", `UPDATE alerts SET ${set} WHERE organization_id = $1`, [id]);
  await change("snoozed_until = now() - interval '1 second'");
  expect(await isPassed()).toBe(false);
  await change("snoozed_until = NULL");
  expect(await isPassed()).toBe(true);
  const ended = "UPDATE uptime_incidents SET awaits_evaluation = $2 WHERE organization_id = $1";
  await query(server, "app", ended, [id, true]);
  expect(await isPassed()).toBe(false);
  await query(server, "app", ended, [id, false]);
  expect(await isPassed()).toBe(true);

  // So many that they would take the time of others.
  await query(
    server,
    "app",
    `INSERT INTO alerts (organization_id, rule_id, rule_name, id, subject_type, subject_id, subject_name, step, severity, causes, detail, opened_at,
       resolved_at, resolved_by, memory, live)
     SELECT organization_id, rule_id, rule_name, gen_random_uuid(), subject_type, gen_random_uuid(), subject_name, step, severity, causes, detail,
       opened_at, now(), 'cause', memory, false FROM alerts, generate_series(1, 500) WHERE organization_id = $1`,
    [id],
  );
  expect(await isPassed()).toBe(false);
  await query(server, "app", "UPDATE alert_evaluations SET leased_until = NULL WHERE organization_id = $1", [id]);
  expect((await admin.delete(`/uptime/${made.data.id}`)).status).toBe(200);
});

test("an evaluation locks alerts only if it changes any", async () => {
  const { id, admin, causes } = await asleep();
  bind(server);
  const target = `127.0.0.1:${await closedPort()}`;
  await admin.post("/uptime", { name: "Down", type: "tcp", target, failure_threshold: 1 });
  await until("there is an alert", async () => (await causes()).length > 0);
  const hold = `UPDATE alert_evaluations SET leased_until = now() + interval '1 day'
    WHERE organization_id = $1 AND leased_until IS NULL RETURNING organization_id`;
  await until("no evaluation runs", async () => (await query(server, "app", hold, [id])).length > 0);
  const evaluate = () => inTransaction((tx) => applyStateRules(tx, id, NO_LATENCIES, false));
  await evaluate();
  const locked = { first: "SELECT FROM alerts WHERE organization_id = $1 FOR UPDATE", values: [id] };
  // It would fail at the time limit of its lock.
  await whileHeld(server, { ...locked, waiting: Number.POSITIVE_INFINITY }, evaluate);

  const snooze = "UPDATE alerts SET snoozed_until = now() - interval '1 second' WHERE organization_id = $1";
  await query(server, "app", snooze, [id]);
  const acknowledge = "UPDATE alerts SET acknowledged_at = now() WHERE organization_id = $1";
  await whileHeld(server, { ...locked, last: acknowledge, waiting: 1 }, evaluate);
  const text = "SELECT acknowledged_at IS NOT NULL AS acknowledged FROM alerts WHERE organization_id = $1";
  expect(await query(server, "app", text, [id])).toEqual([{ acknowledged: true }]);
});
