import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyEvent, idAtTime } from "@/e2e/audit/generate";
import { fits } from "@/e2e/audit/model/model";
import { Stream } from "@/e2e/audit/sse";
import { store, storeHeld, storeMany } from "@/e2e/audit/store";
import { newOrganization } from "@/e2e/support/organization";
import { hangUp } from "@/e2e/support/raw";
import { query } from "@/e2e/support/servers/databases";
import { type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";
import { isLong } from "@/e2e/support/tier";
import { dailyDescribe, dailyTest, longTest } from "@/e2e/support/tier-tests";
import { until } from "@/e2e/support/until";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { LAST_ID, MAX_COMPARED, newEvents } from "@/lib/audit-logs/read/new-events";
import { streamAuditLogs } from "@/lib/audit-logs/read/stream";
import { streamAuditLogs as streamContract } from "@/lib/audit-logs/read/stream-contract";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";
import { auditPool } from "@/lib/db/audit";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";
import { removeMemberByEmail, setMember } from "@/lib/organizations/set-member";
import { HOUR_MS } from "@/lib/time/units";

const SEED = 20_261_124;
const MANY = 40_000;
/** For tests that send many events, on a slow machine. */
const TIMEOUT_MS = 600_000;

let server: Sealwatch;
let someone: SignedIn;

// A separate server: other suites' long transactions would delay its streams.
beforeAll(async () => {
  server = await startSealwatch();
  someone = await newSession(server);
});
afterAll(() => server?.destroy());

const listen = (asked: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  Stream.open(server.url, { cookie: someone.cookie, ...headers }, asked);
const resume = (id: string, asked: Record<string, string> = {}) => listen(asked, { "last-event-id": id });

const event = (known: Partial<AuditRow>) =>
  new AuditEventDraft({ organization_id: someone.organizationId, method: "GET", path: "/streamed", ...known }).row;
const only = { path: "/streamed*" };

dailyDescribe("a stream", () => {
  test("with statistics has them when it opens and after new events", async () => {
    const stream = await listen({ path: "/counted", include: "stats" });
    const requests = () => stream.stats.at(-1)?.totals.requests;
    await stream.until("the first statistics have come", () => requests() === 0);
    const rows = [event({ path: "/counted", status_code: 404 }), event({ path: "/counted", status_code: 200 })];
    await store(rows);
    await stream.until("they have the new events", () => requests() === rows.length);
    expect(stream.stats.at(-1)?.totals).toMatchObject({ errors: 1 });
    expect(stream.ids).toEqual(rows.map(({ id }) => id));
    stream.leave();
  });

  test("sends new matching events, and no others", async () => {
    const filters = { method: "GET,POST", status: "!5xx", security_event: "false" };
    const time = fc.constant(Date.now());
    const generated = fc.sample(anyEvent(someone.organizationId, 30, time), { seed: SEED, numRuns: 160 });
    const rows = generated.map((row) => ({ ...row, id: newId() }));
    await store(rows.slice(0, 40));
    const stream = await listen({ ...filters, q: "a", ip: "10.0.0.0/8,2001:db8::/32" });
    const plain = await listen(filters);
    await store(rows.slice(40, 100));
    await store(rows.slice(100));
    const fresh = rows.slice(40);
    const fitting = fresh.filter((row) => fits(filters, row)).map(({ id }) => id);
    const fewer = fresh.filter((row) => fits({ ...filters, q: "a", ip: "10.0.0.0/8,2001:db8::/32" }, row));
    expect(fewer.length).toBeGreaterThan(0);
    await plain.until("all that fit have come", () => plain.ids.length >= fitting.length);
    await stream.until("all that fit have come", () => stream.ids.length >= fewer.length);
    expect(plain.ids.filter((id) => rows.some((row) => row.id === id))).toEqual(fitting);
    expect(stream.ids).toEqual(fewer.map(({ id }) => id));
    const [first] = plain.events;
    const listed = await someone.api.get<AuditEvent[]>(`/audit-logs?limit=200&${new URLSearchParams(filters)}`);
    // The stream is usually ahead of the sealer.
    expect({ ...listed.data.find(({ id }) => id === first?.id), seal: null }).toEqual({ ...first, seal: null });
    for (const each of [stream, plain]) each.leave();
  });

  test("that breaks before its first event is resumed where it began", async () => {
    const stream = await listen(only);
    expect(stream.ids).toEqual([]);
    stream.leave();
    const missed = event({});
    await store([missed]);
    const again = await resume(stream.lastId ?? "", only);
    await again.until("the event has come", () => again.ids.length > 0);
    expect(again.ids).toEqual([missed.id]);
    again.leave();
  });

  test("is one event of the log, however many events it sends", async () => {
    const stream = await listen(only);
    await store([event({}), event({})]);
    await stream.until("both have come", () => stream.ids.length === 2);
    stream.leave();
    const found = await query<{ id: string }>(
      server,
      "audit",
      "SELECT id FROM audit_events WHERE organization_id = $1 AND action = 'audit_log.stream' AND id >= $2",
      [someone.organizationId, stream.requestId],
    );
    expect(found).toEqual([{ id: stream.requestId }]);
  });

  test.each([["nonsense"], [newId()], ["00000000-0000-0000-0000-000000000000"]])(
    "does not resume behind %s",
    async (id) => {
      expect((await resume(id)).status).toBe(400);
    },
  );

  test("does not resume after another organization's event", async () => {
    const other = await newSession(server);
    const foreign = event({ organization_id: other.organizationId });
    await store([foreign]);
    expect((await resume(foreign.id)).status).toBe(400);
    expect((await listen({}, { cookie: other.cookie, "last-event-id": foreign.id })).status).toBe(200);
  });
});

describe("resuming", () => {
  dailyTest("continues after an event that is older than the one before it", async () => {
    const stream = await listen(only);
    const [newer, older, last] = [
      event({}),
      event({ id: idAtTime(Date.now() - HOUR_MS, Buffer.alloc(16, 3)) }),
      event({}),
    ];
    await store([newer]);
    await stream.until("the newer has come", () => stream.ids.length === 1);
    await store([older]);
    await stream.until("the older has come", () => stream.ids.length === 2);
    expect(stream.ids).toEqual([newer.id, older.id]);
    stream.leave();
    await store([last]);
    const again = await resume(older.id, only);
    await again.until("the last has come", () => again.ids.length >= 1);
    expect(again.ids).toEqual([last.id]);
    again.leave();
  });

  dailyTest("passes events that do not match in steps, and each step can be resumed", async () => {
    const { organizationId } = someone;
    const stream = await listen(only);
    const start = stream.lastId ?? "";
    stream.leave();
    const count = MAX_COMPARED + 500;
    await storeMany(server, organizationId, { count, path: "/passed/", from: Date.now(), everyMs: 0 });
    // At the end of the log the place is one that stays when the events before it expire.
    const quiet = await resume(start, only);
    await quiet.until("it is at the end", () => quiet.places.length > 2, TIMEOUT_MS);
    expect(quiet.places.map((id) => /^\d+$/.test(id))).toEqual([true, false, true]);
    quiet.leave();
    const last = event({});
    await store([last]);
    const resumed = await resume(start, only);
    await resumed.until("the last has come", () => resumed.ids.length > 0, TIMEOUT_MS);
    resumed.leave();
    const { include: _, order: __, ...filters } = streamContract.query.parse(only);
    const cursor = { position: { written: start, id: LAST_ID }, from: Date.now() - HOUR_MS };
    const first = await newEvents(organizationId, filters, cursor);
    expect(first).toMatchObject({ rows: [], hasMore: true });
    const second = await newEvents(organizationId, filters, first.next);
    expect(second.rows.map(({ id }) => id)).toEqual([last.id]);
    // Its first step may have ended before the stored events, where the log ended for it then.
    const [, place = ""] = resumed.places;
    expect(place).toMatch(/-/);
    const again = await resume(place, only);
    await again.until("the last has come again", () => again.ids.length > 0);
    expect([...resumed.ids, ...again.ids]).toEqual([last.id, last.id]);
    again.leave();
  });

  longTest("holds back events that a slower writer may still precede", async () => {
    const stream = await listen(only);
    const [slow, quick] = [event({}), event({})];
    const commit = await storeHeld(server, slow);
    await store([quick]);
    // The list already shows it: a client that resumes after it gets the slow event too, and not this one again.
    const early = await resume(quick.id, only);
    await commit();
    await stream.until("both have come", () => stream.ids.length >= 2);
    expect(stream.ids).toEqual([slow.id, quick.id]);
    const after = event({});
    await store([after]);
    await early.until("a later one has come", () => early.ids.includes(after.id));
    expect(early.ids).not.toContain(quick.id);
    for (const each of [stream, early]) each.leave();
  });

  longTest("has no gaps and no duplicates, whenever it breaks", async () => {
    const written: string[] = [];
    const seen: string[] = [];
    let writing = true;
    const write = async (writer: number) => {
      for (let number = 0; number < 60; number++) {
        const age = number % 7 === 0 ? writer * HOUR_MS : 0;
        const row = event({ id: idAtTime(Date.now() - age, Buffer.from(newId().replaceAll("-", ""), "hex")) });
        written.push(row.id);
        const commit = await storeHeld(server, row);
        if (number % 3 === 0) await store([event({ path: "/other" })]);
        await commit();
      }
    };
    let stream = await listen(only);
    const writers = Promise.all([1, 2, 3].map(write)).finally(() => {
      writing = false;
    });
    while (writing || seen.length < written.length) {
      await stream.until("more has come", () => stream.ids.length > 0 || (!writing && seen.length === written.length));
      seen.push(...stream.ids);
      stream.leave();
      const last = seen.at(-1);
      if (last === undefined) throw new Error("nothing came");
      stream = await resume(last, only);
    }
    await writers;
    stream.leave();
    expect(seen).toHaveLength(new Set(seen).size);
    expect(seen.toSorted()).toEqual(written.toSorted());
  });
});

longTest("streams of one process share queries", async () => {
  const { organizationId } = someone;
  const STREAMS = 15;
  const ROUNDS = 4;
  let asked = 0;
  const count = () => void asked++;
  for (const pool of [auditPool(), auditPool("stream")]) pool.on("acquire", count);
  const readers = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const query = streamContract.query.parse(only);
      const { body } = (await streamAuditLogs(systemPrincipal(organizationId), query)) as Response;
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      // The position where it begins, and that it has read everything.
      for (let text = ""; !text.includes("still here"); ) {
        text += Buffer.from((await reader.read()).value ?? []).toString();
      }
      return reader;
    }),
  );
  const askedToOpen = asked;
  const openedAt = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    const row = event({ path: `/streamed/together/${round}` });
    await store([row]);
    for (const reader of readers) {
      let text = "";
      while (!text.includes(row.id)) text += Buffer.from((await reader.read()).value ?? []).toString();
    }
  }
  const seconds = (performance.now() - openedAt) / 1000;
  for (const pool of [auditPool(), auditPool("stream")]) pool.off("acquire", count);
  await Promise.all(readers.map((reader) => reader.cancel()));
  // A few in each round, and of each poll, of which a slow machine makes more between two rounds.
  expect(asked - askedToOpen).toBeLessThan(8 * ROUNDS + 3 * seconds);
});

describe("a stream ends", () => {
  dailyTest.each([
    ["is revoked", "DELETE", ""],
    ["is rotated", "POST", "/rotate"],
    ["may no longer come from here", "PUT", ""],
  ])("when its key %s", async (_, method, path) => {
    const organization = await newOrganization(server);
    const { id, secret } = await organization.newKey();
    const stream = await Stream.open(server.url, { authorization: `Bearer ${secret}` });
    const body = method === "PUT" ? { name: "Key", ip_whitelist: ["192.0.2.1"] } : undefined;
    expect((await organization.admin.request(method, `/api-keys/${id}${path}`, body)).status).toBe(200);
    await stream.end();
  });

  longTest("when its key expires", async () => {
    const organization = await newOrganization(server);
    let leftMs = 1_000;
    // Longer each time, so that a slow machine can open the stream before the key expires.
    const stream = await until("the stream begins before its key expires", async () => {
      leftMs *= 2;
      const { secret } = await organization.newKey({ expiresAt: new Date(Date.now() + leftMs) });
      const opened = await Stream.open(server.url, { authorization: `Bearer ${secret}` });
      return opened.status === 200 && opened;
    });
    await stream.end();
  });

  dailyTest("when the member of its session is removed", async () => {
    const [host, guest] = await Promise.all([newSession(server), newSession(server)]);
    const [row] = await query<{ email: string }>(server, "app", "SELECT email FROM users WHERE id = $1", [
      guest.userId,
    ]);
    const email = row?.email ?? "";
    const principal = systemPrincipal(host.organizationId);
    await withAuditEvent({ action: "member.set", principal }, () =>
      setMember(principal, { email, permission: "read" }),
    );
    const cookie = `${guest.cookie}; ${ORGANIZATION_COOKIE}=${host.organizationId}`;
    const stream = await Stream.open(server.url, { cookie });
    await withAuditEvent({ action: "member.remove", principal }, () => removeMemberByEmail(principal, { email }));
    await stream.end();
    expect(stream.events.map(({ resource }) => resource.action)).not.toContain("member.remove");
  });
});

describe("a slow reader", () => {
  if (isLong)
    test(
      "gets no events buffered ahead, and misses none",
      async () => {
        const quick = await listen(only);
        const start = quick.lastId ?? "";
        // So long that all events together are more than the kernel buffers for a connection, up to tens of megabytes.
        const path = `/streamed/${"long".repeat(300)}/`;
        const half = MANY / 2;
        const numbers = (stream: Stream) =>
          stream.events.map(({ request }) => Number(request?.path?.slice(path.length)));
        const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
        await storeMany(server, someone.organizationId, { count: MANY, path, from: Date.now(), everyMs: 0 });
        await quick.until("all have come", () => quick.events.length >= MANY, TIMEOUT_MS);
        expect(numbers(quick)).toEqual(upTo(MANY));
        const slow = await resume(start, only);
        await slow.block();
        // Events deleted from the log now cannot be sent, unless they were read for a client that did not take them.
        const removed =
          "DELETE FROM audit_events WHERE organization_id = $1 AND path LIKE '/streamed/%' AND response_time_us > $2";
        await query(server, "audit", removed, [someone.organizationId, half]);
        const last = `${path}${MANY + 1}`;
        await store([event({ path: last })]);
        await slow.until("the last has come", () => slow.events.at(-1)?.request?.path === last, TIMEOUT_MS);
        const kept = slow.events.length - 1;
        expect(numbers(slow)).toEqual([...upTo(kept), MANY + 1]);
        expect(kept).toBeGreaterThanOrEqual(half);
        expect(kept).toBeLessThan(MANY);
        for (const each of [slow, quick]) each.leave();
      },
      TIMEOUT_MS,
    );

  longTest("that disconnected before the response keeps no slot", async () => {
    const { hostname, port } = new URL(server.url);
    const head = `GET /api/v1/audit-logs/stream HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${someone.cookie}\r\n\r\n`;
    const before = newId();
    await Promise.all(Array.from({ length: 240 }, () => hangUp(server, head)));
    await until("all of them are on record", async () => {
      const [row] = await query<{ count: number }>(
        server,
        "audit",
        "SELECT count(*)::integer AS count FROM audit_events WHERE action = 'audit_log.stream' AND id > $1",
        [before],
      );
      return row?.count === 240;
    });
    const stream = await until("there is a place", async () => {
      const opened = await listen(only);
      return opened.status === 200 && opened;
    });
    stream.leave();
  });
});
