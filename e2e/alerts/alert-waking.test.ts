import { expect, onTestFinished, test } from "vitest";
import { bind, newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort, makeAuthority, serveTls } from "@/e2e/support/stand-ins/certificate-zoo";
import { until } from "@/e2e/support/until";
import { endOfLog, quietLogs, START_OF_LOG } from "@/lib/audit-logs/read/new-events";
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
  const animal = await serveTls([await authority.leaf(), authority.intermediate]);
  onTestFinished(() => animal.close());
  const target = { host: "127.0.0.1", port: animal.port, sni: "good.test" };
  const made = await admin.post("/certificates/endpoints", target);
  expect(made.status, made.text).toBe(201);
  await until("there is an alert", async () =>
    (await causes()).some((alert) => alert.causes.includes("untrusted_root")),
  );
});

test("organizations without a new security event are told apart by one statement", async () => {
  const [busy, quiet] = await Promise.all([newOrganization(server), newOrganization(server)]);
  bind(server);
  const from = Date.now() - 60_000;
  const start = { position: START_OF_LOG, from };
  // Each has two new keys.
  expect(await quietLogs(new Map([busy, quiet].map(({ id }) => [id, start])))).toEqual(new Map());
  const end = { position: await endOfLog(), from };
  await quiet.read.get("/certificates");
  await busy.newKey();
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

test("an organization without news waits for its next evaluation, and reads on from the end of the log", async () => {
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
