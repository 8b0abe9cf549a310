import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, eventsOf, query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { sharedServer } from "@/e2e/support/servers/shared";
import { startMailbox } from "@/e2e/support/stand-ins/mailbox";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { until } from "@/e2e/support/until";
import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { inTransaction } from "@/lib/db/app";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { sendMail } from "@/lib/network/mail";
import { parseNetwork } from "@/lib/networks";
import type {
  NotificationChannel,
  NotificationChannelWithSecret,
  NotificationDelivery,
} from "@/lib/notification-channels/contract";
import { listNotificationDeliveries } from "@/lib/notification-channels/deliveries/list-deliveries";
import { getNotificationChannel } from "@/lib/notification-channels/get";
import { sendEmail } from "@/lib/notification-channels/providers/email";
import type { Message } from "@/lib/notification-channels/providers/message";
import { signatureOf } from "@/lib/notification-channels/providers/webhook";
import { enqueue, type Notification } from "@/lib/notification-channels/queue/enqueue";
import { MAX_AHEAD } from "@/lib/uptime/maintenance-windows/contract";

const receivers: Receiver[] = [];
afterAll(() => {
  for (const receiver of receivers) receiver.close();
});

async function receive(answer: Receiver["answer"] = 200): Promise<Receiver> {
  const receiver = await newReceiver();
  receiver.answer = answer;
  receivers.push(receiver);
  return receiver;
}

async function webhook({ admin }: Organization, url: string): Promise<NotificationChannelWithSecret> {
  const body = { type: "webhook", name: newId(), settings: { url } };
  const answer = await admin.post<NotificationChannelWithSecret>("/notification-channels", body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

const message: Message = {
  kind: "alert",
  state: "firing",
  severity: "warning",
  title: "Something is the matter",
  text: "",
  items: [],
  more: 0,
  url: "http://127.0.0.1/",
  key: "key",
  at: "2026-11-21T14:31:58.207Z",
};

/** Enqueues messages like the evaluation of alert rules. */
async function enqueueMessages(
  organization: Organization,
  channelId: string,
  ...messages: Message[]
): Promise<string[]> {
  return enqueueAll(
    organization,
    messages.map((each) => ({ channelId, message: each, alertIds: [] })),
  );
}

async function enqueueAll({ id }: Organization, notifications: readonly Notification[]): Promise<string[]> {
  const principal = systemPrincipal(id);
  return withAuditEvent({ action: "notification_channel.test", principal }, () =>
    auditedTransaction((tx) => enqueue(tx, id, notifications, new Date())),
  );
}

/** Uses the verbs, because polling would exceed the rate limit. */
async function deliveriesOf({ id }: Organization, filters: { status?: "sent" | "failed"; channel_id?: string } = {}) {
  const all = { limit: 200, cursor: undefined, channel_id: undefined, status: undefined, alert_id: undefined };
  return (await listNotificationDeliveries(systemPrincipal(id), { ...all, ...filters })).items;
}

/** Waits until the first attempt of the only message has failed. */
const untilRecorded = (of: Organization) =>
  until("its first attempt is recorded", async () => ((await deliveriesOf(of))[0]?.error ?? null) !== null);

const channelOf = ({ id: organizationId }: Organization, { id }: { id: string }) =>
  getNotificationChannel(systemPrincipal(organizationId), { id });

const server = sharedServer();
let organization: Organization;
/** A message that is being sent keeps its lease; otherwise it would be sent twice. */
const NOW = "UPDATE notification_deliveries SET next_attempt_at = now() WHERE organization_id = $1";
const LATER =
  "UPDATE notification_deliveries SET next_attempt_at = now() + interval '1 hour' WHERE organization_id = $1";
const makePendingDue = (on: Sealwatch, { id }: Organization) =>
  query(on, "app", `${NOW} AND status = 'pending' RETURNING id`, [id]);

beforeAll(async () => {
  organization = await newOrganization(server);
});

describe("setting a channel up", () => {
  test("secrets are accepted and never returned, and the database has them only encrypted", async () => {
    const { id: owner, admin, read } = await newOrganization(server);
    const url = "https://hooks.slack.com/services/T0/B0/very-secret-part";
    const made = await admin.post<NotificationChannelWithSecret>("/notification-channels", {
      type: "slack",
      name: "Ops",
      settings: { url },
    });
    expect(made.data).toMatchObject({ type: "slack", settings: {}, secrets: ["url"], state: "unused" });
    expect(made.data.signing_secret).toBeNull();
    expect(made.header("location")).toBe(`/api/v1/notification-channels/${made.data.id}`);
    const shown = await read.get(`/notification-channels/${made.data.id}`);
    const listed = await read.get("/notification-channels");
    for (const answer of [made, shown, listed]) expect(answer.text).not.toContain("very-secret");
    const rows =
      "SELECT row_to_json(c)::text AS row, c.secrets FROM notification_channels c WHERE organization_id = $1";
    const [stored] = await query<{ row: string; secrets: Buffer }>(server, "app", rows, [owner]);
    expect(stored?.row).not.toContain("very-secret");
    expect(stored?.secrets.includes("very-secret")).toBe(false);
  });

  test("a change keeps omitted fields, and clears fields that are null", async () => {
    const { admin } = await newOrganization(server);
    const receiver = await receive();
    const settings = { server: receiver.url, topic: "ops", token: "tk_secret" };
    const { data: made } = await admin.post<NotificationChannel>("/notification-channels", {
      type: "ntfy",
      name: "Phone",
      settings,
    });
    const path = `/notification-channels/${made.id}`;
    const { data: renamed } = await admin.put<NotificationChannel>(path, {
      name: "Phones",
      settings: { topic: "night" },
    });
    expect(renamed).toMatchObject({ name: "Phones", settings: { topic: "night" }, secrets: ["token"] });
    await admin.post(`${path}/test`);
    const { data: cleared } = await admin.put<NotificationChannel>(path, { settings: { token: null } });
    expect(cleared.secrets).toEqual([]);
    await admin.post(`${path}/test`);
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual(["Bearer tk_secret", undefined]);
    expect(JSON.parse(receiver.received[0]?.body ?? "")).toMatchObject({ topic: "night" });
  });

  test.each([
    [{ type: "slack", name: "x", settings: { url: "ftp://x" } }, "settings.url"],
    [{ type: "slack", name: "x", settings: { url: "https://user@x.test/" } }, "settings.url"],
    [{ type: "slack", name: "x", settings: { url: "https://x.test/", topic: "y" } }, "settings.topic"],
    [{ type: "pagerduty", name: "x", settings: { routing_key: "short" } }, "settings.routing_key"],
    [{ type: "email", name: "x", settings: { to: ["a@example.test"] } }, "settings.smtp_url"],
    [{ type: "email", name: "x", settings: { to: ["nobody"], smtp_url: "smtp://x" } }, "settings.to.0"],
    [{ type: "email", name: "x", settings: { to: ["a@b.test"], smtp_url: "smtp://x" } }, "settings.from"],
    [{ type: "pigeon", name: "x", settings: {} }, "type"],
  ])("%o is refused with an issue for the field", async (body, path) => {
    const answer = await organization.admin.post("/notification-channels", body);
    expect([answer.status, answer.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.error.issues?.map((issue) => issue.path)).toContain(path);
  });

  test("a name is unique, and a change of settings is validated like a new channel", async () => {
    const { name, id } = await webhook(organization, "https://example.test/");
    const again = { type: "webhook", name, settings: { url: "https://example.test/" } };
    expect((await organization.admin.post("/notification-channels", again)).error.code).toBe("CONFLICT");
    const changed = await organization.admin.put(`/notification-channels/${id}`, { settings: { url: "nonsense" } });
    expect(changed.error.issues?.map(({ path }) => path)).toEqual(["settings.url"]);
  });
});

test("a message that a process whose clock is ahead has queued is sent at once", async () => {
  const receiver = await receive();
  const { id: channelId } = await webhook(organization, receiver.url);
  const tomorrow = new Date(Date.now() + 86_400_000);
  await inTransaction((tx) => enqueue(tx, organization.id, [{ channelId, message, alertIds: [] }], tomorrow));
  await until("it is sent", () => receiver.received.length > 0);
});

describe("testing a channel", () => {
  test("sends once and returns the result; the event contains no secret", async () => {
    const receiver = await receive();
    const channel = await webhook(organization, `${receiver.url}/hook`);
    const answer = await organization.admin.post<NotificationDelivery>(`/notification-channels/${channel.id}/test`);
    expect(answer.data).toMatchObject({ kind: "test", status: "sent", attempts: 1, channel: { id: channel.id } });
    expect(receiver.received.map(({ path, headers }) => [path, headers["webhook-id"]])).toEqual([
      ["/hook", answer.data.id],
    ]);
    expect(await eventById(server, answer.requestId)).toMatchObject({
      action: "notification_channel.test",
      resource_type: "notification_channel",
      resource_id: channel.id,
    });
    receiver.answer = 500;
    const failed = await organization.admin.post<NotificationDelivery>(`/notification-channels/${channel.id}/test`);
    expect(failed.data).toMatchObject({
      status: "failed",
      attempts: 1,
      error: "HTTP status 500",
      next_attempt_at: null,
    });
    const shown = await organization.read.get<NotificationChannel>(`/notification-channels/${channel.id}`);
    expect(shown.data).toMatchObject({ state: "failing", last_error: "HTTP status 500" });
  });

  test("a forbidden network is not reached", async () => {
    const channel = await webhook(organization, "http://169.254.169.254/latest/meta-data");
    const { data } = await organization.admin.post<NotificationDelivery>(`/notification-channels/${channel.id}/test`);
    expect(data).toMatchObject({ status: "failed", error: "its address is in a forbidden network" });
  });

  test("a webhook's secret can be replaced without losing a message", async () => {
    const receiver = await receive();
    const channel = await webhook(organization, receiver.url);
    const path = `/notification-channels/${channel.id}`;
    const rotated = await organization.admin.post<NotificationChannelWithSecret>(`${path}/rotate-secret`);
    const secrets = [rotated.data.signing_secret ?? "", channel.signing_secret ?? ""];
    expect(new Set(secrets).size).toBe(2);
    await organization.admin.post(`${path}/test`);
    const [sent] = receiver.received;
    const id = String(sent?.headers["webhook-id"]);
    const seconds = Number(sent?.headers["webhook-timestamp"]);
    expect(sent?.headers["webhook-signature"]).toBe(
      secrets.map((secret) => signatureOf(secret, id, seconds, sent?.body ?? "")).join(" "),
    );
    const slack = { type: "slack", name: newId(), settings: { url: receiver.url } };
    const { data: other } = await organization.admin.post<NotificationChannel>("/notification-channels", slack);
    const refused = await organization.admin.post(`/notification-channels/${other.id}/rotate-secret`);
    expect([refused.status, refused.error.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("a channel whose secrets cannot be decrypted", () => {
  /** As if ENCRYPTION_KEY had changed: they are bound to another channel. */
  async function spoil(owner: Organization, { id }: { id: string }) {
    const other = await webhook(owner, "https://example.test/");
    const copied =
      "UPDATE notification_channels SET secrets = (SELECT secrets FROM notification_channels WHERE id = $2) WHERE id = $1";
    await query(server, "app", copied, [id, other.id]);
  }

  async function add(type: string, settings: object) {
    const owner = await newOrganization(server);
    const body = { type, name: newId(), settings };
    const answer = await owner.admin.post<NotificationChannel>("/notification-channels", body);
    expect(answer.status, answer.text).toBe(201);
    await spoil(owner, answer.data);
    return { admin: owner.admin, path: `/notification-channels/${answer.data.id}` };
  }

  test("works again when they are given again, and says which are missing", async () => {
    const receiver = await receive();
    const { admin, path } = await add("ntfy", { server: receiver.url, topic: "ops", token: "tk_secret" });
    const change = (settings: object) => admin.put<NotificationChannel>(path, { settings });
    const refused = await change({ topic: "night" });
    expect(refused.status).toBe(400);
    expect(refused.error.issues?.map((issue) => issue.path)).toEqual(["settings.token"]);
    expect((await change({ token: "tk_again" })).data).toMatchObject({ secrets: ["token"] });
    await admin.post(`${path}/test`);
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual(["Bearer tk_again"]);
  });

  test("gets a new signing secret before other changes", async () => {
    const receiver = await receive();
    const { admin, path } = await add("webhook", { url: receiver.url });
    const change = () => admin.put(path, { settings: { url: `${receiver.url}/new` } });
    const refused = await change();
    expect([refused.status, refused.error.code]).toEqual([409, "CONFLICT"]);
    const rotated = await admin.post<NotificationChannelWithSecret>(`${path}/rotate-secret`);
    expect(rotated.data.signing_secret).toMatch(/^whsec_/);
    expect((await change()).status).toBe(200);
    const tested = await admin.post<NotificationDelivery>(`${path}/test`);
    expect(tested.data.status).toBe("sent");
    expect(receiver.received.map(({ path }) => path)).toEqual(["/new"]);
  });
});

describe("deliveries", () => {
  test("a failed message is retried with the same id, and waiting messages are sent when the channel works again", async () => {
    const owner = await newOrganization(server);
    const receiver = await receive(503);
    const channel = await webhook(owner, receiver.url);
    const enqueuedAt = Date.now();
    const [first = "", second = ""] = await enqueueMessages(owner, channel.id, message, { ...message, key: "other" });
    const waiting = await until("both were tried", async () => {
      const all = await deliveriesOf(owner);
      return all.every(({ error }) => error !== null) && all;
    });
    expect(waiting.map(({ status, attempts, error }) => [status, attempts, error])).toEqual([
      ["pending", 1, "HTTP status 503"],
      ["pending", 1, "HTTP status 503"],
    ]);
    for (const { next_attempt_at } of waiting) {
      const next = Date.parse(next_attempt_at ?? "");
      expect(next).toBeGreaterThan(enqueuedAt + 5_000);
      expect(next).toBeLessThan(Date.now() + 12_000);
    }
    // A busy machine may come here when they are due again.
    await query(server, "app", LATER, [owner.id]);
    receiver.answer = 204;
    await query(server, "app", `${NOW} AND id = $2 RETURNING id`, [owner.id, first]);
    await until("both were sent", async () => (await deliveriesOf(owner, { status: "sent" })).length === 2);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids.slice(0, 2).sort()).toEqual([first, second].sort());
    expect(ids.slice(2).sort()).toEqual([first, second].sort());
  });

  test("a message for which the receiver wants fewer requests waits, also when others are sent", async () => {
    const owner = await newOrganization(server);
    const receiver = await receive(429);
    const channel = await webhook(owner, receiver.url);
    const [waiting = ""] = await enqueueMessages(owner, channel.id, message);
    const found = async () => (await deliveriesOf(owner)).find(({ id }) => id === waiting);
    await until("it was tried", async () => ((await found())?.error ?? null) !== null);
    await query(server, "app", LATER, [owner.id]);
    receiver.answer = 204;
    // Each of these is sent before the next one, and would make waiting messages due.
    for (const sent of [1, 2]) {
      await enqueueMessages(owner, channel.id, { ...message, key: `other ${sent}` });
      await until("it was sent", async () => (await deliveriesOf(owner, { status: "sent" })).length === sent);
    }
    const waits = Date.parse((await found())?.next_attempt_at ?? "") - Date.now();
    expect(waits).toBeGreaterThan(30 * 60_000);
  });

  test("a receiver's response is stored, whatever its characters", async () => {
    const owner = await newOrganization(server);
    // The limit of what is kept is in the middle of a character.
    const said = `${"a".repeat(199)}\u{1f600}`;
    const odd = createHttpServer((_, response) => response.writeHead(410).end(said));
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const channel = await webhook(owner, `http://127.0.0.1:${(odd.address() as AddressInfo).port}`);
    await enqueueMessages(owner, channel.id, message);
    const [failed] = await until("it failed", async () => {
      const all = await deliveriesOf(owner, { status: "failed" });
      return all.length > 0 && all;
    });
    expect(failed?.error).toBe(`HTTP status 410: ${"a".repeat(199)}\ufffd`);
    odd.close();
  });

  test("messages about one alert keep their order: the end is never sent before the beginning", async () => {
    const owner = await newOrganization(server);
    const receiver = await receive(503);
    const channel = await webhook(owner, receiver.url);
    const [begin = "", end = ""] = await enqueueMessages(owner, channel.id, message, { ...message, state: "resolved" });
    await until("the beginning was tried", () => receiver.received.length === 1);
    receiver.answer = 200;
    await until("both were sent", async () => {
      await makePendingDue(server, owner);
      return (await deliveriesOf(owner, { status: "sent" })).length === 2;
    });
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([begin, begin, end]);
  });

  test("a message that waits holds back only messages about its alerts, also of the same rule", async () => {
    const owner = await newOrganization(server);
    const receiver = await receive(503);
    const { id: channelId } = await webhook(owner, receiver.url);
    const [alert, other] = [newId(), newId()];
    const about = (...alertIds: string[]) => enqueueAll(owner, [{ channelId, message, alertIds }]);
    const [begin = ""] = await about(alert);
    await untilRecorded(owner);
    await query(server, "app", LATER, [owner.id]);
    receiver.answer = 200;
    const [next = ""] = await about(alert);
    const [both = ""] = await about(other, alert);
    const [apart = ""] = await about(other);
    const held = "SELECT id FROM notification_deliveries WHERE organization_id = $1 AND next_attempt_at > now()";
    // It waits for one that waits for the first.
    await until("all are held back", async () => (await query(server, "app", held, [owner.id])).length === 4);
    expect(receiver.received).toHaveLength(1);
    const [free = ""] = await about(newId());
    await until("all were sent", async () => (await deliveriesOf(owner, { status: "sent" })).length === 5);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([begin, free, begin, next, both, apart]);
  });

  test("messages of a channel whose settings a person has changed are due at once", async () => {
    const owner = await newOrganization(server);
    const [dead, alive] = [await receive(503), await receive()];
    const channel = await webhook(owner, dead.url);
    await enqueueMessages(owner, channel.id, message);
    await untilRecorded(owner);
    await query(server, "app", LATER, [owner.id]);
    const settings = { url: alive.url };
    expect((await owner.admin.put(`/notification-channels/${channel.id}`, { settings })).status).toBe(200);
    await until("it is sent", () => alive.received.length === 1);
  });

  test("a channel that keeps failing is disabled, with an event and a message to another channel; enabling it resets the count", async () => {
    const owner = await newOrganization(server);
    const [dead, alive, pager] = [await receive(410), await receive(), await receive(202)];
    const channel = await webhook(owner, dead.url);
    const other = await webhook(owner, alive.url);
    await enqueueMessages(owner, channel.id, ...["a", "b", "c"].map((key) => ({ ...message, key })));
    const path = `/notification-channels/${channel.id}`;
    const disabled = await until("it is disabled", async () => {
      const found = await channelOf(owner, channel);
      return found.state === "disabled" && found;
    });
    expect(disabled.disabled_reason).toBe("3 messages in a row could not be sent: HTTP status 410.");
    await until("the other channel was notified", () => alive.received.length === 1);
    expect(JSON.parse(alive.received[0]?.body ?? "")).toMatchObject({
      type: "notice",
      data: { title: `The channel ${channel.name} was disabled` },
    });
    expect(await deliveriesOf(owner, { channel_id: other.id })).toMatchObject([{ kind: "notice" }]);
    const event = await until("the event is there", async () =>
      (await eventsOf(server, owner.id)).find(({ action }) => action === "notification_channel.disable"),
    );
    expect(event).toMatchObject({ auth_type: "system", resource_id: channel.id, method: null });

    const [given] = await deliveriesOf(owner, { channel_id: channel.id, status: "failed" });
    const retry = `/notification-channels/deliveries/${given?.id}/retry`;
    expect((await owner.admin.post(retry)).error.code).toBe("CONFLICT");
    dead.answer = 200;
    const settings = { routing_key: "0".repeat(32), api_url: pager.url };
    await owner.admin.post("/notification-channels", { type: "pagerduty", name: "Pager", settings });
    // A person who disables it too removes the reason, not the incident.
    await owner.admin.put(path, { enabled: false });
    const { data: enabled } = await owner.admin.put<NotificationChannel>(path, { enabled: true });
    expect(enabled.disabled_reason).toBeNull();
    // Of the notices, only those to providers that track incidents have an end.
    await until("the incident is resolved", () => pager.received.length === 1);
    expect(JSON.parse(pager.received[0]?.body ?? "")).toMatchObject({
      event_action: "resolve",
      dedup_key: `channel ${channel.id}`,
    });
    expect(alive.received).toHaveLength(1);
    expect((await owner.admin.post<NotificationDelivery>(retry)).data).toMatchObject({ status: "pending" });
    await until("it was sent", async () =>
      (await deliveriesOf(owner, { status: "sent" })).some(({ id }) => id === given?.id),
    );
    expect(dead.received.at(-1)?.headers["webhook-id"]).toBe(given?.id);
    expect((await channelOf(owner, channel)).state).toBe("working");
  });
});

test("an e-mail that one of several recipients does not get is sent again, unless the server refused it for good", async () => {
  const mailbox = await startMailbox();
  const guard = { allowedNetworks: [parseNetwork("127.0.0.0/8")] };
  const settings = { to: ["one@example.test", "two@example.test"], from: "watch@example.test", smtp_url: mailbox.url };
  const channel = { name: "Mail", url: "http://127.0.0.1/" };
  const send = (attempt: number) =>
    sendEmail(settings, message, { id: newId(), at: new Date(), attempt, guard, channel });
  expect(await send(1)).toEqual({ ok: true });
  mailbox.refused.set("two@example.test", 450);
  expect(await send(1)).toMatchObject({
    ok: false,
    isFinal: false,
    reason: expect.stringContaining("two@example.test"),
  });
  expect(await send(3)).toMatchObject({ ok: true, warning: expect.stringContaining("two@example.test") });
  mailbox.refused.set("two@example.test", 550);
  expect(await send(1)).toMatchObject({ ok: true, warning: expect.stringContaining("two@example.test") });
  expect(mailbox.received).toHaveLength(4);
  mailbox.close();
});

test("an organization has a limited number of maintenance windows", async () => {
  const { id, admin } = await newOrganization(server);
  const span = { starts_at: new Date(Date.now() + 60_000), ends_at: new Date(Date.now() + 120_000) };
  const planned = await admin.post<{ id: string }>("/uptime/maintenance-windows", { name: "Planned", ...span });
  expect(planned.status, planned.text).toBe(201);
  const fill = `INSERT INTO maintenance_windows
    SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
    FROM maintenance_windows AS w, generate_series(1, ${MAX_AHEAD - 1}) WHERE organization_id = $1`;
  await query(server, "app", fill, [id]);
  const { status, error } = await admin.post("/uptime/maintenance-windows", { name: "one more", ...span });
  expect([status, error.message]).toEqual([
    409,
    "An organization can have at most 1,000 maintenance windows that have not ended.",
  ]);
  expect((await admin.put(`/uptime/maintenance-windows/${planned.data.id}`, { name: "Renamed" })).status).toBe(200);
});

test("a mail server that keeps talking without an end is left after a time", async () => {
  const open = new Set<Socket>();
  const talker = createServer((socket) => {
    open.add(socket);
    socket.write("220 here\r\n");
    const timer = setInterval(() => socket.write("250-and\r\n"), 20);
    socket
      .on("error", () => {})
      .on("close", () => {
        clearInterval(timer);
        open.delete(socket);
      });
  });
  await new Promise<void>((resolve) => talker.listen(0, "127.0.0.1", resolve));
  const { port } = talker.address() as AddressInfo;
  const mail = { to: ["somebody@example.test"], subject: "Hello", text: "", id: newId() };
  const guard = { allowedNetworks: [parseNetwork("127.0.0.0/8")] };
  const sent = sendMail(mail, { url: `smtp://127.0.0.1:${port}`, from: "watch@example.test", guard }, 500);
  await expect(sent).rejects.toMatchObject({ code: "EABORT" });
  await until("the connection is closed", async () => open.size === 0);
  talker.close();
});
