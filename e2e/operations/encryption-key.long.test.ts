import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { runStart, Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newReceiver, type Receiver } from "@/e2e/support/stand-ins/receiver";
import { until } from "@/e2e/support/until";
import { configure } from "@/lib/config";
import { seal, unsealWith } from "@/lib/encryption";
import { sealContextOf } from "@/lib/notification-channels/channel";
import type { NotificationChannelWithSecret, NotificationDelivery } from "@/lib/notification-channels/contract";
import { replaceEncryptionKey } from "@/server/data-dir";
import { changeEncryptionKey } from "@/server/encryption/change-key";
import { sealedTables } from "@/server/encryption/sealed-columns";

/** More than one batch. */
const CHANNELS = 150;
let server: Sealwatch;
let organization: Organization;
let receiver: Receiver;
let channel: NotificationChannelWithSecret;

const fileOf = (name: string) => join(server.dataDir, name);
const keyIn = (name: string) => Buffer.from(readFileSync(fileOf(name), "utf8").trim(), "base64");

beforeAll(async () => {
  receiver = await newReceiver();
  server = await startSealwatch({ PROBE_ALLOWED_NETWORKS: "127.0.0.0/8" });
  organization = await newOrganization(server);
  // As the command reads them: from the files.
  configure({ DATA_DIR: server.dataDir });
  await query(server, "app", "UPDATE organizations SET plan = 'enterprise' WHERE id = $1", [organization.id]);
  channel = await newChannel("First");
  const monitor = await organization.admin.post("/uptime", {
    name: "M",
    type: "http",
    target: receiver.url,
    headers: { "x-secret": "hunter2" },
  });
  expect(monitor.status, monitor.text).toBe(201);
});
afterAll(async () => {
  receiver.close();
  await server.destroy();
});

async function newChannel(name: string): Promise<NotificationChannelWithSecret> {
  const body = { type: "webhook", name, settings: { url: receiver.url } };
  const answer = await organization.admin.post<NotificationChannelWithSecret>("/notification-channels", body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

/** A message through a channel, whose secret signs it. */
async function sends({ id }: { id: string }): Promise<void> {
  const { data } = await organization.admin.post<NotificationDelivery>(`/notification-channels/${id}/test`);
  expect(data).toMatchObject({ status: "sent" });
}

interface Row {
  organizationId: string;
  id: string;
  secrets: Buffer;
}

/** How many of all secrets a key opens, and how many there are. */
async function openedBy(key: Buffer): Promise<[opened: number, all: number]> {
  let [opened, all] = [0, 0];
  for (const { table, contextOf } of sealedTables) {
    const rows = await query<Row & pg.QueryResultRow>(
      server,
      "app",
      `SELECT organization_id AS "organizationId", id, secrets FROM ${table} WHERE secrets IS NOT NULL`,
    );
    all += rows.length;
    opened += rows.filter((row) => unsealWith(key, row.secrets, contextOf(row)) !== undefined).length;
  }
  return [opened, all];
}

test("every encrypted column is in the list", async () => {
  const columns = await query<{ name: string }>(
    server,
    "app",
    `SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'secrets' AND a.atttypid = 'bytea'::regtype`,
  );
  expect(sealedTables.map(({ table }) => table).sort()).toEqual(columns.map(({ name }) => name).sort());
});

test("the key is changed while Sealwatch sends and stores, and a killed change goes on", async () => {
  // Many channels with the same secret, each encrypted for its own row. Another organization has them, because one may have 100.
  const before = keyIn("encryption.key");
  const crowd = await newOrganization(server);
  const ids = await query<{ id: string }>(server, "app", "SELECT gen_random_uuid() AS id FROM generate_series(1, $1)", [
    CHANNELS,
  ]);
  const places = ids.map(({ id }) => ({ organizationId: crowd.id, id }));
  await query(
    server,
    "app",
    `INSERT INTO notification_channels (organization_id, id, name, type, settings, secrets, secret_fields, enabled, created_at, updated_at)
       SELECT $1, id, 'Channel ' || id, 'webhook', jsonb_build_object('url', $4::text), secrets, '{}', false, now(), now()
       FROM unnest($2::uuid[], $3::bytea[]) AS given (id, secrets)`,
    [
      crowd.id,
      places.map(({ id }) => id),
      places.map((place) => seal('{"fields":{},"signing":[]}', sealContextOf(place))),
      receiver.url,
    ],
  );
  const [opened, all] = await openedBy(before);
  expect([opened, all]).toEqual([CHANNELS + 2, CHANNELS + 2]);

  // Somebody uses the last row, so that the command cannot go on after its first batch.
  const blocker = new pg.Client({ connectionString: server.databases.app });
  await blocker.connect();
  await blocker.query("BEGIN");
  await blocker.query("SELECT FROM notification_channels ORDER BY organization_id DESC, id DESC LIMIT 1 FOR UPDATE");
  const command = spawn(process.execPath, ["server/start.mjs", "--cli", "encryption", "rotate"], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: "production", DATA_DIR: server.dataDir },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => command.once("close", resolve));
  await until("the first batch is encrypted with the new key", async () => {
    const key = keyIn("encryption.key");
    return !key.equals(before) && (await openedBy(key))[0] > 0;
  });
  command.kill("SIGKILL");
  await ended;
  await blocker.query("ROLLBACK");
  await blocker.end();

  const present = keyIn("encryption.key");
  expect(present.equals(before)).toBe(false);
  expect(keyIn("encryption-before.key").equals(before)).toBe(true);
  const [half] = await openedBy(present);
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(all);
  // Both keys are accepted, and only the new one encrypts, without a restart.
  await sends(channel);
  const meanwhile = await newChannel("Meanwhile");
  await sends(meanwhile);
  const [row] = await query<Row & pg.QueryResultRow>(
    server,
    "app",
    `SELECT organization_id AS "organizationId", id, secrets FROM notification_channels WHERE id = $1`,
    [meanwhile.id],
  );
  expect(row && unsealWith(present, row.secrets, sealContextOf(row))).toBeDefined();

  let isDone = false;
  const sending = (async () => {
    while (!isDone) await sends(channel);
  })();
  const change = await changeEncryptionKey(0);
  isDone = true;
  await sending;
  expect(change).toEqual({ changed: all - half, unreadable: 0, is_finished: true });
  expect(existsSync(fileOf("encryption-before.key"))).toBe(false);
  expect(keyIn("encryption.key").equals(present)).toBe(true);
  expect(await openedBy(present)).toEqual([all + 1, all + 1]);
  expect((await openedBy(before))[0]).toBe(0);
  await sends(channel);
  await sends(meanwhile);
});

test("a secret that no key opens is counted and stays as it is", async () => {
  const key = keyIn("encryption.key");
  await query(server, "app", "UPDATE notification_channels SET secrets = '\\x01ff' WHERE id = $1", [channel.id]);
  const change = await changeEncryptionKey(0);
  expect(change).toMatchObject({ unreadable: 1, is_finished: true });
  expect(change.changed).toBe((await openedBy(keyIn("encryption.key")))[0]);
  expect(keyIn("encryption.key").equals(key)).toBe(false);
});

test("the command waits for the last writes before it deletes the key before, and says what it did", async () => {
  // A change that was interrupted long ago has nothing to wait for.
  await changeEncryptionKey(0);
  expect(replaceEncryptionKey(server.dataDir)).toBe(true);
  expect(replaceEncryptionKey(server.dataDir)).toBe(false);
  const past = new Date(Date.now() - 120_000);
  utimesSync(fileOf("encryption.key"), past, past);
  const { code, stdout } = await server.command(["encryption", "rotate"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("1 secrets cannot be opened with either key")]);
  expect(stdout).toContain("The previous key was deleted. Back up the new one.");
});

test("a key that opens no secret is not replaced, nor is a missing one", async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "sealwatch-other-data-"));
  const file = join(DATA_DIR, "encryption.key");
  const rotate = () => runStart(["--cli", "encryption", "rotate"], { ...server.urls, DATA_DIR });
  const refused = {
    code: 1,
    stdout: "",
    stderr: `The key in DATA_DIR (${file}) does not open the secrets of this database. Nothing was changed.\n`,
  };
  expect(await rotate()).toEqual(refused);
  expect(readdirSync(DATA_DIR)).toEqual([]);
  const other = `${Buffer.alloc(32, 3).toString("base64")}\n`;
  writeFileSync(file, other);
  expect(await rotate()).toEqual(refused);
  expect([readdirSync(DATA_DIR), readFileSync(file, "utf8")]).toEqual([["encryption.key"], other]);
  rmSync(DATA_DIR, { recursive: true });
});

test("keys in the environment are exchanged there, and the command encrypts with the first", async () => {
  const [first, second] = [keyIn("encryption.key").toString("base64"), Buffer.alloc(32, 9).toString("base64")];
  const alone = new Sealwatch({
    ...server.plain,
    env: { ...server.plain.env, ENCRYPTION_KEY: first },
  });
  const refused = await alone.command(["encryption", "rotate"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("1. Set ENCRYPTION_KEY_OTHER")]);
  const both = new Sealwatch({
    ...server.plain,
    env: { ...server.plain.env, ENCRYPTION_KEY: second, ENCRYPTION_KEY_OTHER: first },
  });
  const change = await both.cli<{ changed: number; is_finished: boolean }>("encryption", "rotate");
  expect(change).toMatchObject({ is_finished: false, unreadable: 1 });
  expect(change.changed).toBeGreaterThan(CHANNELS);
  expect((await openedBy(Buffer.from(second, "base64")))[0]).toBe(change.changed);
});
