import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { killNow } from "@/e2e/support/servers/processes";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { until } from "@/e2e/support/until";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { systemPrincipal } from "@/lib/http/principal";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import { readDelivery } from "@/lib/notification-channels/deliveries/delivery";
import type { Message } from "@/lib/notification-channels/providers/message";
import { enqueue } from "@/lib/notification-channels/queue/enqueue";

let server: Sealwatch;
let receiver: Receiver;

beforeAll(async () => {
  server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8" });
  receiver = await newReceiver();
});

afterAll(async () => {
  receiver.close();
  await server.destroy();
});

test("a worker killed while it sends loses no message: another worker sends it with the same id after the lease", async () => {
  const { id: organizationId, admin } = await newOrganization(server);
  const body = { type: "webhook", name: "Hook", settings: { url: receiver.url } };
  const { data: channel } = await admin.post<NotificationChannel>("/notification-channels", body);
  receiver.answer = "hang";
  const message: Message = {
    kind: "alert",
    state: "firing",
    severity: "warning",
    title: "Something is the matter",
    text: "",
    items: [],
    more: 0,
    url: server.url,
    key: "key",
    at: new Date().toISOString(),
  };
  const notification = { channelId: channel.id, message, alertIds: [] };
  const principal = systemPrincipal(organizationId);
  const [id] = await withAuditEvent({ action: "notification_channel.test", principal }, () =>
    auditedTransaction((tx) => enqueue(tx, organizationId, [notification], new Date())),
  );
  await until("it is being sent", () => receiver.received.length === 1);
  const worker = server.pids().worker;
  if (worker === undefined) throw new Error("there is no worker");
  killNow(worker);
  receiver.answer = 200;
  await until("another worker runs", () => ![undefined, worker].includes(server.pids().worker));
  // Shortens the lease of a minute: the new worker does not take messages that seem to be in progress.
  const lease =
    "UPDATE notification_deliveries SET leased_until = now() + interval '2 seconds' WHERE id = $1 AND leased_until > now() RETURNING id";
  expect(await query(server, "app", lease, [id])).toHaveLength(1);
  const delivery = await until("it was sent", async () => {
    const found = await readDelivery(organizationId, id ?? "");
    return found.status === "sent" && found;
  });
  expect(delivery).toMatchObject({ attempts: 2, status: "sent" });
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
});
