import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aged, dayOf, expiryOf, partitions, seenBy } from "@/e2e/audit/aging";
import { exportOf, parseNdjson } from "@/e2e/audit/export-files";
import { store, storeMany } from "@/e2e/audit/store";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { query, whenDelivered } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { isLong } from "@/e2e/support/tier";
import { dailyTest, longTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import { foldDeltas } from "@/lib/audit-logs/count/fold-deltas";
import { createDayPartitions } from "@/lib/audit-logs/partitions/partitions";
import { dropDays } from "@/lib/audit-logs/retain/drop-days";
import { dropExpired } from "@/lib/audit-logs/retain/retention";
import { append } from "@/lib/audit-logs/write/append";
import { auditPool } from "@/lib/db/audit";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

// A day that expires now would be dropped.
beforeEach(() => clearOfBoundary(DAY_MS, 90_000));

let server: Sealwatch;
let someone: SignedIn;

// A separate server: these tests drop days that others would still need.
beforeAll(async () => {
  server = await startSealwatch();
  someone = await newSession(server);
});
afterAll(() => server?.destroy());

const tablesOf = (days: number, time: number) =>
  ["audit_events", "audit_bodies", "audit_rollups"].map(
    (table) => `${table}_${days}_${dayOf(time).replaceAll("-", "")}`,
  );

/** Drops expired days, in addition to the worker, until none is left at `now`. */
const dropAll = (now = Date.now()) =>
  until("all that expired is dropped", async () => {
    await dropExpired(now);
    return (await partitions(server)).every((name) => expiryOf(name) > now);
  });

describe("a plan's retention", () => {
  dailyTest("hides older events immediately, and deletes them from disk when their whole day has expired", async () => {
    const { organizationId, api } = someone;
    const kept = aged(organizationId, 30, 30 * DAY_MS - HOUR_MS);
    const hidden = aged(organizationId, 30, 30 * DAY_MS + 1_000);
    const gone = aged(organizationId, 30, 32 * DAY_MS);
    await store([gone, hidden, kept]);
    expect((await seenBy(server, someone)).ids).toEqual([kept.id]);
    for (const { id } of [hidden, gone]) expect((await api.get(`/audit-logs/${id}`)).status).toBe(404);
    const asked = await api.get<AuditEvent[]>("/audit-logs?path=/aged&since=2020-01-01T00:00:00Z");
    expect(asked.data.map(({ id }) => id)).toEqual([kept.id]);
    await dropAll();
    const left = await query(server, "audit", "SELECT FROM audit_events WHERE id = $1", [gone.id]);
    expect(left).toEqual([]);
    expect((await seenBy(server, someone)).ids).toEqual([kept.id]);
  });

  dailyTest("keeps a day until its events are sealed", async () => {
    const { organizationId } = someone;
    const gone = aged(organizationId, 30, 33 * DAY_MS);
    const client = new pg.Client({ connectionString: server.databases.audit });
    client.on("error", () => {});
    await client.connect();
    // As if another worker were sealing.
    await client.query("BEGIN");
    await client.query("SELECT FROM audit_seal_logs WHERE organization_id = $1 FOR UPDATE", [organizationId]);
    await store([gone]);
    const [events = ""] = tablesOf(30, Date.now() - 33 * DAY_MS);
    expect(await dropExpired()).toEqual([]);
    expect(await partitions(server)).toContain(events);
    await client.query("COMMIT");
    await client.end();
    await dropAll();
    const sealed = await query(server, "audit", "SELECT FROM audit_seals WHERE $1 = ANY (ids)", [gone.id]);
    expect(sealed).toHaveLength(1);
  });

  dailyTest("drops the days before one that is being read, and that day later", async () => {
    const ages = [36, 37, 38].map((age) => Date.now() - age * DAY_MS);
    const client = new pg.Client({ connectionString: server.databases.audit });
    await client.connect();
    const [, read = 0, before = 0] = ages;
    await createDayPartitions(30, dayOf(read));
    await client.query(`BEGIN; SELECT FROM partitions."${tablesOf(30, read)[0]}"`);
    for (const time of ages) await createDayPartitions(30, dayOf(time));
    const isThere = await until("the day before it is dropped", async () => {
      await dropExpired();
      const names = new Set(await partitions(server));
      return !names.has(tablesOf(30, before)[0] ?? "") && names;
    });
    // Newest first, as in `ages`; the worker stops at the same day.
    expect(ages.map((time) => isThere.has(tablesOf(30, time)[0] ?? ""))).toEqual([true, true, false]);
    await client.query("COMMIT");
    await client.end();
    await dropAll();
  });

  dailyTest("keeps the bodies of events that arrived after their day was found to have none", async () => {
    const time = Date.now() - DAY_MS;
    await createDayPartitions(30, dayOf(time));
    const known = { from: 30, day: time - (time % DAY_MS), label: dayOf(time).replaceAll("-", "") };
    const tables = new Set(["audit_bodies", "audit_rollups"]);
    expect(await dropDays([{ ...known, tables }], [], () => false)).toBe("held");
    expect(await partitions(server)).toEqual(expect.arrayContaining(tablesOf(30, time)));
  });

  longTest("is separate for each class, and reads continue meanwhile", async () => {
    const ages = [0, 9, 10, 11, 29, 30, 31, 60, 160, 161, 179, 180, 181];
    for (const days of [30, 180, 365])
      for (const age of ages) await createDayPartitions(days, dayOf(Date.now() - age * DAY_MS));
    const then = Date.now() + 20 * DAY_MS;
    const before = await partitions(server);
    expect(before.filter((name) => expiryOf(name) <= then).length).toBeGreaterThan(20);
    let dropping = true;
    const statuses = new Set<number>();
    const reading = (async () => {
      while (dropping) {
        statuses.add((await someone.api.get("/audit-logs?limit=1&path=/nowhere")).status);
        statuses.add((await someone.api.get("/audit-logs/stats")).status);
      }
    })();
    await dropAll(then).finally(() => {
      dropping = false;
    });
    await reading;
    expect([...statuses]).toEqual([200]);
    // The worker may have created further days meanwhile.
    const left = (await partitions(server)).filter((name) => before.includes(name));
    expect(left).toEqual(before.filter((name) => expiryOf(name) > then));
  });

  longTest("waits for a long export, while nothing else has to wait", async () => {
    const [owner, reader] = await Promise.all([newSession(server), newSession(server)]);
    const old = Date.now() - 40 * DAY_MS;
    await storeMany(server, owner.organizationId, {
      count: 40_000,
      path: "/long/",
      from: Date.now() - 1_000,
      everyMs: 0,
    });
    const opened = await exportOf(server, owner, { format: "ndjson" });
    await until("the export has to wait for us", () => opened.unsent() > 100_000);
    await createDayPartitions(30, dayOf(old));
    const [events = ""] = tablesOf(30, old);
    const dropping = dropExpired();
    const reads = await Promise.all(
      ["", "/stats", "/security-events"].map((path) => reader.api.get(`/audit-logs${path}`)),
    );
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
    await dropping;
    expect(await partitions(server)).toContain(events);
    expect(parseNdjson(await opened.read()).events.length).toBeGreaterThan(40_000);
    await dropAll();
  });
});

/** Whether any table's file contains the text. PostgreSQL immediately truncates the files of a dropped table. */
function isOnDisk(text: string): boolean {
  const folder = join(server.dataDir, "postgres", "data", "base");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\/\d+(\.\d+)?$/.test(name),
  );
  return names.some((name) => {
    try {
      return readFileSync(join(folder, name)).includes(text);
    } catch {
      // Dropped just now.
      return false;
    }
  });
}

dailyTest(
  "expired events are gone from every response and from disk, and a longer plan does not restore them",
  async () => {
    const who = await newSession(server);
    const { organizationId, api } = who;
    const marker = `marker-of-${organizationId}`;
    const [gone, kept] = [32 * DAY_MS, DAY_MS].map((age) => aged(organizationId, 30, age));
    if (gone === undefined || kept === undefined) throw new Error("there are two");
    // Again if the worker dropped the expired day just now.
    await until("the events are on disk", async () => {
      await append(auditPool(), [
        { row: gone, body: Buffer.from(marker) },
        { row: kept, body: Buffer.from("kept") },
      ]);
      await foldDeltas();
      await query(server, "audit", "CHECKPOINT");
      return isOnDisk(marker);
    });
    await dropAll();
    await query(server, "audit", "CHECKPOINT");
    expect(isOnDisk(marker)).toBe(false);
    const seen = {
      ids: [kept.id],
      stats: expect.objectContaining({ totals: expect.objectContaining({ requests: 1 }) }),
    };
    expect(await seenBy(server, who)).toEqual(seen);
    await server.cli("org", "set-plan", "--org", organizationId, "--plan", "enterprise");
    expect(await seenBy(server, who)).toEqual(seen);
    expect((await api.get(`/audit-logs/${gone.id}`)).status).toBe(404);
    for (const table of ["audit_events", "audit_bodies"]) {
      expect(await query(server, "audit", `SELECT FROM ${table} WHERE id = $1`, [gone.id])).toEqual([]);
    }
  },
);

const SINGLE_TABLES: [string, number[]][] = [
  ["of the events", [0]],
  ["of the bodies", [1]],
  ["of the counts", [2]],
];

describe("a missing day", () => {
  test.each([["of all tables", [0, 1, 2]], ...(isLong ? SINGLE_TABLES : [])])(
    "%s loses no event",
    async (_, missing) => {
      await server.cli("org", "set-plan", "--org", someone.organizationId, "--plan", "business");
      const tables = tablesOf(365, Date.now() - 3 * DAY_MS);
      const before = (await seenBy(server, someone)).stats.totals?.requests ?? Number.NaN;
      await foldDeltas();
      for (const index of missing) await query(server, "audit", `DROP TABLE IF EXISTS partitions."${tables[index]}"`);
      const had = (await seenBy(server, someone)).stats.totals?.requests ?? Number.NaN;
      expect(had).toBeLessThanOrEqual(before);
      const row = aged(someone.organizationId, 365, 3 * DAY_MS);
      await append(auditPool(), [{ row, body: Buffer.from("body") }]);
      const { data } = await someone.api.get<AuditEventWithBody>(`/audit-logs/${row.id}`);
      expect(data.request).toMatchObject({ body: "body" });
      expect((await seenBy(server, someone)).stats.totals?.requests).toBe(had + 1);
      await foldDeltas();
      expect((await seenBy(server, someone)).stats.totals?.requests).toBe(had + 1);
    },
  );

  longTest("is created by the worker, while the event that needs it waits in the outbox", async () => {
    const { organizationId, api } = await newSession(server);
    await server.cli("org", "set-plan", "--org", organizationId, "--plan", "enterprise");
    for (const name of tablesOf(2555, Date.now())) await query(server, "audit", `DROP TABLE partitions."${name}"`);
    const { status, requestId } = await api.get("/audit-logs?limit=1");
    expect(status).toBe(200);
    await until("the event is in the log", async () => (await api.get(`/audit-logs/${requestId}`)).status === 200);
    await whenDelivered(server, organizationId);
  });
});
