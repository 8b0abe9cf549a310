import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type Mailbox, startMailbox } from "@/e2e/support/stand-ins/mailbox";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { configure } from "@/lib/config";
import { tryDestination } from "@/lib/destinations/sending/try";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { readChannelRow } from "@/lib/notification-channels/channel";
import { createNotificationChannel } from "@/lib/notification-channels/create";
import { attempt, type Leased } from "@/lib/notification-channels/deliveries/attempt";
import { recordAttempts } from "@/lib/notification-channels/deliveries/record-attempts";
import { testNotificationChannel } from "@/lib/notification-channels/deliveries/send-test";
import { takeTestSlot } from "@/lib/notification-channels/deliveries/test-slots";
import type { Message } from "@/lib/notification-channels/providers/message";
import { plans } from "@/lib/plans";
import { encryptionKey } from "@/server/data-dir";

const server = sharedServer();
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox.close());

describe("a plan limits the number of", () => {
  const aRule = () => ({ name: newId(), condition: { type: "monitor_down" }, steps: [{}] });
  const aChannel = () => ({ type: "webhook", name: newId(), settings: { url: "http://127.0.0.1/" } });

  test.each([
    ["alert_rules", "/alert-rules", aRule],
    ["notification_channels", "/notification-channels", aChannel],
  ] as const)("%s; what an organization has beyond it stays", async (noun, path, newOne) => {
    const { id, admin } = await newOrganization(server);
    const limit = plans.free[noun];
    const first = await admin.post<{ id: string }>(path, newOne());
    expect(first.status, first.text).toBe(201);
    await query(
      server,
      "app",
      `INSERT INTO ${noun} SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'name', r.name || n))).*
       FROM ${noun} AS r, generate_series(1, $2::integer) AS n WHERE r.organization_id = $1 AND r.id = $3`,
      [id, limit, first.data.id],
    );
    const refused = await admin.post(path, newOne());
    expect([refused.status, refused.error.code]).toEqual([402, "PLAN_LIMIT_REACHED"]);
    expect(refused.error.limit).toBe(limit);
    expect((await eventById(server, refused.requestId)).error_code).toBe("PLAN_LIMIT_REACHED");
    expect((await admin.put(`${path}/${first.data.id}`, { name: "Kept" })).status).toBe(200);
    await query(server, "app", "UPDATE organizations SET plan = 'business' WHERE id = $1", [id]);
    expect((await admin.post(path, newOne())).status).toBe(201);
  });
});

describe("e-mails by the installation's mail server", () => {
  /** An e-mail channel with two recipients, in an organization that has mailed so many recipients on a day. */
  async function mailing(recipients: number, day: string) {
    const { id } = await newOrganization(server);
    const smtp = { SMTP_URL: mailbox.url, SMTP_FROM: "Sealwatch <watch@example.test>" };
    configure({ ...smtp, ENCRYPTION_KEY: encryptionKey(server.dataDir) });
    const principal = systemPrincipal(id);
    const settings = { to: [`a-${id}@example.test`, `b-${id}@example.test`], from: null, smtp_url: null };
    const channel = await withAuditEvent({ action: "notification_channel.create", principal }, () =>
      createNotificationChannel(principal, { type: "email", name: "Mail", settings }),
    );
    await query(
      server,
      "app",
      `INSERT INTO mailed_recipients VALUES ($1, (now() AT TIME ZONE 'UTC')::date + $3::integer, $2)`,
      [id, recipients, day === "today" ? 0 : -1],
    );
    const trial = () =>
      withAuditEvent({ action: "notification_channel.test", principal }, () =>
        testNotificationChannel(principal, { id: channel.id }),
      );
    const mailed = async () => {
      const text = "SELECT recipients FROM mailed_recipients WHERE organization_id = $1";
      return (await query<{ recipients: number }>(server, "app", text, [id]))[0]?.recipients;
    };
    return { id, channelId: channel.id, trial, mailed };
  }

  const limit = plans.free.emailRecipientsPerDay;

  test("go to as many recipients a day as the plan allows", async () => {
    const { trial, mailed } = await mailing(limit - 2, "today");
    expect(await trial()).toMatchObject({ status: "sent" });
    expect(await trial()).toMatchObject({
      status: "failed",
      error: `the plan "free" allows ${limit} e-mail recipients per day (UTC), which are used up`,
    });
    expect(await mailed()).toBe(limit);
  });

  test("are counted anew each day", async () => {
    const { trial, mailed } = await mailing(limit, "yesterday");
    expect(await trial()).toMatchObject({ status: "sent" });
    expect(await mailed()).toBe(2);
  });

  /** Attempts a queued message of an age, and returns what is recorded. `next` is rounded to minutes. */
  async function attempted(organizationId: string, channelId: string, ageDays: number) {
    const message: Message = {
      ...{ kind: "alert", state: "firing", severity: "warning", title: "T", text: "", items: [], more: 0 },
      ...{ url: "http://127.0.0.1/", key: "key", at: new Date(Date.now() - ageDays * 86_400_000).toISOString() },
    };
    const leased: Leased = {
      ...{
        organizationId,
        id: newId(),
        attempts: 1,
        leasedUntil: new Date(Date.now() + 600_000),
        leasedAt: performance.now(),
      },
      message,
      channel: await readChannelRow(organizationId, channelId),
    };
    const delivery = `INSERT INTO notification_deliveries
      (organization_id, id, channel_id, key, message, alert_ids, attempts, next_attempt_at, leased_until, created_at)
      VALUES ($1, $2, $3, 'key', '{"kind":"alert"}', '{}', 1, now(), $4, now())`;
    await query(server, "app", delivery, [organizationId, leased.id, channelId, leased.leasedUntil]);
    await recordAttempts([{ leased, sent: await attempt(leased), at: new Date() }]);
    const text = `SELECT d.status, d.attempts, c.failures, date_trunc('minute', d.next_attempt_at + interval '30 seconds', 'UTC') AS next
      FROM notification_deliveries d JOIN notification_channels c ON c.id = d.channel_id WHERE d.id = $1`;
    return (await query<{ next: Date }>(server, "app", text, [leased.id]))[0];
  }

  test("beyond the limit wait for the next day, which is not an attempt and never disables their channel", async () => {
    const { id, channelId } = await mailing(limit, "today");
    const recorded = await attempted(id, channelId, 0);
    expect(recorded).toMatchObject({ status: "pending", attempts: 0, failures: 0 });
    expect(recorded?.next.toISOString()).toMatch(/T00:00:00.000Z$/);
    expect(await attempted(id, channelId, 4)).toMatchObject({ status: "failed", failures: 0 });
  });

  test("count only if the mail server accepted them for a recipient", async () => {
    const { id, channelId, trial, mailed } = await mailing(0, "yesterday");
    mailbox.refused.set(`a-${id}@example.test`, 450);
    expect(await attempted(id, channelId, 0)).toMatchObject({ status: "pending", attempts: 1 });
    expect(await mailed()).toBe(2);
    mailbox.refused.set(`b-${id}@example.test`, 450);
    expect(await trial()).toMatchObject({ status: "failed" });
    expect(await mailed()).toBe(2);
  });
});

test("an organization can test three channels and destinations at a time", async () => {
  const { id, admin } = await newOrganization(server);
  const principal = systemPrincipal(id);
  const settings = { url: "http://127.0.0.1:1/" };
  const channel = (await admin.post<{ id: string }>("/notification-channels", { type: "webhook", name: "C", settings }))
    .data;
  const trials = [
    () => testNotificationChannel(principal, { id: channel.id }),
    () => tryDestination(principal, { type: "https", name: "D", settings, secrets: {}, format: undefined, query: {} }),
  ];
  const run = (trial: () => Promise<unknown>) =>
    withAuditEvent({ action: "notification_channel.test", principal }, trial);
  const releases = [await takeTestSlot(id), await takeTestSlot(id), await takeTestSlot(id)];
  const refused = { code: "UNAVAILABLE", details: { retry_after: 10 } };
  for (const trial of trials) await expect(run(trial)).rejects.toMatchObject(refused);
  for (const release of releases) release();
  expect(await run(() => testNotificationChannel(principal, { id: channel.id }))).toMatchObject({ status: "failed" });
});
