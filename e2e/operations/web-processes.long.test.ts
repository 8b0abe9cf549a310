import { rmSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Load, loggedRequests } from "@/e2e/faults/load";
import type { Api } from "@/e2e/support/api";
import { expectIntactLogs } from "@/e2e/support/intact-logs";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, eventsOf, query } from "@/e2e/support/servers/databases";
import { alive, killNow } from "@/e2e/support/servers/processes";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/support/servers/redis";
import { prepareSealwatch, runStart, type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { lockClasses } from "@/lib/db/hold-lock";
import { auditSealKey } from "@/server/data-dir";

const PROCESSES = 3;
const LIMIT = 30;
/** New connections go to the processes in turn; kept-alive ones stay with their process. */
const NEW_CONNECTION = { connection: "close" };

const at = (api: Api, times: number) => Promise.all(Array.from({ length: times }, () => api.get("/audit-logs")));
const ok = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;

describe.skipIf(!hasRedis)("several web processes", () => {
  let redis: RedisServer;
  let server: Sealwatch;
  beforeAll(async () => {
    redis = await startRedis();
    server = await startSealwatch({ REDIS_URL: redis.url, WEB_CONCURRENCY: String(PROCESSES) });
  });
  afterAll(async () => {
    await server?.destroy();
    await redis?.destroy();
  });

  const AWAY = "the rate-limit store is unavailable";
  const timesLogged = (sentence: string) => server.output().stderr.split(sentence).length - 1;
  const states = async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => fetch(`${server.url}/readyz`, { headers: NEW_CONNECTION })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    return Promise.all(answers.map(async (answer) => (await answer.json()).rate_limits));
  };
  const hasStore = () =>
    until("every process has the store", async () => (await states()).every(({ available }) => available));
  /** The result of work during which every process had the store: on a busy machine it may answer late, and a process then counts alone. */
  const withStore = <Result>(work: () => Promise<Result>): Promise<Result> =>
    until("every process had the store throughout", async () => {
      await hasStore();
      const before = timesLogged(AWAY);
      const result = await work();
      return timesLogged(AWAY) === before && result;
    });

  test("all serve, and all can write changes", async () => {
    expect(server.webPids()).toHaveLength(PROCESSES);
    const { id, admin } = await newOrganization(server);
    const made = [];
    for (let n = 0; n < 2 * PROCESSES; n++) {
      made.push(await admin.with(NEW_CONNECTION).post("/api-keys", { name: `Key ${n}` }));
    }
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    const writers = await query(
      server,
      "app",
      "SELECT DISTINCT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND pid <> pg_backend_pid()",
      [lockClasses.writer],
    );
    // This test process, which created the organization, is another one.
    expect(writers).toHaveLength(PROCESSES + 1);
    const events = await eventsOf(server, id);
    expect(events.map((event) => event.id)).toEqual(expect.arrayContaining(made.map(({ requestId }) => requestId)));
  });

  test("together admit exactly a key's limit in any 60 seconds", async () => {
    const { read, sentAt, burst } = await withStore(async () => {
      const { read } = await newOrganization(server);
      return { read, sentAt: performance.now(), burst: await at(read.with(NEW_CONNECTION), 64) };
    });
    const left = burst
      .filter(({ status }) => status === 200)
      .map((answer) => Number(answer.header("x-ratelimit-remaining")))
      .sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: LIMIT }, (_, n) => n));
    expect(burst.filter(({ status }) => status === 429)).toHaveLength(64 - LIMIT);
    const reset = Math.max(...burst.map((answer) => Number(answer.header("x-ratelimit-reset"))));
    // No request is admitted before the first one is a minute old; after retry_after all are, up to the limit.
    while (performance.now() < sentAt + 50_000) {
      const early = await at(read, 3);
      if (performance.now() < sentAt + 60_000) expect(ok(early)).toBe(0);
      await delay(500);
    }
    await delay(Math.max(0, reset * 1000 - Date.now()));
    expect(ok(await at(read, 64))).toBe(LIMIT);
  });

  test("continue when one of them is killed, and it is restarted", async () => {
    const { admin } = await newOrganization(server);
    const before = server.webPids();
    const [victim = 0] = before;
    killNow(victim);
    await until("it is dead", () => alive([victim]).length === 0);
    // Connections that it held, or was sent before its death was detected, break; new ones go to the others.
    const others = admin.with(NEW_CONNECTION);
    await until("its exit is logged", () => server.output().stderr.includes("a process died"));
    for (let n = 0; n < 10; n++) expect((await others.get("/api-keys")).status).toBe(200);
    await until("there are as many again", () => server.output().stderr.includes("that died runs again"));
    const after = server.webPids();
    expect(after).toHaveLength(PROCESSES);
    expect(after).toEqual(expect.arrayContaining(before.slice(1)));
    expect(after).not.toContain(victim);
  });

  test("serve and limit without the store, log that once, and count together again when it is back", async () => {
    const { read, newKey } = await newOrganization(server);
    // On a busy machine the store may have been slow before; then that was logged too.
    await hasStore();
    const awayBefore = timesLogged(AWAY);
    redis.pause();
    onTestFinished(() => redis.resume());
    const sentAt = Date.now();
    // The kernel need not share connections evenly: send until every process has had as many as it admits.
    const answers: Awaited<ReturnType<typeof at>> = [];
    await until("every process is at its limit", async () => {
      // The window of the first ones must not end meanwhile.
      expect(Date.now() - sentAt).toBeLessThan(60_000);
      answers.push(...(await at(read.with(NEW_CONNECTION), 2 * PROCESSES * LIMIT)));
      return ok(answers) >= PROCESSES * LIMIT;
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    // Each process admits the limit and reports the remaining requests.
    const left = answers.filter(({ status }) => status === 200).map((answer) => answer.header("x-ratelimit-remaining"));
    const countdown = Array.from({ length: LIMIT }, (_, n) => Array.from({ length: PROCESSES }, () => String(n)));
    expect(left.sort()).toEqual(countdown.flat().sort());
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(answer.header("x-ratelimit-remaining")).toBe("0");
      const reset = Number(answer.header("x-ratelimit-reset")) * 1000;
      expect(reset).toBeGreaterThanOrEqual(sentAt + 60_000);
      expect(reset).toBeLessThanOrEqual(Date.now() + 61_000);
      expect(answer.error.retry_after).toBeLessThanOrEqual(60);
      expect(answer.error.retry_after).toBeGreaterThan(0);
    }
    expect(new Set((await states()).map((state) => JSON.stringify(state)))).toEqual(
      new Set([JSON.stringify({ store: "redis", available: false })]),
    );
    expect(timesLogged(AWAY) - awayBefore).toBe(PROCESSES);
    const backBefore = timesLogged("the rate-limit store is available again");
    redis.resume();
    const back = () => timesLogged("the rate-limit store is available again") - backBefore === PROCESSES;
    await until("every process has the store back", back);
    expect(new Set((await states()).map(({ available }) => available))).toEqual(new Set([true]));
    // Requests admitted without the store still count; other keys are counted by all processes together.
    const again = ok(await at(read.with(NEW_CONNECTION), 64));
    if (Date.now() < sentAt + 60_000) expect(again).toBe(0);
    const counted = await withStore(async () => ({
      ok: ok(await at((await newKey()).api.with(NEW_CONNECTION), 64)),
    }));
    expect(counted).toEqual({ ok: LIMIT });
  });

  test("refuse a process that would count alone", async () => {
    const { app, audit } = server.databases;
    const { folder, env } = await prepareSealwatch({ DATABASE_URL: app, AUDIT_DATABASE_URL: audit });
    const { code, stderr } = await runStart([], env);
    rmSync(folder, { recursive: true, force: true });
    expect(code).toBe(1);
    expect(stderr).toContain("Another Sealwatch web process uses this database. Rate limits are counted in memory");
  });

  test("accept another machine with the same store, and share limits with it", async () => {
    const { app, audit } = server.databases;
    const other = await startSealwatch({ DATABASE_URL: app, AUDIT_DATABASE_URL: audit, REDIS_URL: redis.url });
    const { readKey, read } = await newOrganization(server);
    const there = read.at(other.url);
    expect(ok([...(await at(read, 10)), ...(await at(there, 10))])).toBe(20);
    const [here, elsewhere] = await Promise.all([at(read, 20), at(there, 20)]);
    expect(ok([...here, ...elsewhere])).toBe(LIMIT - 20);
    const [refused] = [...here, ...elsewhere].filter(({ status }) => status === 429);
    expect(await eventById(server, refused?.requestId ?? "")).toMatchObject({ api_key_id: readKey.id });
    await other.destroy();
  });

  test("have one sealed log for each organization, whichever of two workers seals, also when one of them is killed", async () => {
    const { app, audit } = server.databases;
    const key = { AUDIT_SEAL_KEY: auditSealKey(server.dataDir) };
    const other = await startSealwatch({ DATABASE_URL: app, AUDIT_DATABASE_URL: audit, REDIS_URL: redis.url, ...key });
    const load = await Load.start(server);
    await load.answered(200);
    server.kill("worker");
    await load.answered(200);
    other.kill("worker");
    await load.answered(200);
    await load.stop();
    const ids = (await loggedRequests(server, load)).map(({ id }) => id);
    await expectIntactLogs(server, load.callers, ids);
    await other.destroy();
  });

  test("finish open requests when they stop, and leave no process behind", async () => {
    const { adminKey } = await newOrganization(server);
    const body = '{"name":"Late"}';
    const head = `POST /api/v1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey.secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const sockets = await Promise.all(
      Array.from({ length: PROCESSES }, async () => {
        const socket = connect(server.port, "127.0.0.1");
        const state = { socket, received: "", closed: new Promise((resolve) => socket.once("close", resolve)) };
        socket.setEncoding("utf8").on("data", (text: string) => {
          state.received += text;
        });
        await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()));
        return state;
      }),
    );
    // Connections are distributed in order: a process that answers a later one has taken the earlier one.
    const later = adminKey.api.with(NEW_CONNECTION);
    for (let n = 0; n < 2 * PROCESSES; n++) expect((await later.get("/api-keys")).status).toBe(200);
    const pids = server.allPids();
    const stopped = server.stop();
    await until("no new connection is accepted", () =>
      fetch(`${server.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    for (const { socket } of sockets) socket.write(body.slice(5));
    await Promise.all(sockets.map(({ closed }) => closed));
    await stopped;
    for (const { received } of sockets) expect(received).toContain("HTTP/1.1 201 Created");
    expect(alive(pids)).toEqual([]);
  });

  test("start again after the supervisor was killed", async () => {
    await server.start();
    const before = server.webPids();
    server.kill("supervisor");
    await server.start();
    expect(server.webPids()).toHaveLength(PROCESSES);
    await until("nothing of before is left", () => alive(before).length === 0);
    for (let n = 0; n < 2 * PROCESSES; n++) {
      expect((await fetch(`${server.url}/readyz`, { headers: NEW_CONNECTION })).status).toBe(200);
    }
  });
});

test("more than one without a shared store are refused, with the reason", async () => {
  const { folder, env } = await prepareSealwatch({ WEB_CONCURRENCY: "3" });
  const { code, stdout, stderr } = await runStart([], env);
  rmSync(folder, { recursive: true, force: true });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("WEB_CONCURRENCY 3 needs a shared store for rate limits");
});

if (hasRedis)
  test("a store that refuses the password stops the start, and the password stays out of the log", async () => {
    const redis = await startRedis();
    await redis.client.call("CONFIG", "SET", "requirepass", "hunter2");
    const { folder, env } = await prepareSealwatch({ REDIS_URL: redis.url.replace("//", "//:hunter3@") });
    const { code, stderr } = await runStart([], env);
    rmSync(folder, { recursive: true, force: true });
    await redis.destroy();
    expect(code).toBe(1);
    expect(stderr).toContain("The rate-limit store (redis) refuses us: WRONGPASS");
    expect(stderr).not.toMatch(/hunter/);
  });
