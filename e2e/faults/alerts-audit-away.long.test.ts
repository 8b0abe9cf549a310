import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { Cluster } from "@/e2e/support/servers/cluster";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { withoutWorker } from "@/e2e/support/servers/without-worker";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { until } from "@/e2e/support/until";
import type { Message } from "@/lib/notification-channels/providers/message";
import type { Monitor } from "@/lib/uptime/contract";

let monitoring: Cluster;
let audit: Cluster;
let server: Sealwatch;

beforeAll(async () => {
  [monitoring, audit] = await Promise.all([Cluster.create(), Cluster.create()]);
  server = await startSealwatch({
    DATABASE_URL: monitoring.url("app"),
    AUDIT_DATABASE_URL: audit.url("audit"),
    PROBE_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
});
afterAll(async () => {
  await server?.destroy();
  await Promise.all([monitoring?.destroy(), audit?.destroy()]);
});

type Notified = { data: Pick<Message, "title"> };

const titles = ({ received }: Receiver) => received.map(({ body }) => (JSON.parse(body) as Notified).data.title);

/** Titles of messages about an event, or about a monitor. */
const about = (receiver: Receiver, what: RegExp) => titles(receiver).filter((title) => what.test(title));

/** A web site that answers 200 until its status is changed. */
async function newSite() {
  const site = { status: 200, url: "" };
  const made = createServer((_request, response) => response.writeHead(site.status).end());
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void made.close().closeAllConnections());
  site.url = `http://127.0.0.1:${(made.address() as AddressInfo).port}/`;
  return site;
}

/** An organization with the default rules, a webhook, a monitor of a site, and a key whose old secret causes flagged events. */
async function watched() {
  const owner = await newOrganization(server);
  const receiver = await newReceiver();
  onTestFinished(() => receiver.close());
  const hook = { type: "webhook", name: "Hook", settings: { url: receiver.url } };
  expect((await owner.admin.post("/notification-channels", hook)).status).toBe(201);
  const site = await newSite();
  const input = { name: "Site", type: "http", target: site.url, failure_threshold: 1, interval_seconds: 60 };
  const made = await owner.admin.post<Monitor>("/uptime", input);
  expect(made.status, made.text).toBe(201);
  const key = await owner.newKey();
  expect((await owner.admin.post(`/api-keys/${key.id}/rotate`)).status).toBe(200);
  await until("the rules about events have a place in the log", () => hasPlace(owner));
  const goesDown = async () => {
    site.status = 500;
    const due = "UPDATE uptime_monitors SET next_check_at = now() WHERE organization_id = $1";
    await query(server, "app", due, [owner.id]);
  };
  const isMisused = async () => expect((await key.api.get("/certificates")).status).toBe(401);
  return { owner, receiver, goesDown, isMisused };
}

async function hasPlace({ id }: Organization): Promise<boolean> {
  const text = "SELECT FROM alert_evaluations WHERE organization_id = $1 AND events_place IS NOT NULL";
  return (await query(server, "app", text, [id])).length > 0;
}

/** The audit database is unavailable from the return of `leave` until `back` is called. */
async function expectAlertsWithout(leave: () => Promise<() => Promise<void>>): Promise<void> {
  const { receiver, goesDown, isMisused } = await watched();
  const back = await leave();
  try {
    await isMisused();
    await goesDown();
    await until("the monitor's alert is notified", () => about(receiver, /^Site: down/).length === 1);
    expect(about(receiver, /rotated secret/)).toEqual([]);
  } finally {
    await back();
  }
  await until("the event's alert is notified", () => about(receiver, /rotated secret/).length === 1);
  expect(about(receiver, /^Site: down/)).toHaveLength(1);
}

test("while the audit database is unavailable monitors raise alerts, and events raise them when it is back", async () => {
  await expectAlertsWithout(async () => {
    await audit.stop();
    return () => audit.start();
  });
});

test("while the audit database hangs monitors raise alerts, and events raise them when it answers", async () => {
  await expectAlertsWithout(async () => {
    const thaw = audit.freeze();
    return async () => thaw();
  });
});

test("while the audit database is unavailable an organization without rules about events is evaluated without it", async () => {
  const { owner } = await watched();
  const forget = "DELETE FROM alert_rules WHERE organization_id = $1 AND condition->>'type' = 'security_event'";
  await query(server, "app", forget, [owner.id]);
  await audit.stop();
  try {
    const due = `UPDATE alert_evaluations SET events_next_at = now() WHERE organization_id = $1`;
    await query(server, "app", due, [owner.id]);
    const evaluated =
      "SELECT FROM alert_evaluations WHERE events_next_at > now() AND events_leased_until IS NULL AND events_place IS NULL AND organization_id = $1";
    await until("it is evaluated", async () => (await query(server, "app", evaluated, [owner.id])).length === 1);
  } finally {
    await audit.start();
  }
});

test("after a restore into another cluster events since the last evaluation raise their alerts once, and so do later ones", async () => {
  const { owner, receiver, isMisused } = await watched();
  await isMisused();
  await until("the event's alert is notified", () => about(receiver, /rotated secret/).length === 1);
  const unseen = await owner.newKey();
  await owner.admin.post(`/api-keys/${unseen.id}/rotate`);
  // As in a dump: transaction ids of the old cluster, which are higher than those of the new one.
  const beyond = 1_000_000_000;
  await until("no evaluation is under way", () =>
    withoutWorker(server, async () => {
      // As if the event that was notified had occurred while the log was being read.
      const restore = `UPDATE alert_evaluations SET events_place =
          jsonb_set(jsonb_set(events_place, '{position,written}', to_jsonb($2::text)), '{readAt}', events_place->'from')
        WHERE organization_id = $1 AND events_leased_until IS NULL RETURNING organization_id`;
      if ((await query(server, "app", restore, [owner.id, beyond])).length === 0) return false;
      // Resolved for so long that a duplicate event would open another alert.
      const end = `UPDATE alerts SET live = false, resolved_at = now() - interval '2 hours', memory = memory || '{"told":null}'
        WHERE organization_id = $1`;
      await query(server, "app", end, [owner.id]);
      expect((await unseen.api.get("/certificates")).status).toBe(401);
      const written = `UPDATE audit_events SET written = (CASE api_key_id WHEN $2 THEN $3::bigint + 1 ELSE $3::bigint END)::text::xid8
        WHERE organization_id = $1`;
      await query(server, "audit", written, [owner.id, unseen.id, beyond]);
      return true;
    }),
  );
  await until("the event that no evaluation had read is notified", () => receiver.received.length >= 2);
  await until("the position is of this cluster", async () => {
    const text = `SELECT FROM alert_evaluations WHERE organization_id = $1 AND (events_place->'position'->>'written')::bigint < $2::bigint`;
    return (await query(server, "app", text, [owner.id, beyond])).length === 1;
  });
  const alerts = "SELECT subject_id FROM alerts WHERE organization_id = $1 AND subject_type = 'api_key'";
  expect(await query(server, "app", alerts, [owner.id])).toHaveLength(2);
  const later = await owner.newKey();
  await owner.admin.post(`/api-keys/${later.id}/rotate`);
  expect((await later.api.get("/certificates")).status).toBe(401);
  await until("a later event is notified", () => receiver.received.length >= 3);
  expect(about(receiver, /rotated secret/)).toHaveLength(3);
  expect(server.output().stderr.match(/is beyond the end of the audit log/g)).toHaveLength(1);
});
