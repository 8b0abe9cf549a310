import { afterAll, describe, expect, test } from "vitest";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { store } from "@/e2e/audit/store";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { type Mailbox, startMailbox } from "@/e2e/support/stand-ins/mailbox";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { unlessBusy, until } from "@/e2e/support/until";
import type { Anchors } from "@/lib/anchors/contract";
import { sendCheckpoints } from "@/lib/anchors/send-checkpoints";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { expireSeals } from "@/lib/audit-logs/seal/expire-seals";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import type { NotificationChannel } from "@/lib/notification-channels/contract";
import type { SentCheckpoint } from "@/lib/notification-channels/providers/message";
import { parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { parseNote, verifyNote } from "@/lib/sealed-log/note";
import { parseVkey } from "@/lib/sealed-log/vkey";
import { DAY_MS } from "@/lib/time/units";
import { verify } from "@/public/sealwatch-verify.mjs";

const server = sharedServer();
const never = new AbortController().signal;
const PATH = "/audit-logs/anchors";
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const app = (text: string, values: unknown[]) => query(server, "app", text, values);
const audit = (text: string, values: unknown[]) => query(server, "audit", text, values);

async function channel({ admin }: Organization, type: string, settings: object): Promise<NotificationChannel> {
  const answer = await admin.post<NotificationChannel>("/notification-channels", { type, name: newId(), settings });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

async function withWebhook(): Promise<{ owner: Organization; hook: NotificationChannel; receiver: Receiver }> {
  const [owner, receiver] = [await newOrganization(server), await newReceiver()];
  closers.push(receiver.close);
  return { owner, receiver, hook: await channel(owner, "webhook", { url: receiver.url }) };
}

async function withMailbox(owner: Organization): Promise<{ mail: NotificationChannel; mailbox: Mailbox }> {
  const mailbox = await startMailbox();
  closers.push(mailbox.close);
  const settings = { to: ["auditor@example.test"], from: "watch@example.test", smtp_url: mailbox.url };
  return { mailbox, mail: await channel(owner, "email", settings) };
}

/** Stores an event and signs it. */
async function grow({ id }: Organization, count = 1): Promise<void> {
  const rows = Array.from(
    { length: count },
    () => new AuditEventDraft({ organization_id: id, method: "GET", path: "/anchored", status_code: 200 }).row,
  );
  await store(rows);
  await signNow(server);
  await whenSigned(
    id,
    rows.map((row) => row.id),
  );
}

const set = ({ admin }: Organization, ...channels: { id: string }[]) =>
  admin.post<Anchors>(PATH, { channel_ids: channels.map(({ id }) => id) });

const makeDue = ({ id }: Organization) =>
  app("UPDATE anchor_channels SET next_at = now(), leased_until = NULL WHERE organization_id = $1", [id]);

/** Two workers at the same time. */
const run = () => Promise.all([sendCheckpoints(never), sendCheckpoints(never)]);

interface Posted {
  type: string;
  data: { checkpoint: SentCheckpoint };
}

const posted = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body) as Posted);

/** The queued messages with checkpoints, in order. */
async function queued({ id }: Organization): Promise<SentCheckpoint[]> {
  const text = `SELECT message->'checkpoint' AS checkpoint FROM notification_deliveries
    WHERE organization_id = $1 AND message->>'kind' = 'checkpoint' ORDER BY id`;
  return (await query<{ checkpoint: SentCheckpoint }>(server, "app", text, [id])).map((row) => row.checkpoint);
}

const lastSent = async ({ id }: Organization) =>
  app("SELECT sent_size::integer AS size FROM anchor_channels WHERE organization_id = $1 ORDER BY sent_size", [id]);

/** The text of a mail as it came, with CRLF. */
function textOf(mail: string): string {
  const [, body = ""] = /\r\n\r\n([\s\S]*)$/.exec(mail) ?? [];
  expect(mail).toMatch(/^Content-Transfer-Encoding: quoted-printable\r$/m);
  return Buffer.from(
    body.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString("utf8");
}

const bundleOf = async ({ adminKey }: Organization) => {
  const headers = { authorization: `Bearer ${adminKey.secret}` };
  const url = `${server.url}/api/v1/audit-logs/export?format=ndjson&include=seal`;
  const answer = await unlessBusy(() => fetch(url, { headers }));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

describe("the newest checkpoint", () => {
  test("comes by webhook and by e-mail, and the mail's lines are what the verifier takes", async () => {
    const { owner, hook, receiver } = await withWebhook();
    const { mail, mailbox } = await withMailbox(owner);
    await grow(owner, 3);
    const named = await set(owner, mail, hook);
    expect(named.status, named.text).toBe(200);
    expect(named.data.channels.map(({ id, type, last_sent }) => [id, type, last_sent])).toEqual(
      expect.arrayContaining([
        [hook.id, "webhook", null],
        [mail.id, "email", null],
      ]),
    );
    await run();
    await until("both were sent", () => receiver.received.length > 0 && mailbox.received.length > 0);
    const [message] = posted(receiver);
    expect(message?.type).toBe("checkpoint");
    const { note = "", vkey = "", size } = message?.data.checkpoint ?? {};
    expect(parseCheckpoint(parseNote(note).text).size).toBe(size);
    expect(verifyNote(parseNote(note), [parseVkey(vkey)])).toHaveLength(1);

    const text = textOf(mailbox.received[0] ?? "");
    expect(text).toContain(`\r\n${vkey}\r\n`);
    const from = text.indexOf(`\r\n${note.split("\n")[0]}\r\n`);
    const copied = text.slice(from, text.indexOf("Verifier key:"));
    expect(copied.replaceAll("\r\n", "\n").trim()).toBe(note.trim());
    const bundle = await bundleOf(owner);
    expect(await verify([bundle], { vkey, checkpoints: [copied] })).toMatchObject({ code: 0, open: [] });
    // One of another log of this size is not taken for it.
    const forged = copied.replace(/\r\n\d+\r\n/, `\r\n${(size ?? 0) - 1}\r\n`);
    expect(await verify([bundle], { vkey, checkpoints: [forged] })).toMatchObject({ code: 1 });

    const { channels } = (await owner.read.get<Anchors>(PATH)).data;
    expect(channels.map(({ last_sent }) => last_sent)).toEqual([
      expect.objectContaining({ epoch: 1, size }),
      expect.objectContaining({ epoch: 1, size }),
    ]);
    await until("the message counts as sent", async () =>
      (await owner.read.get<Anchors>(PATH)).data.channels.every(({ last_sent }) => last_sent?.status === "sent"),
    );
  });

  test("is sent once a day, however often workers look, and only if the log has grown", async () => {
    await clearOfBoundary(DAY_MS, 30_000);
    const { owner, hook } = await withWebhook();
    await grow(owner);
    await set(owner, hook);
    await Promise.all([run(), run()]);
    await until("it is queued", async () => (await queued(owner)).length > 0);
    const [next] = await app(
      "SELECT next_at = date_trunc('day', now(), 'UTC') + interval '1 day' AS is_tomorrow FROM anchor_channels WHERE organization_id = $1",
      [owner.id],
    );
    expect(next).toEqual({ is_tomorrow: true });
    await grow(owner);
    await run();
    expect(await queued(owner)).toHaveLength(1);

    await makeDue(owner);
    await run();
    await until("the newer one is queued", async () => (await queued(owner)).length === 2);
    const [first, second] = await queued(owner);
    expect(second?.size).toBeGreaterThan(first?.size ?? 0);
    // Nothing has been added since.
    const { size } = await getSealedLog(systemPrincipal(owner.id));
    await app("UPDATE anchor_channels SET sent_size = $2 WHERE organization_id = $1", [owner.id, size]);
    await makeDue(owner);
    await run();
    await until("it is looked at", async () => {
      const text =
        "SELECT FROM anchor_channels WHERE organization_id = $1 AND next_at > now() AND leased_until IS NULL";
      return (await app(text, [owner.id])).length === 1;
    });
    expect(await queued(owner)).toHaveLength(2);
  });

  test("is the same for all channels of a day", async () => {
    await clearOfBoundary(DAY_MS, 30_000);
    const { owner, hook } = await withWebhook();
    await grow(owner);
    await set(owner, hook);
    await run();
    const other = await channel(owner, "webhook", { url: "https://example.com/later" });
    await grow(owner);
    await set(owner, hook, other);
    await run();
    await until("both were sent one", async () => (await queued(owner)).length === 2);
    const [one, two] = await queued(owner);
    expect(two).toEqual(one);
    expect(await lastSent(owner)).toEqual([{ size: one?.size }, { size: one?.size }]);
  });

  test("stays if it is sent while the next one is signed", async () => {
    await clearOfBoundary(DAY_MS, 90_000);
    const owner = await newOrganization(server);
    await grow(owner);
    const place = [owner.id, (await getSealedLog(systemPrincipal(owner.id))).size];
    // No witness is cosigning it.
    const age = "UPDATE audit_seal_checkpoints SET signed_at = now() - interval '1 minute'";
    expect(await audit(`${age} WHERE organization_id = $1 AND size = $2 RETURNING size`, place)).toHaveLength(1);
    const { growing } = await withTransaction(auditPool(), async (client) => {
      const anchor = "UPDATE audit_seal_checkpoints SET anchored_at = now() WHERE organization_id = $1 AND size = $2";
      await client.query(anchor, place);
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      const started = grow(owner);
      await until("the round that signs the next one waits", async () => {
        // The beginning of the deletion: the database shows 1,024 bytes of a statement.
        const blocked =
          "SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid)) AND query LIKE 'WITH today%'";
        return (await audit(blocked, [rows[0]?.pid])).length > 0;
      });
      return { growing: started };
    });
    await growing;
    const left = "SELECT FROM audit_seal_checkpoints WHERE organization_id = $1 AND size = $2";
    expect(await audit(left, place)).toHaveLength(1);
  });

  test("stays in the list of checkpoints, and can be compared after its seals have expired", async () => {
    await clearOfBoundary(DAY_MS, 30_000);
    const { owner, hook } = await withWebhook();
    const { id } = owner;
    await grow(owner, 21);
    await set(owner, hook);
    await run();
    const [sent] = await until("it is queued", async () => {
      const all = await queued(owner);
      return all.length > 0 && all;
    });
    const size = sent?.size ?? 0;
    // Rounds of the same day replace each other's checkpoints.
    await grow(owner, 30);
    await grow(owner, 30);
    const sizes = async () =>
      (await owner.read.get<{ size: number }[]>("/audit-logs/checkpoints")).data.map((one) => one.size);
    expect(await sizes()).toContain(size);
    // The newest and this one, and perhaps one with a time stamp.
    expect((await sizes()).length).toBeLessThanOrEqual(3);

    await audit(
      "UPDATE audit_seal_checkpoints SET signed_at = signed_at - interval '40 days' WHERE organization_id = $1",
      [id],
    );
    await audit("UPDATE audit_seals SET filed_at = filed_at - interval '40 days' WHERE organization_id = $1", [id]);
    await grow(owner, 5);
    await expireSeals(never);
    const { oldest_index, size: end } = await getSealedLog(systemPrincipal(id));
    expect(oldest_index).toBeGreaterThan(size);
    const proof = await owner.read.get<{ from: number; to: number; hashes: string[] }>(
      `/audit-logs/consistency?from=${size}&to=${end}`,
    );
    expect(proof.status, proof.text).toBe(200);
    const { note = "", vkey = "" } = sent ?? {};
    const given = { vkey, checkpoints: [note], consistency: [JSON.stringify(proof.data)] };
    const result = await verify([await bundleOf(owner)], given);
    // The events have expired, which only the operator's word excuses; the checkpoint is no open question.
    expect([result.code, result.open.filter((sentence: string) => sentence.includes("checkpoint"))]).toEqual([2, []]);
  });
});

describe("the channels", () => {
  test("are set by admins, with an event that names them", async () => {
    const { owner, hook } = await withWebhook();
    expect((await owner.read.post(PATH, { channel_ids: [hook.id] })).status).toBe(403);
    expect((await owner.read.get<Anchors>(PATH)).data).toEqual({ channels: [] });
    const { requestId } = await set(owner, hook);
    const { action, details } = await eventById(server, requestId);
    expect([action, details]).toEqual([
      "audit_log.set_anchors",
      expect.objectContaining({ changes: [{ field: "channels", from: [], to: [hook.name] }] }),
    ]);
    expect((await set(owner)).data).toEqual({ channels: [] });
  });

  test("are the organization's own, for e-mail or a webhook, each once, and not too many", async () => {
    const { owner, hook } = await withWebhook();
    const { hook: foreign } = await withWebhook();
    const slack = await channel(owner, "slack", { url: "https://hooks.slack.com/services/a/b/c" });
    const refused = async (...ids: string[]) => {
      const { status, error } = await owner.admin.post(PATH, { channel_ids: ids });
      return [status, error.message];
    };
    expect(await refused(hook.id, foreign.id)).toEqual([
      400,
      expect.stringContaining("channel_ids.1: is not a channel"),
    ]);
    expect(await refused(slack.id)).toEqual([
      400,
      expect.stringContaining("must be a channel for e-mail or a webhook"),
    ]);
    expect(await refused(hook.id, hook.id)).toEqual([400, expect.stringContaining("is named twice")]);
    expect(await refused(...Array.from({ length: 21 }, newId))).toEqual([400, expect.stringContaining("at most 20")]);
    expect((await owner.read.get<Anchors>(PATH)).data).toEqual({ channels: [] });
  });

  test("that are deleted are dropped, and disabled ones wait", async () => {
    const { owner, hook } = await withWebhook();
    await grow(owner);
    const other = await channel(owner, "webhook", { url: "https://example.com/other" });
    await owner.admin.put(`/notification-channels/${hook.id}`, { enabled: false });
    await set(owner, hook, other);
    expect((await owner.admin.delete(`/notification-channels/${other.id}`)).status).toBe(200);
    await makeDue(owner);
    await run();
    expect((await owner.read.get<Anchors>(PATH)).data.channels).toMatchObject([
      { id: hook.id, state: "disabled", last_sent: null },
    ]);
    await owner.admin.put(`/notification-channels/${hook.id}`, { enabled: true });
    await run();
    await until("it gets its checkpoint", async () => (await queued(owner)).length === 1);
  });
});
