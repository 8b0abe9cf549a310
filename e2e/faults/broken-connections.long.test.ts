import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { systemPrincipal } from "@/lib/http/principal";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import type { Message } from "@/lib/notification-channels/providers/message";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";

const MESSAGES = 80;
const MONITORS = 100;
const CUTS = 15;
/** The duration of a lease whose holder never learned of it. */
const LEASE_MS = 90_000;

const server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8" });
afterAll(() => server.destroy());

/** Answers so slowly that connections break while many requests are in progress. */
async function newSite() {
  const received: string[] = [];
  const made = createServer(async (request, response) => {
    request.resume();
    const id = request.headers["webhook-id"];
    if (typeof id === "string") received.push(id);
    await delay(100);
    response.end();
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void made.close().closeAllConnections());
  return { received, url: `http://127.0.0.1:${(made.address() as AddressInfo).port}/` };
}

/** Monitors of a site that are due now, and after that in an hour. */
async function addMonitors(organizationId: string, count: number, url: string): Promise<void> {
  await query(
    server,
    "app",
    `INSERT INTO uptime_monitors (organization_id, id, name, type, target, method, headers, expected_status, follow_redirects,
       interval_seconds, timeout_seconds, failure_threshold, recovery_threshold, tags, next_check_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), n::text, 'http', $3, 'GET', '{}', '{2xx}', false, 3600, 10, 1, 1, '{}', now(), now(), now()
     FROM generate_series(1, $2::integer) AS n`,
    [organizationId, count, url],
  );
}

const UNCHECKED = "SELECT FROM uptime_monitors WHERE organization_id = $1 AND last_checked_at IS NULL";

test("connections that break during work end no process, and no work is done twice or lost", async () => {
  const { id: organizationId, admin } = await newOrganization(server);
  const site = await newSite();
  const hook = { type: "webhook", name: "Hook", settings: { url: site.url } };
  const { data: channel } = await admin.post<NotificationChannel>("/notification-channels", hook);
  const { web, worker } = server.pids();
  await addMonitors(organizationId, MONITORS, site.url);
  const message: Omit<Message, "key"> = {
    kind: "alert",
    state: "firing",
    severity: "warning",
    title: "Something is the matter",
    text: "",
    items: [],
    more: 0,
    url: server.url,
    at: new Date().toISOString(),
  };
  const notifications = Array.from({ length: MESSAGES }, (_, n) => ({
    channelId: channel.id,
    message: { ...message, key: `key ${n}` },
    alertIds: [],
  }));
  const principal = systemPrincipal(organizationId);
  const ids = await withAuditEvent({ action: "notification_channel.test", principal }, () =>
    auditedTransaction((tx) => enqueue(tx, organizationId, notifications, new Date())),
  );

  let cuts = 0;
  for (let seen = 0; cuts < CUTS; cuts++) {
    await until("something was sent since", () => site.received.length > seen || site.received.length === MESSAGES);
    seen = site.received.length;
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'sealwatch job%' AND pid <> pg_backend_pid()`;
    await query(server, "app", cut);
  }
  const pending = "SELECT FROM notification_deliveries WHERE organization_id = $1 AND status <> 'sent'";
  for (const text of [pending, UNCHECKED]) {
    await until(
      `nothing is left of: ${text}`,
      async () => (await query(server, "app", text, [organizationId])).length === 0,
      3 * LEASE_MS,
    );
  }
  expect(site.received.toSorted()).toEqual(ids.toSorted());
  expect(server.pids()).toMatchObject({ web, worker });
});

test("a locked table holds up no work that does not need it", async () => {
  const { id: organizationId } = await newOrganization(server);
  const site = await newSite();
  const locker = new pg.Client({ connectionString: server.databases.app });
  await locker.connect();
  try {
    await locker.query("BEGIN; LOCK TABLE domain_sources IN ACCESS EXCLUSIVE MODE");
    await addMonitors(organizationId, 1, site.url);
    await until(
      "the monitor is checked",
      async () => (await query(server, "app", UNCHECKED, [organizationId])).length === 0,
    );
  } finally {
    await locker.end();
  }
});
