import pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { aged, rowsIn, seenBy } from "@/e2e/audit/aging";
import { store, storeMany } from "@/e2e/audit/store";
import { clearOfBoundary } from "@/e2e/support/boundaries";
import { query, whileHeld } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { isLong } from "@/e2e/support/tier";
import { dailyTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import { foldDeltas } from "@/lib/audit-logs/count/fold-deltas";
import { createDayPartitions } from "@/lib/audit-logs/partitions/partitions";
import { moveClasses } from "@/lib/audit-logs/retain/move-classes";
import { append } from "@/lib/audit-logs/write/append";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { enqueueOutbox } from "@/lib/audit-logs/write/outbox";
import { setPlan } from "@/lib/billing/set-plan";
import { auditPool } from "@/lib/db/audit";
import { systemPrincipal } from "@/lib/http/principal";
import type { Plan } from "@/lib/plans";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

// A day that expires now would be dropped.
beforeEach(() => clearOfBoundary(DAY_MS, 90_000));

const server = sharedServer();
const never = new AbortController().signal;

interface Changed {
  id: string;
  slug: string;
  name: string;
  plan: Plan;
  created_at: string;
}

async function changePlan({ organizationId }: SignedIn, plan: Plan): Promise<void> {
  const principal = systemPrincipal(organizationId);
  await withAuditEvent({ action: "organization.set_plan", principal }, () => setPlan(principal, { plan }));
}

/** Moves events, in addition to the worker, until the organization has none in the class. */
const moveAllFrom = ({ organizationId }: SignedIn, retentionDays: number) =>
  until("nothing is left in the class", async () => {
    await moveClasses(never);
    return (await rowsIn(server, organizationId, retentionDays)).every((count) => count === 0);
  });

const classesOf = async ({ organizationId }: SignedIn) => {
  const text = "SELECT audit_classes FROM organizations WHERE id = $1";
  const [row] = await query<{ audit_classes: number[] }>(server, "app", text, [organizationId]);
  return row?.audit_classes.toSorted((a, b) => a - b);
};

const ids = (rows: AuditRow[]) => rows.map(({ id }) => id);

describe("a change of plan", () => {
  dailyTest("upward shows stored events again, and moves them to their new class", async () => {
    const someone = await newSession(server);
    const { organizationId } = someone;
    const ages = [30 * DAY_MS + 1_000, 29 * DAY_MS, 10 * DAY_MS, DAY_MS];
    const rows = ages.map((age) => aged(organizationId, 30, age));
    await append(
      auditPool(),
      rows.map((row) => ({ row, body: Buffer.from("body") })),
    );
    expect((await seenBy(server, someone)).ids).toEqual(ids(rows.slice(1)));
    await changePlan(someone, "team");
    const before = await seenBy(server, someone);
    expect(before.ids).toEqual(ids(rows));
    expect(before.stats).toMatchObject({ retention_days: 180, totals: { requests: 4 } });
    await moveAllFrom(someone, 30);
    expect(await seenBy(server, someone)).toEqual(before);
    const [events = 0, bodies] = await rowsIn(server, organizationId, 180);
    expect(events).toBeGreaterThanOrEqual(4);
    expect(bodies).toBe(4);
    const detail = await someone.api.get<AuditEventWithBody>(`/audit-logs/${rows[0]?.id}`);
    expect(detail.data.request?.body).toBe("body");
  });

  dailyTest("downward hides events immediately, then deletes them and moves the others", async () => {
    const someone = await newSession(server);
    const { organizationId } = someone;
    await changePlan(someone, "enterprise");
    const ages = [400 * DAY_MS, 31 * DAY_MS, 30 * DAY_MS + 1_000, 29 * DAY_MS, 2 * DAY_MS];
    const rows = ages.map((age) => aged(organizationId, 2555, age));
    await append(
      auditPool(),
      rows.map((row) => ({ row, body: Buffer.from("body") })),
    );
    await foldDeltas();
    expect((await seenBy(server, someone)).ids).toEqual(ids(rows));
    await changePlan(someone, "free");
    const before = await seenBy(server, someone);
    expect(before.ids).toEqual(ids(rows.slice(3)));
    expect(before.stats).toMatchObject({ retention_days: 30, totals: { requests: 2 } });
    await moveAllFrom(someone, 2555);
    expect(await seenBy(server, someone)).toEqual(before);
    const text = "SELECT id FROM audit_bodies WHERE organization_id = $1 ORDER BY id";
    const left = await query<{ id: string }>(server, "audit", text, [organizationId]);
    expect(left.map(({ id }) => id)).toEqual(ids(rows.slice(2)));
  });

  dailyTest("moves a busy day in steps that never duplicate or lose an event, with stable counts", async () => {
    const someone = await newSession(server);
    const { organizationId } = someone;
    const day = Date.now() - 3 * DAY_MS;
    await createDayPartitions(30, new Date(day).toISOString().slice(0, 10));
    await storeMany(server, organizationId, { count: 7_000, path: "/busy/", from: day, everyMs: 1 });
    await store([aged(organizationId, 30, 3 * DAY_MS)]);
    await changePlan(someone, "team");
    const before = await seenBy(server, someone);
    let isMoving = true;
    const counts = new Set<number>();
    const reading = (async () => {
      const text =
        "SELECT count(*)::integer AS count FROM audit_events WHERE organization_id = $1 AND path LIKE '/busy/%'";
      while (isMoving) {
        const [row] = await query<{ count: number }>(server, "audit", text, [organizationId]);
        counts.add(row?.count ?? 0);
      }
    })();
    // A worker that is stopped leaves the rest to the next one.
    const stopped = new AbortController();
    const first = moveClasses(stopped.signal);
    stopped.abort();
    await first;
    await moveAllFrom(someone, 30).finally(() => {
      isMoving = false;
    });
    await reading;
    expect([...counts]).toEqual([7_000]);
    expect((await rowsIn(server, organizationId, 180))[0]).toBeGreaterThan(7_000);
    expect(await seenBy(server, someone)).toEqual(before);
  });

  if (isLong)
    test("that fails for one organization does not delay others", async () => {
      const [stuck, other] = await Promise.all([newSession(server), newSession(server)]);
      for (const { organizationId } of [stuck, other]) await store([aged(organizationId, 30, DAY_MS)]);
      const holder = new pg.Client({ connectionString: server.databases.audit });
      await holder.connect();
      await holder.query("BEGIN");
      await holder.query("SELECT FROM audit_events WHERE organization_id = $1 FOR UPDATE", [stuck.organizationId]);
      await changePlan(stuck, "team");
      await changePlan(other, "team");
      await moveAllFrom(other, 30);
      expect((await rowsIn(server, stuck.organizationId, 30))[0]).toBeGreaterThan(0);
      await holder.end();
      await moveAllFrom(stuck, 30);
    });

  if (isLong)
    test("ends when an hour has passed and nothing is left to move", async () => {
      const someone = await newSession(server);
      await changePlan(someone, "business");
      await moveAllFrom(someone, 30);
      expect(await classesOf(someone)).toEqual([30, 365]);
      // A request that began earlier may still write to the former class.
      const late = aged(someone.organizationId, 30, HOUR_MS);
      await store([late]);
      expect((await someone.api.get<AuditEvent>(`/audit-logs/${late.id}`)).data.id).toBe(late.id);
      const text = "UPDATE organizations SET plan_changed_at = now() - interval '61 minutes' WHERE id = $1";
      await query(server, "app", text, [someone.organizationId]);
      await until("one class is left", async () => {
        await moveClasses(never);
        return (await classesOf(someone))?.length === 1;
      });
      expect(await classesOf(someone)).toEqual([365]);
      expect((await seenBy(server, someone)).ids).toEqual([late.id]);
    });

  if (isLong)
    test("moves counts that were folded after their events had been moved", async () => {
      const someone = await newSession(server);
      const { organizationId } = someone;
      const row = aged(organizationId, 30, 3 * DAY_MS);
      await store([row]);
      await until("its counts are folded", async () => {
        await foldDeltas();
        return (await rowsIn(server, organizationId, 30))[3] === 0;
      });
      await changePlan(someone, "team");
      await createDayPartitions(180, new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10));
      await query(server, "audit", "UPDATE audit_events SET retention_days = 180 WHERE id = $1", [row.id]);
      const before = await seenBy(server, someone);
      expect(before.stats.totals?.requests).toBe(1);
      await moveAllFrom(someone, 30);
      expect(await seenBy(server, someone)).toEqual(before);
    });

  dailyTest("files the seals under the class of each plan, also those that are written meanwhile", async () => {
    const someone = await newSession(server);
    const { organizationId } = someone;
    const classes = async () => {
      const text = "SELECT retention_days, ids FROM audit_seals WHERE organization_id = $1";
      const seals = await query<{ retention_days: number; ids: string[] }>(server, "audit", text, [organizationId]);
      return { all: new Set(seals.map(({ retention_days }) => retention_days)), ids: seals.flatMap(({ ids }) => ids) };
    };
    const sealed = async (row: AuditRow) => {
      await store([row]);
      await until("the event is sealed", async () => (await classes()).ids.includes(row.id));
    };
    const filed = (days: number) =>
      until("all seals have one class", async () => {
        await moveClasses(never);
        const { all } = await classes();
        return all.size === 1 && all.has(days);
      });
    await sealed(aged(organizationId, 30, DAY_MS));
    await changePlan(someone, "team");
    await filed(180);
    // A request that began earlier: its seal follows those that are filed.
    await sealed(aged(organizationId, 30, HOUR_MS));
    await filed(180);
    await changePlan(someone, "business");
    await filed(365);
    await changePlan(someone, "team");
    await filed(180);
  });

  dailyTest("keeps one copy of an event that the outbox still delivers to its former class", async () => {
    const someone = await newSession(server);
    const { organizationId } = someone;
    const row = aged(organizationId, 30, 3 * DAY_MS);
    await store([row]);
    await changePlan(someone, "team");
    await moveAllFrom(someone, 30);
    const before = await seenBy(server, someone);
    expect(before.ids).toEqual([row.id]);
    await enqueueOutbox([{ row, body: null }]);
    await until("the outbox is empty", async () => {
      const text = "SELECT FROM audit_outbox WHERE id = $1";
      return (await query(server, "app", text, [row.id])).length === 0;
    });
    expect(await seenBy(server, someone)).toEqual(before);
    await moveAllFrom(someone, 30);
    expect(await seenBy(server, someone)).toEqual(before);
  });

  dailyTest("waits for another, and begins with its plan", async () => {
    const someone = await newSession(server);
    const held = {
      first: "UPDATE organizations SET plan = 'team' WHERE id = $1",
      values: [someone.organizationId],
      waiting: 1,
    };
    await whileHeld(server, held, () => changePlan(someone, "business"));
    const { data } = await someone.api.get<AuditEvent[]>("/audit-logs?action=organization.set_plan");
    expect(data).toMatchObject([{ details: { plan: { from: "team", to: "business" } } }]);
    const text = "SELECT audit_classes FROM organizations WHERE id = $1";
    const [row] = await query<{ audit_classes: number[] }>(server, "app", text, [someone.organizationId]);
    expect(row?.audit_classes).toContain(180);
  });

  dailyTest("is an operator command, recorded as the organization's event", async () => {
    const someone = await newSession(server);
    const command = ["org", "set-plan", "--org", someone.organizationId, "--plan"];
    const changed = await server.cli<Changed>(...command, "business");
    expect(changed).toMatchObject({ id: someone.organizationId, plan: "business" });
    const { data } = await someone.api.get<AuditEvent[]>("/audit-logs?action=organization.set_plan");
    expect(data).toMatchObject([
      {
        request: null,
        authentication: { organization_id: someone.organizationId, type: "system" },
        security: { flags: ["plan_changed"] },
        resource: { type: "organization", id: someone.organizationId },
        details: { plan: { from: "free", to: "business" } },
      },
    ]);
    await server.cli(...command, "business");
    const again = await someone.api.get<AuditEvent[]>("/audit-logs?action=organization.set_plan&limit=1");
    expect(again.data[0]?.security.flags).toEqual([]);
    const refused = await server.command([...command, "golden"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("--plan");
  });
});
