import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportOf, finishOf, parseNdjson } from "@/e2e/audit/export-files";
import type { Opened } from "@/e2e/audit/open";
import { Stream } from "@/e2e/audit/sse";
import { storeMany } from "@/e2e/audit/store";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventsOf } from "@/e2e/support/servers/databases";
import { alive } from "@/e2e/support/servers/processes";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/support/servers/redis";
import { Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";

/** With paths of a kilobyte, several times the size of the buffers between server and reader. */
const MANY = 20_000;
/** Longer than any wait of the tests, so that a stop that waits too long fails on slow machines too. */
const LONG_GRACE = { SHUTDOWN_GRACE_SECONDS: "600" };

let server: Sealwatch;
let someone: SignedIn;
let organization: Organization;
let redis: RedisServer | undefined;
/** Requests of earlier tests in the organization's log. */
let answeredBefore = 0;

beforeAll(async () => {
  redis = hasRedis ? await startRedis() : undefined;
  server = await startSealwatch(LONG_GRACE);
  // With verbs of this process before the first stop, because the database may have another port after it.
  someone = await newSession(server);
  organization = await newOrganization(server);
  const many = { count: MANY, path: `/many/${"x".repeat(1_000)}/`, from: Date.now() - 3_600_000, everyMs: 1 };
  await storeMany(server, someone.organizationId, many);
});
afterAll(async () => {
  await server?.destroy();
  await redis?.destroy();
});

/** Starts it again with other settings. */
async function restart(settings: Record<string, string>): Promise<void> {
  await server.stop();
  const { plain } = server;
  server = new Sealwatch({ ...plain, env: { ...plain.env, ...settings } });
  await server.start();
}

/** Sends SIGTERM, and returns when no connection is accepted any more. */
async function askToStop(): Promise<{ stopped: Promise<void> }> {
  const stopped = server.stop();
  await until("no new connection is accepted", () =>
    fetch(`${server.url}/healthz`, { headers: { connection: "close" } }).then(
      () => false,
      () => true,
    ),
  );
  return { stopped };
}

/** An export whose reader has read a little and stopped. */
async function openExport(): Promise<Opened> {
  const opened = await exportOf(server, someone, { format: "ndjson" });
  expect(opened.status).toBe(200);
  await opened.read(1_000);
  return opened;
}

describe.each([1, ...(hasRedis ? [3] : [])])("with %d web processes, a stop", (processes) => {
  beforeAll(async () => {
    if (processes > 1 && redis) await restart({ REDIS_URL: redis.url, WEB_CONCURRENCY: String(processes) });
  });

  test("does not wait for event streams, which end with a retry hint, or for silent connections", async () => {
    const headers = { cookie: someone.cookie, connection: "close" };
    const open = Array.from({ length: 2 * processes });
    const streams = await Promise.all(open.map(() => Stream.open(server.url, headers)));
    const silent = await Promise.all(
      open.map(async () => {
        const socket = connect(server.port, "127.0.0.1");
        await new Promise((resolve) => socket.once("connect", resolve));
        return { closed: new Promise((resolve) => socket.resume().once("close", resolve)) };
      }),
    );
    const web = server.webPids();
    const askedAt = performance.now();
    const stopped = server.stop();
    await until("the web processes have ended", () => alive(web).length === 0);
    console.log(`${processes} web processes with open streams ended in ${Math.round(performance.now() - askedAt)} ms`);
    for (const stream of streams) {
      await stream.end();
      expect(stream.retry).toBeGreaterThanOrEqual(1_000);
    }
    await Promise.all(silent.map(({ closed }) => closed));
    await stopped;
    await server.start();
  });

  test("lets an export finish, executes no request without answering it, and leaves no client waiting", async () => {
    const caller = organization.admin.with({ connection: "close" });
    const answered: string[] = [];
    let isOpen = true;
    const callers = Array.from({ length: 8 }, async () => {
      while (isOpen) {
        const answer = await caller.put("/api-keys", {}).catch((error: { code?: string }) => error);
        if ("requestId" in answer) answered.push(answer.requestId);
        else if (answer.code === "ECONNREFUSED") isOpen = false;
      }
    });
    const opened = await openExport();
    await until("some were answered", () => answered.length > 16);
    const { stopped } = await askToStop();
    await Promise.all(callers);
    const { events, trailer } = parseNdjson(await opened.read());
    await stopped;
    expect(events.length).toBeGreaterThanOrEqual(MANY);
    expect(trailer).toMatchObject({ export: { rows: events.length } });
    await server.start();
    expect((await finishOf(server, opened)).details).toMatchObject({ rows: events.length, complete: true });
    const ids = await until("every answered request is in the log", async () => {
      const events = await eventsOf(server, organization.id);
      const found = new Set(events.flatMap(({ method, id }) => (method === "PUT" ? id : [])));
      return answered.every((id) => found.has(id)) && found;
    });
    expect(ids.size - answeredBefore).toBe(answered.length);
    answeredBefore = ids.size;
  });

  test("of which a service manager tells every process lets an export finish", async () => {
    const opened = await openExport();
    const { worker = 0 } = server.pids();
    for (const pid of [...server.webPids(), worker]) process.kill(pid, "SIGTERM");
    const { stopped } = await askToStop();
    const { events, trailer } = parseNdjson(await opened.read());
    await stopped;
    expect(trailer).toMatchObject({ export: { rows: events.length } });
    await server.start();
    expect((await finishOf(server, opened)).details).toMatchObject({ rows: events.length, complete: true });
  });

  test("with a second signal cuts an export off, whose end is in the log all the same", async () => {
    const opened = await openExport();
    const pids = server.allPids();
    const { supervisor = 0 } = server.pids();
    const { stopped } = await askToStop();
    await until("it stops at another signal", () => {
      if (alive([supervisor]).length > 0) process.kill(supervisor, "SIGTERM");
      return alive(pids).length === 0;
    });
    await stopped;
    await server.start();
    expect((await finishOf(server, opened)).details).toMatchObject({ complete: false });
  });
});

test("cuts an export off after the grace period, and records that before the process ends", async () => {
  await restart({ SHUTDOWN_GRACE_SECONDS: "1" });
  const opened = await openExport();
  await server.stop();
  await server.start();
  const { details } = await finishOf(server, opened);
  expect(details).toMatchObject({ format: "ndjson", complete: false });
  expect(details?.rows).toBeLessThan(MANY);
});
