import { afterAll, expect, test } from "vitest";
import {
  batchesOf,
  eventsIn,
  get,
  grow,
  linesOf,
  omittedIn,
  PATH,
  streamTo,
  takenBy,
} from "@/e2e/audit/destinations/streaming";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newReceiver } from "@/e2e/support/stand-ins/receiver";
import { newSink, type Sink } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import type { DestinationWithSecret } from "@/lib/destinations/contract";
import { pauseFailing } from "@/lib/destinations/sending/pause-failing";
import { newId } from "@/lib/ids";

const server = sharedServer();
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

interface Streamed {
  owner: Organization;
  sink: Sink;
  made: DestinationWithSecret;
}

async function streamed(more: Record<string, unknown> = {}): Promise<Streamed> {
  const [owner, sink] = [await newOrganization(server), await newSink()];
  closers.push(sink.close);
  return { owner, sink, made: await streamTo(owner, sink, { start: "oldest", ...more }) };
}

const app = (text: string, values: unknown[]) => query(server, "app", text, values);

/** Resolves when the sink has these events. */
async function whenSent({ sink }: Streamed, ids: readonly string[]): Promise<void> {
  await until("all events are taken", async () => {
    const taken = new Set(eventsIn(takenBy(sink)).map(({ id }) => id));
    return ids.every((id) => taken.has(id));
  });
}

/** Ends the wait after a failure. */
const retry = ({ made }: Streamed) => app("UPDATE destinations SET next_at = now() WHERE id = $1", [made.id]);

/** Resolves when an attempt failed with this message. */
async function whenFailed({ owner, made }: Streamed, message: string): Promise<void> {
  await until(`it failed: ${message}`, async () => {
    const [row] = await query<{ last_error: string; failures: number }>(
      server,
      "app",
      "SELECT last_error, failures FROM destinations WHERE organization_id = $1 AND id = $2",
      [owner.id, made.id],
    );
    return row !== undefined && row.failures > 0 && row.last_error.includes(message);
  });
}

/** Every index up to the last one is in a line, and the first time each comes in order. */
function expectWhole(lines: ReturnType<typeof takenBy>): void {
  const indexes = [...new Set(eventsIn(lines).map(({ seal }) => seal.index))];
  expect(indexes).toEqual(indexes.map((_, index) => index));
}

test.each([
  ["refuses", 503 as const, "HTTP status 503"],
  ["cuts the connection", "reset" as const, "the connection was reset"],
  ["redirects", { status: 302, headers: { location: "http://127.0.0.1/" } }, "HTTP status 302"],
  ["answers rubbish", { status: 400, body: "\u0000<html>".repeat(1000) }, "HTTP status 400"],
])("a receiver that %s gets the same batch again, and then what came meanwhile", async (_, act, message) => {
  const given = await streamed();
  const { owner, sink } = given;
  sink.act = act;
  const first = await grow(owner, 3);
  await whenFailed(given, message);
  const tried = batchesOf(sink.arrivals)[0];
  const second = await grow(owner, 3);
  sink.act = 200;
  await retry(given);
  await whenSent(given, [...first, ...second]);
  expect(batchesOf(sink.taken)[0]).toBe(tried);
  expectWhole(takenBy(sink));
});

test("ten thousand quiet destinations hold up no other one", async () => {
  const quiet = await streamed();
  await whenSent(quiet, await grow(quiet.owner, 1));
  const copies = `INSERT INTO destinations SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'name', n::text))).*
    FROM destinations d, generate_series(1, 10100) AS n WHERE d.organization_id = $1`;
  await until("it has what was sealed", async () => {
    const [log] = await query<{ size: string; signed: string }>(
      server,
      "audit",
      "SELECT size::text AS size, signed_size::text AS signed FROM audit_seal_logs WHERE organization_id = $1",
      [quiet.owner.id],
    );
    const text = "SELECT FROM destinations WHERE id = $1 AND scanned_index = $2 AND leased_until IS NULL";
    return log?.size === log?.signed && (await app(text, [quiet.made.id, log?.size])).length > 0;
  });
  await app(copies, [quiet.owner.id]);
  try {
    const busy = await streamed();
    await whenSent(busy, await grow(busy.owner, 3));
  } finally {
    await app("DELETE FROM destinations WHERE organization_id = $1", [quiet.owner.id]);
  }
});

test("a batch that is too large is halved until the receiver takes it", async () => {
  const given = await streamed();
  given.sink.act = ({ body }) => (linesOf(body).length > 4 ? 413 : 200);
  const ids = await grow(given.owner, 20);
  await whenSent(given, ids);
  expect(given.sink.taken.every(({ body }) => linesOf(body).length <= 4)).toBe(true);
  expectWhole(takenBy(given.sink));
});

test("after a crash between sending and moving, the batch is sent again under the same name", async () => {
  const given = await streamed();
  const { owner, sink, made } = given;
  const ids = await grow(owner, 10);
  await whenSent(given, ids);
  const before = takenBy(sink).length;
  // What a killed worker leaves behind: the receiver has the batch, the place in the log is in front of it, and the lease has ended.
  await until("it is set back", async () => {
    const moved = await query(
      server,
      "app",
      `UPDATE destinations SET next_index = next_index - 5, scanned_index = next_index - 5, attempt_end = next_index
       WHERE id = $1 AND leased_until IS NULL AND attempt_end IS NULL RETURNING id`,
      [made.id],
    );
    return moved.length === 1;
  });
  const more = await grow(owner, 2);
  await whenSent(given, more);
  const lines = takenBy(sink);
  expect(lines.length).toBeGreaterThan(before + 2);
  expectWhole(lines);
});

test("what retention deleted is named in the stream, counted, and reported through a channel", async () => {
  const given = await streamed();
  const { owner, sink, made } = given;
  const receiver = await newReceiver();
  closers.push(receiver.close);
  await owner.admin.post("/notification-channels", { type: "webhook", name: newId(), settings: { url: receiver.url } });
  await whenSent(given, await grow(owner, 1));
  sink.act = 503;
  await grow(owner, 70);
  await whenFailed(given, "HTTP status 503");
  const { next } = await get(owner, made);
  await query(
    server,
    "audit",
    `DELETE FROM audit_seals WHERE organization_id = $1
       AND first_index < (SELECT max(first_index) FROM audit_seals WHERE organization_id = $1)`,
    [owner.id],
  );
  sink.act = 200;
  await app("UPDATE destinations SET attempt_end = NULL WHERE id = $1", [made.id]);
  await retry(given);
  const last = await grow(owner, 1);
  await whenSent(given, last);
  const [gap] = omittedIn(takenBy(sink));
  expect(gap).toMatchObject({ epoch: 1, first: next.index, reason: "expired" });
  // The receiver has the batch before the place in the log moves.
  const state = await until("they are counted", async () => {
    const now = await get(owner, made);
    return now.expired_entries > 0 && now;
  });
  expect(state.expired_entries).toBe((gap?.end ?? 0) - (gap?.first ?? 0));
  await until("the channel reports it", async () =>
    receiver.received.some(({ body }) => body.includes("Events expired before they reached")),
  );
});

test("after 24 hours of failures it is paused, with an event and a message, and resumes where it stopped", async () => {
  const given = await streamed();
  const { owner, sink, made } = given;
  const receiver = await newReceiver();
  closers.push(receiver.close);
  await owner.admin.post("/notification-channels", { type: "webhook", name: newId(), settings: { url: receiver.url } });
  sink.act = 503;
  const ids = await grow(owner, 2);
  await whenFailed(given, "HTTP status 503");
  await app("UPDATE destinations SET failing_since = now() - interval '25 hours' WHERE id = $1", [made.id]);
  await until("it is paused", async () => {
    await retry(given);
    return (
      (await query(server, "app", "SELECT FROM destinations WHERE id = $1 AND paused_at IS NOT NULL", [made.id]))
        .length === 1
    );
  });
  const paused = await get(owner, made);
  expect(paused).toMatchObject({ state: "paused", next: { index: 0 } });
  expect(paused.paused_reason).toMatch(/^Nothing could be sent for 24 hours: HTTP status 503/);
  const report = await until("the channel reports it", async () => {
    return receiver.received.find(({ body }) => body.includes("was paused"));
  });
  expect(report.body).toContain(`/destinations/${made.id}"`);
  sink.act = 200;
  await owner.admin.post(`${PATH}/${made.id}/resume`);
  await whenSent(given, ids);
  expectWhole(takenBy(sink));
});

test("a time in which nothing was tried, as before a restore, does not count towards the 24 hours", async () => {
  const given = await streamed();
  given.sink.act = 503;
  await grow(given.owner, 1);
  await whenFailed(given, "HTTP status 503");
  const { id } = given.made;
  await app(
    `UPDATE destinations SET failing_since = now() - interval '3 days', last_failed_at = now() - interval '60 hours',
       next_at = now() + interval '1 hour' WHERE id = $1`,
    [id],
  );
  await pauseFailing();
  const untried =
    "SELECT FROM destinations WHERE id = $1 AND paused_at IS NULL AND failing_since < now() - interval '2 days'";
  expect(await app(untried, [id])).toHaveLength(1);
  await retry(given);
  const tried =
    "SELECT FROM destinations WHERE id = $1 AND paused_at IS NULL AND failing_since > now() - interval '1 hour'";
  await until("it fails again, from now on", async () => (await app(tried, [id])).length === 1);
});

test("a receiver that never answers does not delay another organization", async () => {
  const hostile = await streamed();
  hostile.sink.act = "hang";
  await grow(hostile.owner, 1);
  await until("the hostile receiver has a request", async () => hostile.sink.arrivals.length > 0);
  const honest = await streamed();
  const ids = await grow(honest.owner, 5);
  await until("the honest one has all", async () => {
    const taken = new Set(eventsIn(takenBy(honest.sink)).map(({ id }) => id));
    return ids.every((id) => taken.has(id));
  });
  expect(
    eventsIn(takenBy(honest.sink)).every(({ authentication }) => {
      return authentication?.organization_id === honest.owner.id;
    }),
  ).toBe(true);
  expect(hostile.sink.taken).toEqual([]);
});

test("a receiver that answers after a long time gets each batch once, and delays no other destination", async () => {
  const slow = await streamed();
  const { owner, sink, made } = slow;
  const [beside, other] = [{ owner, sink: await newSink() }, await streamed()];
  closers.push(beside.sink.close);
  const paused = { ...beside, made: await streamTo(owner, beside.sink, { start: "oldest" }) };
  for (const { owner, made } of [paused, other]) await owner.admin.post(`${PATH}/${made.id}/pause`);
  const ids = [await grow(owner, 3), await grow(other.owner, 3)] as const;
  await whenSent(slow, ids[0]);
  let answer = () => {};
  sink.act = { after: new Promise<void>((resolve) => (answer = resolve)) };
  const before = sink.arrivals.length;
  const more = await grow(owner, 3);
  await until("the slow receiver has a batch", async () => sink.arrivals.length > before);
  const { next } = await get(owner, made);
  await app("UPDATE destinations SET paused_at = NULL WHERE id = ANY($1)", [[paused.made.id, other.made.id]]);
  await whenSent(paused, [...ids[0], ...more]);
  await whenSent(other, ids[1]);
  expect(sink.arrivals.length).toBe(before + 1);
  expect((await get(owner, made)).next).toEqual(next);
  answer();
  await whenSent(slow, more);
  const names = batchesOf(sink.arrivals);
  expect(names).toEqual([...new Set(names)]);
  expectWhole(takenBy(sink));
  expect(await get(owner, made)).toMatchObject({ state: "working", last_error: null });
});

test("a change of plan in between loses nothing", async () => {
  const given = await streamed();
  const { owner, sink } = given;
  sink.act = 503;
  const first = await grow(owner, 3);
  await whenFailed(given, "HTTP status 503");
  await app("UPDATE organizations SET plan = 'team', audit_classes = ARRAY[30, 180] WHERE id = $1", [owner.id]);
  const second = await grow(owner, 3);
  sink.act = 200;
  await retry(given);
  await whenSent(given, [...first, ...second]);
  expectWhole(takenBy(sink));
});
