import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aged } from "@/e2e/audit/aging";
import { signNow, whenSigned } from "@/e2e/audit/sealed/sealing";
import { storeMany } from "@/e2e/audit/store";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { checkDay } from "@/lib/audit-logs/check/check-day";
import { checkLog, START } from "@/lib/audit-logs/check/check-log";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import { createDayPartitions } from "@/lib/audit-logs/partitions/partitions";
import { enforceRetention } from "@/lib/audit-logs/retain/retention";
import { commitStored } from "@/lib/audit-logs/seal/commit-events";
import { expireSeals } from "@/lib/audit-logs/seal/expire-seals";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { append } from "@/lib/audit-logs/write/append";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { setPlan } from "@/lib/billing/set-plan";
import { auditPool } from "@/lib/db/audit";
import { systemPrincipal } from "@/lib/http/principal";
import { newId, newIdAt } from "@/lib/ids";
import type { Plan } from "@/lib/plans";
import { formatCheckpoint, parseCheckpoint } from "@/lib/sealed-log/checkpoint";
import { privateKeyOf } from "@/lib/sealed-log/ed25519";
import { eventLeafHash, NONCE_BYTES } from "@/lib/sealed-log/leaf";
import { formatNote, parseNote, signNote } from "@/lib/sealed-log/note";
import { CompactRange } from "@/lib/sealed-log/tree";
import { verifierKeyOf } from "@/lib/sealed-log/vkey";
import { DAY_MS } from "@/lib/time/units";
import { auditSealKey } from "@/server/data-dir";

const EVENTS = 6;
const never = new AbortController().signal;

let server: Sealwatch;

// A separate server: the whole installation appears to be older than it is, and a partition is dropped.
beforeAll(async () => {
  server = await startSealwatch();
});
afterAll(() => server?.destroy());

const audit = <Row extends object>(text: string, values: unknown[] = []) => query<Row>(server, "audit", text, values);

/** An event with a value in every column. */
function fullEvent(organizationId: string): AuditEventDraft["row"] {
  return new AuditEventDraft({
    ...{
      organization_id: organizationId,
      method: "POST",
      path: "/api/v1/things",
      route: "/api/v1/things",
      query: "a=1",
    },
    ...{ body_size: 4, content_type: "text/plain", auth_type: "api_key", status_code: 403, response_time_us: 1_500 },
    ...{ api_key_id: newId(), api_key_name: "Key", api_key_hint: "sw_Ab…x9Zk" },
    ...{ user_id: newId(), user_name: "Zoë", user_email: "zoe@example.com" },
    ...{ error_code: "IP_NOT_ALLOWED", error_message: "not allowed", ip_address: "192.0.2.7", user_agent: "curl" },
    ...{ country: "DE", rate_limit_remaining: 7, flags: ["ip_not_allowed" as const], resource_type: "thing" },
    ...{ resource_id: "7", action: "api_key.get" as const, details: { number: 1 } },
  }).row;
}

interface Log {
  id: string;
  /** Events of the test, in the order of their indexes. */
  ids: string[];
  /** The index of an event of the test. */
  at: (position: number) => number;
}

async function addEvents(id: string, rows = Array.from({ length: EVENTS }, () => fullEvent(id))): Promise<string[]> {
  await append(
    auditPool(),
    rows.map((row) => ({ row, body: Buffer.from("body") })),
  );
  const ids = rows.map((row) => row.id);
  await signNow(server);
  await whenSigned(id, ids);
  return ids;
}

/** A new organization's log with some signed events. */
async function newLog(rows?: (id: string) => AuditEventDraft["row"][]): Promise<Log> {
  const { id } = await newOrganization(server);
  const ids = await addEvents(id, rows?.(id));
  const seals = await findSeals(ids.map((event) => ({ organization_id: id, id: event })));
  ids.sort((one, other) => (seals.get(one)?.index ?? 0) - (seals.get(other)?.index ?? 0));
  return { id, ids, at: (position) => seals.get(ids[position] ?? "")?.index ?? -1 };
}

/** Checks a log, and what the API says about it. */
async function check({ id }: Pick<Log, "id">): Promise<{ index: number | null; message: string } | null> {
  const { wrong } = await checkLogNow(id);
  const { self_check } = await getSealedLog(systemPrincipal(id));
  expect(self_check).toMatchObject({
    result: wrong === null ? "ok" : "failed",
    first_wrong_index: wrong?.index ?? null,
    message: wrong?.message ?? null,
  });
  return wrong;
}

const wrong = (index: number | null, message: string) => ({ index, message: expect.stringContaining(message) });

describe("a change of the database", () => {
  test("of any column that an event shows is found, and nothing else is reported", async () => {
    const log = await newLog();
    expect(await check(log)).toBeNull();
    await audit("CREATE TABLE before AS SELECT * FROM audit_events WHERE organization_id = $1", [log.id]);
    const columns = await audit<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = 'audit_events'::regclass AND attnum > 0 AND NOT attisdropped`,
    );
    // Where and how an event is found, which later releases may change.
    const free = ["organization_id", "id", "retention_days", "tokens", "written", "is_security_event"];
    const values: Record<string, string> = {
      text: "C || 'x'",
      smallint: "C + 1",
      integer: "C + 1",
      bigint: "C + 1",
      uuid: "gen_random_uuid()",
      inet: "C + 1",
      "text[]": "C || 'new_country'::text",
      jsonb: `C || '{"x": null}'`,
      "timestamp with time zone": "C + interval '1 millisecond'",
    };
    const changed: string[] = [];
    for (const [at, { name, type }] of columns.filter(({ name }) => !free.includes(name)).entries()) {
      const event = [log.id, log.ids[at % EVENTS]];
      const value = name === "auth_type" ? "'session'" : values[type]?.replace("C", name);
      await audit(`UPDATE audit_events SET ${name} = ${value} WHERE organization_id = $1 AND id = $2`, event);
      expect([name, await check(log)]).toEqual([name, wrong(log.at(at % EVENTS), "was changed after it was sealed")]);
      await audit(
        `UPDATE audit_events e SET ${name} = before.${name} FROM before WHERE e.organization_id = $1 AND e.id = $2 AND before.id = e.id`,
        event,
      );
      changed.push(name);
    }
    expect(changed).toContain("occurred_at");
    expect(changed.length).toBeGreaterThan(25);
    await audit("DROP TABLE before");
    expect(await check(log)).toBeNull();
  });

  test("of a body, of one event or of several is found with the first index", async () => {
    const log = await newLog();
    const { id, ids, at } = log;
    const body = (text: string, position: number) =>
      audit("UPDATE audit_bodies SET body = $3 WHERE organization_id = $1 AND id = $2", [id, ids[position], text]);
    await body("bodY", 4);
    expect(await check(log)).toEqual(wrong(at(4), "was changed"));
    await body("bodY", 1);
    expect(await check(log)).toEqual(wrong(at(1), "was changed"));
    await body("body", 1);
    await body("body", 4);
    expect(await check(log)).toBeNull();
    await audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = ANY($2::uuid[])", [id, ids.slice(2, 5)]);
    expect(await check(log)).toEqual(wrong(at(2), "was deleted before its retention ended"));
    await audit("DELETE FROM audit_events WHERE organization_id = $1", [id]);
    expect(await check(log)).toEqual(wrong(0, "was deleted before its retention ended"));
  });

  test("of the order, the time or the organization of events is found", async () => {
    const [swapped, moved, one, other] = await Promise.all([newLog(), newLog(), newLog(), newLog()]);
    await audit(
      `UPDATE audit_events SET (path, status_code, query) = ('/swapped', 500, CASE id WHEN $2 THEN '1' ELSE '3' END)
       WHERE organization_id = $1 AND id IN ($2, $3)`,
      [swapped.id, swapped.ids[1], swapped.ids[3]],
    );
    expect(await check(swapped)).toEqual(wrong(swapped.at(1), "was changed"));

    const earlier = newIdAt(Date.now() - 3_600_000);
    for (const table of ["audit_events", "audit_bodies"])
      await audit(`UPDATE ${table} SET id = $3 WHERE organization_id = $1 AND id = $2`, [
        moved.id,
        moved.ids[2],
        earlier,
      ]);
    expect(await check(moved)).toEqual(wrong(moved.at(2), "was deleted"));

    const exchange = "UPDATE audit_events SET organization_id = $2 WHERE organization_id = $1 AND id = $3";
    await audit(exchange, [one.id, other.id, one.ids[3]]);
    await audit(exchange, [other.id, one.id, other.ids[1]]);
    expect(await check(one)).toEqual(wrong(one.at(3), "was deleted"));
    expect(await check(other)).toEqual(wrong(other.at(1), "was deleted"));
  });

  test("that adds events or copies is found, and what is added is sealed", async () => {
    const [inserted, doubled] = await Promise.all([newLog(), newLog()]);
    const from = Date.now() - 3_600_000;
    const [installation] = await audit<{ started_at: Date }>("SELECT started_at FROM audit_seal_installation");
    await storeMany(server, inserted.id, { count: 2, path: "/added/", from, everyMs: 1_000 });
    // As by processes of a release without a sealed log, beside this one on the day of the upgrade.
    expect(await check(inserted)).toBeNull();
    await audit("UPDATE audit_seal_installation SET started_at = started_at - interval '10 days'");
    await storeMany(server, inserted.id, { count: 3, path: "/later/", from: from + 1_800_000, everyMs: 1_000 });
    expect(await check(inserted)).toEqual(wrong(null, "3 stored events were added without being sealed"));
    await audit("UPDATE audit_seal_installation SET started_at = $1", [installation?.started_at]);
    await until("they are sealed", async () => (await audit("SELECT FROM audit_seal_queue")).length === 0);
    expect(await check(inserted)).toBeNull();

    await createDayPartitions(365, new Date().toISOString().slice(0, 10));
    const names = await audit<{ names: string }>(
      `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names FROM pg_attribute
       WHERE attrelid = 'audit_events'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'retention_days'`,
    );
    await audit(
      `INSERT INTO audit_events (retention_days, ${names[0]?.names})
       SELECT 365, ${names[0]?.names} FROM audit_events WHERE organization_id = $1 AND id = $2`,
      [doubled.id, doubled.ids[2]],
    );
    expect(await check(doubled)).toEqual(wrong(doubled.at(2), "is stored twice"));
  });

  test("of an event together with its commitment, of a seal, of stored hashes or of a checkpoint is found", async () => {
    const [forged, nonces, torn, large] = await Promise.all([
      newLog(),
      newLog(),
      newLog(),
      newLog((id) => Array.from({ length: 300 }, () => fullEvent(id))),
    ]);
    await rewrite(forged, 3);
    expect(await check(forged)).toEqual(wrong(0, "are not those for which the checkpoint"));

    await audit(
      "UPDATE audit_seals SET nonces = set_byte(nonces, 0, get_byte(nonces, 0) # 1) WHERE organization_id = $1",
      [nonces.id],
    );
    expect(await check(nonces)).toEqual(wrong(0, "was changed"));
    await audit("UPDATE audit_seals SET commitments = substr(commitments, 2) WHERE organization_id = $1", [torn.id]);
    expect(await check(torn)).toEqual(wrong(0, "are damaged"));
    await audit("DELETE FROM audit_seals WHERE organization_id = $1", [torn.id]);
    expect(await check(torn)).toEqual(wrong(0, "were deleted before they expired"));

    expect(await check(large)).toBeNull();
    const node =
      "UPDATE audit_seal_nodes SET hash = set_byte(hash, 0, get_byte(hash, 0) # 1) WHERE organization_id = $1";
    await audit(node, [large.id]);
    expect(await check(large)).toEqual(wrong(0, "The stored hash over the entries 0 to 255"));
    await audit(node, [large.id]);
    await audit(
      "UPDATE audit_seal_checkpoints SET checkpoint = replace(checkpoint, 'log/', 'log//') WHERE organization_id = $1",
      [large.id],
    );
    expect(await check(large)).toEqual(wrong(null, "not one that the log's key signed"));
  });

  test("that cuts off the tail, also with a checkpoint that the key signed for another history, is found", async () => {
    const log = await newLog();
    const tables = ["audit_seals", "audit_seal_logs", "audit_seal_checkpoints"];
    for (const name of tables)
      await audit(`CREATE TABLE kept_${name} AS SELECT * FROM ${name} WHERE organization_id = $1`, [log.id]);
    const { size } = await getSealedLog(systemPrincipal(log.id));
    const cut = await addEvents(log.id);
    expect(await check(log)).toBeNull();
    await audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = ANY($2::uuid[])", [log.id, cut]);
    for (const name of tables) {
      await audit(`DELETE FROM ${name} WHERE organization_id = $1`, [log.id]);
      await audit(`INSERT INTO ${name} SELECT * FROM kept_${name}`);
    }
    expect(await check(log)).toEqual(wrong(size, "are missing"));

    const other = await newLog();
    const entries = await rewrite(other, 2);
    const tree = CompactRange.empty();
    for (const { id, commitment } of entries) tree.append(eventLeafHash(id, commitment));
    const [row] = await audit<{ checkpoint: string }>(
      "SELECT checkpoint FROM audit_seal_checkpoints WHERE organization_id = $1",
      [other.id],
    );
    const { origin } = parseCheckpoint(parseNote(row?.checkpoint ?? "").text);
    const text = formatCheckpoint({ origin, size: entries.length, root: tree.root() });
    const key = privateKeyOf(Buffer.from(auditSealKey(server.dataDir), "base64"));
    const note = formatNote({ text, signatures: [signNote(text, key, verifierKeyOf(origin, key))] });
    await audit("UPDATE audit_seal_checkpoints SET checkpoint = $2 WHERE organization_id = $1", [other.id, note]);
    expect(await check(other)).toEqual(wrong(null, "Two histories"));
  });
});

interface Sealed {
  id: string;
  nonce: Buffer;
  commitment: Uint8Array;
}

/** Changes an event and its commitment, as if it had been sealed so. Returns all entries. */
async function rewrite({ id, ids }: Log, position: number): Promise<Sealed[]> {
  await audit("UPDATE audit_events SET path = '/rewritten' WHERE organization_id = $1 AND id = $2", [
    id,
    ids[position],
  ]);
  const rows = await audit<{ first_index: string; ids: string[]; nonces: Buffer }>(
    "SELECT first_index, ids, nonces FROM audit_seals WHERE organization_id = $1 ORDER BY first_index",
    [id],
  );
  const entries: Sealed[] = [];
  for (const row of rows) {
    const drafts = row.ids.map((event, at) => ({
      ...{ organization_id: id, id: event, nonce: row.nonces.subarray(at * NONCE_BYTES, (at + 1) * NONCE_BYTES) },
    }));
    const stored = await commitStored(auditPool(), drafts);
    const commitments = stored.map(([event]) => event?.commitment ?? Buffer.alloc(0));
    await audit("UPDATE audit_seals SET commitments = $3 WHERE organization_id = $1 AND first_index = $2", [
      ...[id, row.first_index, Buffer.concat(commitments)],
    ]);
    entries.push(...drafts.map((draft, at) => ({ ...draft, commitment: commitments[at] ?? Buffer.alloc(0) })));
  }
  return entries;
}

test("a check that is interrupted after each page goes on, and finds the same", async () => {
  const log = await newLog((id) => Array.from({ length: 1_200 }, () => fullEvent(id)));
  const inTurns = async () => {
    let [progress, turns] = [START, 0];
    for (; !progress.isDone; turns++) {
      let pages = 0;
      progress = await checkLog(log.id, JSON.parse(JSON.stringify(progress)), () => pages++ > 0);
    }
    return { wrong: progress.wrong, size: progress.size, isInterrupted: turns > 1 };
  };
  const { size } = await getSealedLog(systemPrincipal(log.id));
  expect(await inTurns()).toEqual({ wrong: null, size, isInterrupted: true });
  await audit("UPDATE audit_events SET path = '/changed' WHERE organization_id = $1 AND id = $2", [
    log.id,
    log.ids[1_150],
  ]);
  expect(await inTurns()).toMatchObject({ wrong: wrong(log.at(1_150), "was changed"), isInterrupted: true });
});

test("a check of one day finds what is wrong with the entries sealed on it, and nothing else", async () => {
  const log = await newLog();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const yesterday = today - DAY_MS;
  const { size } = await getSealedLog(systemPrincipal(log.id));
  await audit("UPDATE audit_seals SET sealed_at = sealed_at - interval '1 day' WHERE organization_id = $1", [log.id]);
  const later = await addEvents(log.id, [fullEvent(log.id)]);
  const on = (start: number) => checkDay(log.id, start);
  const right = (entries: number) => ({ entries, isExpired: false, wrong: null });
  expect(await on(yesterday)).toEqual(right(size));
  expect(await on(today)).toEqual(right(1));
  expect(await on(yesterday - DAY_MS)).toEqual(right(0));

  const path = "UPDATE audit_events SET path = $3 WHERE organization_id = $1 AND id = $2";
  await audit(path, [log.id, later[0], "/changed"]);
  expect(await on(yesterday)).toEqual(right(size));
  expect(await on(today)).toMatchObject({ wrong: wrong(size, "was changed") });
  await audit(path, [log.id, later[0], "/api/v1/things"]);
  await audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = $2", [log.id, log.ids[2]]);
  expect(await on(yesterday)).toMatchObject({ wrong: wrong(log.at(2), "was deleted") });
  expect(await on(today)).toEqual(right(1));

  const seals = "SELECT first_index FROM audit_seals WHERE organization_id = $1 AND sealed_at >= $2";
  const gone = await audit(seals, [log.id, new Date(today).toISOString()]);
  expect(gone).toHaveLength(1);
  await audit("DELETE FROM audit_seals WHERE organization_id = $1 AND first_index = $2", [log.id, size]);
  expect(await on(today)).toMatchObject({ wrong: wrong(size, "are missing") });

  const other = await newLog();
  await rewrite(other, 3);
  expect(await on(today)).toMatchObject({ wrong: wrong(size, "are missing") });
  expect(await checkDay(other.id, today)).toMatchObject({ wrong: wrong(0, "are not those for which the checkpoint") });
});

describe("retention", () => {
  const changePlan = (id: string, plan: Plan) => {
    const principal = systemPrincipal(id);
    return withAuditEvent({ action: "organization.set_plan", principal }, () => setPlan(principal, { plan }));
  };
  const classesOf = async (id: string) =>
    (
      await audit<{ days: number }>(
        "SELECT DISTINCT retention_days AS days FROM audit_events WHERE organization_id = $1",
        [id],
      )
    ).map(({ days }) => days);

  test("deletes events and seals, and changes of plans, classes and columns move them, without anything wrong", async () => {
    const log = await newLog((id) => [aged(id, 30, 40 * DAY_MS), aged(id, 30, 10 * DAY_MS), fullEvent(id)]);
    await audit("ALTER TABLE audit_events ADD COLUMN filled text DEFAULT 'x'");
    await audit("UPDATE audit_events SET filled = 'y', is_security_event = true WHERE organization_id = $1", [log.id]);
    await until("the expired event is deleted", async () => {
      await enforceRetention(never);
      return (
        (await audit("SELECT FROM audit_events WHERE organization_id = $1 AND id = $2", [log.id, log.ids[0]]))
          .length === 0
      );
    });
    expect(await check(log)).toBeNull();
    for (const [plan, days] of [
      ["business", 365],
      ["free", 30],
      ["team", 180],
    ] as const) {
      await changePlan(log.id, plan);
      await until(`the events are in the class of ${plan}`, async () => {
        await enforceRetention(never);
        return (await classesOf(log.id)).join() === String(days);
      });
      expect([plan, await check(log)]).toEqual([plan, null]);
    }
    await audit("ALTER TABLE audit_events DROP COLUMN filled");
  });

  test("may delete seals of expired days alone", async () => {
    const [due, early] = await Promise.all([newLog(), newLog()]);
    const expire = async ({ id }: Log, days: number) => {
      await audit(
        "UPDATE audit_seal_checkpoints SET signed_at = signed_at - make_interval(days => $2) WHERE organization_id = $1",
        [id, days],
      );
      await audit("UPDATE audit_seals SET filed_at = filed_at - make_interval(days => $2) WHERE organization_id = $1", [
        id,
        days,
      ]);
      await addEvents(id);
    };
    await expire(due, 40);
    await expireSeals(never);
    const { oldest_index } = await getSealedLog(systemPrincipal(due.id));
    expect(oldest_index).toBeGreaterThan(0);
    await audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = ANY($2::uuid[])", [due.id, due.ids]);
    expect(await check(due)).toBeNull();
    const day = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    expect(await checkDay(due.id, day - 40 * DAY_MS)).toEqual({ entries: 0, isExpired: true, wrong: null });
    expect(await checkDay(due.id, day)).toMatchObject({ isExpired: false, wrong: null });

    await expire(early, 29);
    await audit("DELETE FROM audit_seals WHERE organization_id = $1 AND first_index = 0", [early.id]);
    await audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = ANY($2::uuid[])", [early.id, early.ids]);
    expect(await check(early)).toEqual(wrong(0, "were deleted before they expired"));
  });

  test("is not shortened by an invented change of the plan", async () => {
    const invented = (id: string, more: Partial<AuditEventDraft["row"]> = {}) =>
      new AuditEventDraft({
        ...{ organization_id: id, action: "organization.set_plan", auth_type: "system", flags: ["plan_changed"] },
        details: { plan: { from: "free", to: "business" }, retention_days: { from: 1, to: 365 } },
        ...more,
      }).row;
    const remove = ({ id, ids }: Log) =>
      audit("DELETE FROM audit_events WHERE organization_id = $1 AND id = $2", [id, ids[1]]);
    const forms: Partial<AuditEventDraft["row"]>[] = [
      { action: "api_key.list" },
      { details: { plan: {}, retention_days: { from: 1, to: 365 } } },
      { details: { plan: { from: "free", to: "business" }, retention_days: { from: 0, to: 365 } } },
    ];
    for (const form of forms) {
      const log = await newLog();
      await addEvents(log.id, [invented(log.id, form)]);
      await remove(log);
      expect([form, await check(log)]).toEqual([form, wrong(log.at(1), "was deleted before its retention ended")]);
    }
    const changed = await newLog();
    await changePlan(changed.id, "business");
    await addEvents(changed.id, [invented(changed.id)]);
    await remove(changed);
    expect(await check(changed)).toEqual(wrong(changed.at(1), "was deleted before its retention ended"));

    // An earlier change that is older than what the plan keeps limits the invented one too.
    const details = { plan: { from: "business", to: "team" }, retention_days: { from: 365, to: 180 } };
    const before = { id: newIdAt(Date.now() - 40 * DAY_MS), retention_days: 365, details };
    const limited = await newLog((id) => [invented(id, before), fullEvent(id)]);
    await addEvents(limited.id, [invented(limited.id)]);
    await remove(limited);
    expect(await check(limited)).toEqual(wrong(limited.at(1), "was deleted before its retention ended"));
  });

  test("does not excuse a day that is missing", async () => {
    const log = await newLog((id) => [aged(id, 30, 5 * DAY_MS), fullEvent(id)]);
    const [found] = await audit<{ partition: string }>(
      "SELECT tableoid::regclass::text AS partition FROM audit_events WHERE organization_id = $1 AND id = $2",
      [log.id, log.ids[0]],
    );
    await audit(`DROP TABLE ${found?.partition}`);
    expect(await check(log)).toEqual(wrong(log.at(0), "was deleted before its retention ended"));
  });
});
