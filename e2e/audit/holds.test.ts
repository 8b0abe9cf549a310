import { afterAll, beforeAll, beforeEach, describe, expect } from "vitest";
import { aged, rowsIn, seenBy } from "@/e2e/audit/aging";
import { exportWhenFree } from "@/e2e/audit/export-files";
import { placeHold, placeHoldAgo, releaseHold } from "@/e2e/audit/holding";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { withoutWorker } from "@/e2e/support/servers/without-worker";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { dailyTest, longTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import { foldDeltas } from "@/lib/audit-logs/count/fold-deltas";
import type { AuditHold } from "@/lib/audit-logs/hold/contract";
import { HELD_CLASS } from "@/lib/audit-logs/partitions/held-class";
import { createPartitionsFor } from "@/lib/audit-logs/partitions/partitions";
import type { Entry } from "@/lib/audit-logs/read/get-contract";
import { redactCaller } from "@/lib/audit-logs/redact/redact-caller";
import { moveEvents } from "@/lib/audit-logs/retain/move-events";
import { enforceRetention } from "@/lib/audit-logs/retain/retention";
import { settleReleased } from "@/lib/audit-logs/retain/settle";
import { append } from "@/lib/audit-logs/write/append";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { setPlan } from "@/lib/billing/set-plan";
import { auditPool } from "@/lib/db/audit";
import { withTransaction } from "@/lib/db/connections";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

// A day that expires now would be dropped.
beforeEach(() => clearOfBoundary(DAY_MS, 90_000));

let server: Sealwatch;

// A separate server: these tests drop days that others would still need.
beforeAll(async () => {
  server = await startSealwatch();
});
afterAll(() => server?.destroy());

const never = new AbortController().signal;
const MONTH = 30 * DAY_MS;

/** An event of a given age in the class of 30 days, with a method that identifies it. */
const eventOf = ({ organizationId }: SignedIn, ageMs: number, method = "POST", days = 30): AuditRow => ({
  ...aged(organizationId, days, ageMs),
  method,
});

/** An event of yesterday, the first of a key. */
const ofKey = ({ organizationId }: SignedIn): AuditRow => ({
  ...aged(organizationId, 30, DAY_MS),
  ...{ auth_type: "api_key", api_key_id: newId(), api_key_name: "ci-deploy", ip_address: "192.0.2.1" },
});

const storeWithBodies = (rows: AuditRow[]) =>
  append(
    auditPool(),
    rows.map((row) => ({ row, body: Buffer.from("body") })),
  );

const changePlan = ({ organizationId }: SignedIn, plan: "free" | "business") => {
  const principal = systemPrincipal(organizationId);
  return withAuditEvent({ action: "organization.set_plan", principal }, () => setPlan(principal, { plan }));
};

/** An organization with the larger plan, and events that the smaller one would keep or not. */
async function withBusinessPlan() {
  const someone = await newSession(server);
  await changePlan(someone, "business");
  const rows = [
    eventOf(someone, 300 * DAY_MS, "DELETE", 365),
    eventOf(someone, 200 * DAY_MS, "POST", 365),
    eventOf(someone, 2 * DAY_MS, "DELETE", 365),
  ];
  await storeWithBodies(rows);
  return { someone, rows };
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

const stored = async (rows: AuditRow[]) => {
  const text = "SELECT id FROM audit_events WHERE id = ANY ($1::uuid[]) ORDER BY id";
  return (await query<{ id: string }>(server, "audit", text, [ids(rows)])).map(({ id }) => id);
};

const isAged = ({ request }: AuditEvent) => request?.path === "/aged";

/** Runs the retention, in addition to the worker, until exactly these of the events are stored. */
const whenOnly = (rows: AuditRow[], left: AuditRow[]) =>
  until("the others have expired", async () => {
    await enforceRetention(never);
    const found = await stored(rows);
    expect(found).toEqual(expect.arrayContaining(ids(left)));
    return found.length === left.length;
  });

describe("a legal hold", () => {
  dailyTest(
    "on the whole log keeps expired events with their bodies and counts, and not those of other organizations",
    async () => {
      const [someone, other] = [await newSession(server), await newSession(server)];
      await placeHoldAgo(server, someone, MONTH);
      const own = [45, 40, 33, 29, 1].map((days) => eventOf(someone, days * DAY_MS));
      const others = [45, 29].map((days) => eventOf(other, days * DAY_MS));
      await storeWithBodies([...own, ...others]);
      await whenOnly([...own, ...others], [...own, ...others.slice(1)]);
      expect(await rowsIn(server, someone.organizationId, HELD_CLASS)).toEqual([
        ...[4, 4],
        expect.any(Number),
        expect.any(Number),
      ]);
      for (const _ of ["counted from deltas", "folded"]) {
        const seen = await seenBy(server, someone);
        expect(seen.ids).toEqual(ids(own));
        expect(seen.stats.totals?.requests).toBe(own.length);
        expect((await seenBy(server, other)).ids).toEqual(ids(others.slice(1)));
        await foldDeltas();
      }
      const detail = await someone.api.get<AuditEventWithBody>(`/audit-logs/${own[0]?.id}`);
      expect(detail.data.request?.body).toBe("body");
    },
  );

  dailyTest("with a filter keeps what matches, and the rest expires", async () => {
    const someone = await newSession(server);
    const since = new Date(Date.now() - 50 * DAY_MS).toISOString();
    await placeHoldAgo(server, someone, MONTH, `method=DELETE,PUT&since=${encodeURIComponent(since)}`);
    const kept = [
      eventOf(someone, 45 * DAY_MS, "DELETE"),
      eventOf(someone, 40 * DAY_MS, "PUT"),
      eventOf(someone, MONTH - HOUR_MS),
    ];
    const rest = [eventOf(someone, 52 * DAY_MS, "DELETE"), eventOf(someone, 44 * DAY_MS)];
    await storeWithBodies([...kept, ...rest]);
    await whenOnly([...kept, ...rest], kept);
    const seen = await seenBy(server, someone);
    expect(seen.ids).toEqual(ids(kept));
    expect(seen.stats.totals?.requests).toBe(3);
    const facets = await someone.api.get<{ facets: unknown }>("/audit-logs/facets?path=/aged");
    expect(facets.status).toBe(200);
  });

  dailyTest("with a filter does not make an address new since the hold", async () => {
    const someone = await newSession(server);
    await placeHoldAgo(server, someone, MONTH, "method=DELETE");
    const row = ofKey(someone);
    await append(auditPool(), [{ row, body: null }]);
    const detail = await someone.api.get<Entry>(`/audit-logs/${row.id}?include=context`);
    const fact = detail.data.context?.facts.find(({ kind }) => kind === "first_from_address");
    const since = fact?.kind === "first_from_address" ? Date.parse(fact.kept_since) : Number.NaN;
    expect(since).toBeGreaterThan(Date.now() - MONTH - HOUR_MS);
  });

  dailyTest("takes an event from the counts once if its caller is redacted while it is moved", async () => {
    const someone = await newSession(server);
    const [{ organizationId }, row] = [someone, ofKey(someone)];
    await append(auditPool(), [{ row, body: null }]);
    await createPartitionsFor([{ retention_days: HELD_CLASS, id: row.id }]);
    const waits = "SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))";
    const moving = await withTransaction(auditPool(), async (client) => {
      await client.query("SELECT FROM audit_events WHERE id = $1 FOR UPDATE", [row.id]);
      await redactCaller(client, organizationId, row.id, Buffer.alloc(32));
      const move = { organizationId, from: 30, to: HELD_CLASS, ids: [row.id] };
      const moved = withTransaction(auditPool(), (other) => moveEvents(other, move));
      const pid = (client as { processID?: number }).processID;
      await until("the move waits", async () => (await query(server, "audit", waits, [pid])).length > 0);
      return { moved };
    });
    await moving.moved;
    const counts = `SELECT value, sum(events)::integer AS events FROM (
        SELECT value, events FROM audit_rollups WHERE organization_id = $1 AND dimension = 'ip' AND grain = 'hour'
        UNION ALL SELECT added.value, added.events
        FROM audit_deltas d, unnest(d.dimensions, d."values", d.events) AS added (dimension, value, events)
        WHERE organization_id = $1 AND added.dimension = 'ip'
      ) AS counts WHERE value = '192.0.2.1' GROUP BY value HAVING sum(events) <> 0`;
    expect(await query(server, "audit", counts, [organizationId])).toEqual([]);
  });

  longTest(
    "whose filter cannot be read keeps everything, and does not delay the retention of other organizations",
    async () => {
      const [someone, other] = [await newSession(server), await newSession(server)];
      await placeHoldAgo(server, someone, MONTH, "method=DELETE");
      await query(server, "app", "UPDATE audit_holds SET filter = 'unknown=1' WHERE organization_id = $1", [
        someone.organizationId,
      ]);
      const [own, others] = [eventOf(someone, 45 * DAY_MS), eventOf(other, 45 * DAY_MS)];
      await storeWithBodies([own, others]);
      await whenOnly([own, others], [own]);
      expect((await seenBy(server, someone)).ids).toEqual([own.id]);
    },
  );

  longTest("covers nothing that had expired when it was placed", async () => {
    const someone = await newSession(server);
    const [hidden, kept] = [eventOf(someone, MONTH + 60_000), eventOf(someone, MONTH - HOUR_MS)];
    await storeWithBodies([hidden, kept]);
    await placeHold(someone);
    await until("what is on hold is filed", async () => {
      await enforceRetention(never);
      return (await rowsIn(server, someone.organizationId, HELD_CLASS))[0] === 1;
    });
    expect((await seenBy(server, someone)).ids).toEqual([kept.id]);
  });

  dailyTest(
    "of several, each keeps its own; what only a released one kept is deleted, or expires with the plan",
    async () => {
      const someone = await newSession(server);
      const first = await placeHoldAgo(server, someone, MONTH, "method=DELETE,PUT");
      const second = await placeHoldAgo(server, someone, MONTH, "method=PUT");
      const rows = [
        { ...eventOf(someone, 45 * DAY_MS, "DELETE"), response_time_us: 9_000_000 },
        { ...eventOf(someone, 45 * DAY_MS, "PUT"), response_time_us: 2_000 },
        eventOf(someone, MONTH - HOUR_MS, "DELETE"),
        eventOf(someone, MONTH - HOUR_MS, "PUT"),
      ];
      await storeWithBodies(rows);
      await until("all are filed as held", async () => {
        await enforceRetention(never);
        return (await rowsIn(server, someone.organizationId, HELD_CLASS))[0] === 4;
      });
      await foldDeltas();
      const before = await seenBy(server, someone);
      expect(before.stats).toMatchObject({ totals: { requests: 4 }, response_time_ms: { max: 9_000 } });
      await releaseHold(someone, first);
      await whenOnly(rows, rows.slice(1));
      await until("the plan has its own again", async () => {
        await enforceRetention(never);
        return (await rowsIn(server, someone.organizationId, HELD_CLASS))[0] === 2;
      });
      const after = await seenBy(server, someone);
      expect(after.ids).toEqual(ids(rows.slice(1)).sort());
      expect(after.stats).toMatchObject({ totals: { requests: 3 }, response_time_ms: { max: 2 } });
      await releaseHold(someone, second);
      await whenOnly(rows, rows.slice(2));
      await until("nothing is held any more", async () => {
        await enforceRetention(never);
        const [{ audit_has_held = true } = {}] = await query<{ audit_has_held: boolean }>(
          server,
          "app",
          "SELECT audit_has_held FROM organizations WHERE id = $1",
          [someone.organizationId],
        );
        return !audit_has_held;
      });
      expect(await rowsIn(server, someone.organizationId, HELD_CLASS)).toEqual([0, 0, 0, 0]);
      expect((await seenBy(server, someone)).stats.totals?.requests).toBe(2);
    },
  );

  dailyTest("that is released is settled by runs of which none gets through all days", async () => {
    const someone = await newSession(server);
    const { organizationId } = someone;
    const first = await placeHoldAgo(server, someone, MONTH, "method=DELETE");
    const second = await placeHoldAgo(server, someone, MONTH, "method=PUT");
    const days = [48, 47, 46, 45, 44, 43];
    const [own, others] = ["DELETE", "PUT"].map((method) =>
      days.map((age) => eventOf(someone, age * DAY_MS, method)),
    ) as [AuditRow[], AuditRow[]];
    await storeWithBodies([...own, ...others]);
    await until("all are filed as held", async () => {
      await enforceRetention(never);
      return (await rowsIn(server, organizationId, HELD_CLASS))[0] === own.length + others.length;
    });
    const whenSettled = ({ id }: AuditHold) =>
      until("the hold is settled", async () => {
        let asked = 0;
        // As if time were up after one or two days.
        await settleReleased(organizationId, Date.now(), () => ++asked > 8);
        const text = "SELECT FROM audit_holds WHERE organization_id = $1 AND id = $2 AND settled_at IS NOT NULL";
        return (await query(server, "app", text, [organizationId, id])).length > 0;
      });
    await withoutWorker(server, async () => {
      await releaseHold(someone, first);
      await whenSettled(first);
      expect(await stored([...own, ...others])).toEqual(ids(others));
      expect((await seenBy(server, someone)).stats.totals?.requests).toBe(others.length);
      await releaseHold(someone, second);
      await whenSettled(second);
      expect(await rowsIn(server, organizationId, HELD_CLASS)).toEqual([0, 0, 0, 0]);
    });
  });

  dailyTest("leaves no empty days behind", async () => {
    const someone = await newSession(server);
    const hold = await placeHoldAgo(server, someone, MONTH);
    const [ageMs, rows] = [52 * DAY_MS, [eventOf(someone, 52 * DAY_MS)]];
    await storeWithBodies(rows);
    const label = new Date(Date.now() - ageMs).toISOString().slice(0, 10).replaceAll("-", "");
    const tables = async () => {
      const sql = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE $1 ORDER BY relname";
      const found = await query<{ relname: string }>(server, "audit", sql, [`audit_%_${HELD_CLASS}_${label}`]);
      return found.map(({ relname }) => relname);
    };
    const all = ["audit_bodies", "audit_events", "audit_rollups"].map((table) => `${table}_${HELD_CLASS}_${label}`);
    await until("the event is filed as held", async () => {
      await enforceRetention(never);
      return (await rowsIn(server, someone.organizationId, HELD_CLASS))[0] === 1;
    });
    await enforceRetention(never);
    expect(await tables()).toEqual(all);
    await releaseHold(someone, hold);
    await until("its day is gone", async () => {
      await enforceRetention(never);
      return (await tables()).length === 0;
    });
    expect(await stored(rows)).toEqual([]);
  });

  dailyTest("keeps what a smaller plan hides visible, before the worker has moved it", async () => {
    const { someone, rows } = await withBusinessPlan();
    await placeHold(someone, "method=DELETE");
    await signNow(server);
    await whenSigned(someone.organizationId, ids(rows));
    const left = rows.filter(({ method }) => method === "DELETE");
    await withoutWorker(server, async () => {
      await changePlan(someone, "free");
      expect(await rowsIn(server, someone.organizationId, HELD_CLASS)).toEqual([0, 0, 0, 0]);
      const seen = await seenBy(server, someone);
      expect(seen.ids).toEqual(ids(left));
      expect(seen.stats.totals?.requests).toBe(left.length);
      const detail = await someone.api.get<AuditEventWithBody>(`/audit-logs/${left[0]?.id}`);
      expect(detail.data.request?.body).toBe("body");
      expect((await someone.api.get(`/audit-logs/${rows[1]?.id}`)).status).toBe(404);
      const sealed = await someone.api.get<AuditEvent[]>("/audit-logs?order=sealed&limit=200");
      expect(ids(sealed.data.filter(isAged)).sort()).toEqual(ids(left));
      const bundle = await exportWhenFree(server, someone, { format: "ndjson", include: "seal" });
      const lines = (await bundle.read()).toString().trimEnd().split("\n");
      const events = lines.flatMap((line): AuditEvent[] =>
        "occurred_at" in JSON.parse(line) ? [JSON.parse(line)] : [],
      );
      expect(ids(events.filter(isAged)).sort()).toEqual(ids(left));
    });
  });

  longTest("keeps what a smaller plan would delete, and what a larger plan had moved", async () => {
    const { someone, rows } = await withBusinessPlan();
    const hold = await placeHold(someone, "method=DELETE");
    await changePlan(someone, "free");
    const left = rows.filter(({ method }) => method === "DELETE");
    await whenOnly(rows, left);
    expect((await seenBy(server, someone)).ids).toEqual(ids(left));
    await changePlan(someone, "business");
    await enforceRetention(never);
    expect((await seenBy(server, someone)).ids).toEqual(ids(left));
    await releaseHold(someone, hold);
    await until("the plan keeps its own", async () => {
      await enforceRetention(never);
      return (await rowsIn(server, someone.organizationId, HELD_CLASS)).every((count) => count === 0);
    });
    expect((await seenBy(server, someone)).ids).toEqual(ids(left));
    expect((await seenBy(server, someone)).stats.totals?.requests).toBe(2);
  });

  longTest("keeps an event that reaches the log late, even while its day is dropped", async () => {
    const someone = await newSession(server);
    await placeHoldAgo(server, someone, MONTH);
    const rows = Array.from({ length: 12 }, (_, n) => eventOf(someone, 35 * DAY_MS + n * HOUR_MS));
    let isArriving = true;
    const workers = [0, 1].map(async () => {
      while (isArriving) await enforceRetention(never);
    });
    for (const row of rows) await storeWithBodies([row]);
    isArriving = false;
    await Promise.all(workers);
    await until("all are filed as held", async () => {
      await enforceRetention(never);
      return (await rowsIn(server, someone.organizationId, HELD_CLASS))[0] === rows.length;
    });
    expect((await rowsIn(server, someone.organizationId, HELD_CLASS))[1]).toBe(rows.length);
    expect((await seenBy(server, someone)).ids).toEqual(ids(rows).sort());
  });
});

describe("holds", () => {
  dailyTest("are placed and released by admins, recorded as security events, and listed", async () => {
    const [someone, stranger] = [await newSession(server), await newSession(server)];
    const hold = await placeHold(someone, "action=api_key.rotate");
    expect(hold).toMatchObject({ name: "Case 4711", reason: "Litigation", released_at: null, released_by: null });
    expect(hold.filter).toBe("action=api_key.rotate");
    expect(Date.parse(hold.placed_at) - Date.parse(hold.covers_since)).toBe(MONTH);
    for (const asked of [
      stranger.api.delete(`/audit-logs/holds/${hold.id}`),
      stranger.api.delete(`/audit-logs/holds/x`),
    ])
      expect((await asked).status).toBe(404);
    expect((await stranger.api.get<AuditHold[]>("/audit-logs/holds")).data).toEqual([]);
    const released = await releaseHold(someone, hold);
    expect(released).toMatchObject({ id: hold.id, released_at: expect.any(String), released_by: hold.placed_by });
    expect(await releaseHold(someone, hold)).toEqual(released);
    expect((await someone.api.get<AuditHold[]>("/audit-logs/holds")).data).toEqual([released]);
    expect((await someone.api.get<AuditHold[]>("/audit-logs/holds?status=active")).data).toEqual([]);
    const events = await someone.api.get<AuditEvent[]>(
      `/audit-logs?resource_id=${hold.id}&flag=audit_hold_placed,audit_hold_released`,
    );
    expect(events.data.map(({ resource: { action }, security }) => [action, security])).toMatchObject([
      ["audit_log.hold_released", { flags: ["audit_hold_released"], is_security_event: true }],
      ["audit_log.hold_placed", { flags: ["audit_hold_placed"], is_security_event: true }],
    ]);
  });

  dailyTest.each([
    ["range=7d", "range"],
    ["method=get", "method"],
    ["since=yesterday", "since"],
    ["colour=red", "colour"],
    ["status=200&status=404", "status"],
    ["since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "until"],
    ["until=2020-01-01T00:00:00Z", "until"],
    ["&", "filter"],
    [`q=${"x".repeat(2_000)}`, "filter"],
  ])("refuse the filter %s", async (filter, named) => {
    const { api } = await newSession(server);
    const refused = await api.post("/audit-logs/holds", { name: "x", reason: "x", filter });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('"filter"');
    expect(refused.text).toContain(named);
  });

  longTest("are bounded", async () => {
    const someone = await newSession(server);
    const holds = [];
    for (let n = 0; n < 10; n++) holds.push(await placeHold(someone));
    const body = { name: "x", reason: "x" };
    expect((await someone.api.post("/audit-logs/holds", body)).status).toBe(409);
    await releaseHold(someone, holds[0] as AuditHold);
    const both = await Promise.all([0, 1].map(() => someone.api.post("/audit-logs/holds", body)));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

dailyTest("exports of a log on hold have the held events", async () => {
  const someone = await newSession(server);
  await placeHoldAgo(server, someone, MONTH);
  const old = eventOf(someone, 45 * DAY_MS);
  await storeWithBodies([old]);
  const file = await exportWhenFree(server, someone, { format: "csv", path: "/aged" });
  await until("it is filed", async () => {
    await enforceRetention(never);
    return (await rowsIn(server, someone.organizationId, HELD_CLASS))[0] === 1;
  });
  await file.read();
  const again = await exportWhenFree(server, someone, { format: "csv", path: "/aged" });
  expect((await again.read()).toString()).toContain(old.id);
});
