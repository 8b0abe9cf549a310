import { expect, onTestFinished, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { closedPort, makeAuthority, serveTls } from "@/e2e/support/stand-ins/certificate-zoo";
import { until } from "@/e2e/support/until";

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
