import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportOf, finishOf, parseNdjson, sha256 } from "@/e2e/audit/export-files";
import { idAtTime } from "@/e2e/audit/generate";
import { storeMany } from "@/e2e/audit/store";
import { webMemory } from "@/e2e/support/memory";
import { hangUp } from "@/e2e/support/raw";
import { eventById, query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { append } from "@/lib/audit-logs/write/append";
import { auditPool } from "@/lib/db/audit";
import { DAY_MS } from "@/lib/time/units";

const MANY = 140_000;
const MAX_GROWTH_MIB = 64;

const start = Date.now();
let server: Sealwatch;
let large: SignedIn;
let idle: number;

// A separate server: these tests use every export slot, and measure its memory.
beforeAll(async () => {
  server = await startSealwatch();
  large = await newSession(server);
  const day = start - (start % DAY_MS) - DAY_MS;
  await storeMany(server, large.organizationId, { count: MANY, path: "/many/", from: day, everyMs: 400 });
  // Once, so that modules loaded at first use do not count as growth.
  await (await exportOf(server, large, { format: "json", path: "/none" })).read();
  idle = webMemory(server);
});
afterAll(() => server?.destroy());

/** The wait events of running exports' backends. */
async function copies(): Promise<string[]> {
  const found = await query<{ wait: string | null }>(
    server,
    "audit",
    "SELECT wait_event AS wait FROM pg_stat_activity WHERE application_name = 'sealwatch export' AND state = 'active'",
  );
  return found.map(({ wait }) => String(wait));
}

const blocked = (count: number) =>
  until(
    "the COPY waits for its reader",
    async () => (await copies()).filter((wait) => wait === "ClientWrite").length === count,
  );

describe("a long export", () => {
  test("is recorded before its first byte, and ignores later events", async () => {
    const opened = await exportOf(server, large, { format: "ndjson" });
    const event = await eventById(server, opened.requestId);
    expect(event).toMatchObject({ status_code: 200, flags: ["audit_exported"], action: "audit_log.export" });
    const [known] = await query<{ count: number }>(
      server,
      "audit",
      "SELECT count(*)::integer AS count FROM audit_events WHERE organization_id = $1 AND id < $2",
      [large.organizationId, opened.requestId],
    );
    await opened.read(1_000_000);
    await blocked(1);
    const arrival = (time: number) => ({
      row: new AuditEventDraft({
        ...{ organization_id: large.organizationId, method: "GET", path: "/new" },
        id: idAtTime(time, Buffer.alloc(16, 7)),
      }).row,
      body: null,
    });
    await append(auditPool(), [arrival(Date.now()), arrival(start - 1_000)]);
    const { events, trailer, content } = parseNdjson(await opened.read());
    expect(events.some(({ request }) => request?.path === "/new")).toBe(false);
    expect(trailer).toEqual({ export: { rows: known?.count, sha256: sha256(content) } });
    expect(known?.count).toBeGreaterThan(MANY);
  });

  test("needs no more memory for a large file or a slow reader", async () => {
    const size = (await (await exportOf(server, large, { format: "json" })).read()).length;
    let most = 0;
    const opened = await exportOf(server, large, { format: "json" });
    for (let part = 1; part <= 20; part++) {
      await opened.read((size * part) / 20);
      // Towards the end the rest fits into the sockets' buffers.
      if ([1, 5, 10].includes(part)) await blocked(1);
      most = Math.max(most, webMemory(server));
    }
    expect((await opened.read()).length).toBeGreaterThanOrEqual(size);
    console.log(`${MANY} rows, ${Math.round(size / 2 ** 20)} MiB: web grew by ${Math.round(most - idle)} MiB`);
    expect(most - idle).toBeLessThan(MAX_GROWTH_MIB);
    expect(size).toBeGreaterThan(MAX_GROWTH_MIB * 2 ** 20);
  });

  test("stops when its reader disconnects, and records how far it got", async () => {
    const opened = await exportOf(server, large, { format: "ndjson" });
    const received = (await opened.read(3_000_000)).toString().split("\n").length - 1;
    await blocked(1);
    opened.leave();
    await until("PostgreSQL stops", async () => (await copies()).length === 0);
    const { details } = await finishOf(server, opened);
    expect(details).toMatchObject({ format: "ndjson", complete: false });
    expect(details?.rows).toBeGreaterThanOrEqual(received);
    expect(details?.rows).toBeLessThan(MANY / 2);
  });

  test("is one of two at a time; a third gets retry_after, and other organizations have their own two", async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => exportOf(server, large, { format: "csv" })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503]);
    const other = await exportOf(server, await newSession(server), { format: "csv" });
    expect(other.status).toBe(200);
    await other.read();
    const refused = all.find(({ status }) => status === 503);
    const { error } = JSON.parse((await refused?.read())?.toString() ?? "{}");
    expect(error).toMatchObject({ code: "UNAVAILABLE", retry_after: Number(refused?.headers["retry-after"]) });
    expect((await eventById(server, refused?.requestId ?? "")).flags).toEqual([]);
    for (const opened of all) opened.leave();
    for (const opened of all.filter(({ status }) => status === 200)) {
      expect((await finishOf(server, opened)).details).toMatchObject({ complete: false });
    }
    const next = await exportOf(server, large, { format: "csv", path: "/none" });
    expect(next.status).toBe(200);
    await next.read();
  });

  test("keeps no slot for clients that disconnected before the response", async () => {
    const { hostname, port } = new URL(server.url);
    const head = `GET /api/v1/audit-logs/export?format=csv HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${large.cookie}\r\n\r\n`;
    const before = await requests();
    await Promise.all(Array.from({ length: 12 }, () => hangUp(server, head)));
    await until("all of them are on record", async () => (await requests()) === before + 12);
    await until("an export runs", async () => {
      const opened = await exportOf(server, large, { format: "csv", path: "/none" });
      await opened.read();
      return opened.status === 200;
    });
  });
});

/** The number of requested exports. */
async function requests(): Promise<number> {
  const [row] = await query<{ count: number }>(
    server,
    "audit",
    "SELECT count(*)::integer AS count FROM audit_events WHERE route = '/api/v1/audit-logs/export'",
  );
  return row?.count ?? 0;
}
