import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { loadSecrets, prepareDataDir } from "@/server/data-dir";
import { ensurePostgres } from "@/server/embedded/postgres";
import { readPostmaster } from "@/server/embedded/postgres-process";

const parent = mkdtempSync(join(tmpdir(), "sealwatch-recovering-"));
// PostgreSQL refuses to run as root; the account it then gets must be able to pass through.
chmodSync(parent, 0o711);
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Takes a data folder. Says of itself what PostgreSQL does during the recovery from the crash of one process. */
const RECOVERING = `
  const { createServer } = require("node:net");
  const { rmSync, writeFileSync } = require("node:fs");
  const [data] = process.argv.slice(1);
  const file = data + "/postmaster.pid";
  const fields = Buffer.from("SFATAL\\0C57P03\\0Mthe database system is in recovery mode\\0\\0");
  const header = Buffer.from([0x45, 0, 0, 0, 4 + fields.length]);
  const server = createServer((socket) => socket.on("error", () => {}).once("data", () => {
    socket.end(Buffer.concat([header, fields]), () => process.send("refused", () => {}));
  }));
  server.listen(0, "127.0.0.1", () => {
    writeFileSync(file, [process.pid, data, 0, server.address().port, "", "127.0.0.1", "", "ready", ""].join("\\n"));
    process.send("listens");
  });
  process.on("SIGINT", () => {
    rmSync(file);
    process.exit();
  });
`;

test("a stop ends the wait for an embedded PostgreSQL that recovers from the crash of one of its processes", async () => {
  const folder = join(parent, "crashed");
  prepareDataDir(folder);
  const { database_password: password } = loadSecrets(folder);
  await (await ensurePostgres(folder, password)).release();
  const data = join(folder, "postgres", "data");
  // A stand-in, as the recovery of the real one takes no time that a test could rely on.
  const recovering = spawn(process.execPath, ["-e", RECOVERING, data], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(recovering, "exit");
  await once(recovering, "message");
  const stopping = new AbortController();
  const refused = once(recovering, "message");
  const started = ensurePostgres(folder, password, { signal: stopping.signal }).catch((error: Error) => error.name);
  await refused;
  stopping.abort();
  expect(await started).toBe("AbortError");
  expect(await ended).toEqual([0, null]);
  expect(readPostmaster(data)).toBeUndefined();
});

test("a stop ends the wait for an embedded PostgreSQL that recovers, and that PostgreSQL", async () => {
  const folder = join(parent, "data");
  prepareDataDir(folder);
  const { database_password: password } = loadSecrets(folder);
  await (await ensurePostgres(folder, password)).release();
  const data = join(folder, "postgres", "data");
  // So it waits for what it has to recover, and accepts no connections meanwhile.
  writeFileSync(join(data, "standby.signal"), "");
  appendFileSync(join(data, "postgresql.conf"), "\nhot_standby = off\n");
  const stopping = new AbortController();
  const started = ensurePostgres(folder, password, { signal: stopping.signal }).catch((error: Error) => error.name);
  await until("it recovers", () => readPostmaster(data)?.starting === true);
  stopping.abort();
  expect(await started).toBe("AbortError");
  expect(readPostmaster(data)).toBeUndefined();
});
