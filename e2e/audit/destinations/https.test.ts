import { createHmac } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test, vi } from "vitest";
import {
  eventsIn,
  get,
  grow,
  linesOf,
  omittedIn,
  PATH,
  stored,
  streamTo,
  takenBy,
  whenTaken,
} from "@/e2e/audit/destinations/streaming";
import { signNow } from "@/e2e/audit/sealed/sealing";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query, whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSink, type Sink } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { DestinationActivity, DestinationTest } from "@/lib/destinations/contract";
import type { Leased } from "@/lib/destinations/sending/lease";
import { beginAttempt, moveCursor } from "@/lib/destinations/sending/move-cursor";

const server = sharedServer();
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

async function aSink(): Promise<Sink> {
  const sink = await newSink();
  closers.push(sink.close);
  return sink;
}

test("every sealed event reaches the receiver in order, signed over the gzipped bytes, with its indexes as the name of the batch", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const made = await streamTo(owner, sink, { start: "oldest", secrets: { authorization: "Bearer of-the-sink" } });
  const ids = await grow(owner, 30);
  const sealed = await owner.admin.get<{ origin: string }>("/audit-logs/seal");
  await until("all are taken", async () => {
    const taken = eventsIn(takenBy(sink)).map(({ id }) => id);
    return ids.every((id) => taken.includes(id));
  });
  const events = eventsIn(takenBy(sink));
  expect(events.map(({ seal }) => seal.index)).toEqual(events.map((_, index) => index));
  for (const { headers, body } of sink.taken) {
    const indexes = eventsIn(linesOf(body)).map(({ seal }) => seal.index);
    const name = `${sealed.data.origin}:${indexes[0]}-${indexes.at(-1)}`;
    expect(headers).toMatchObject({
      ...{ "content-type": "application/x-ndjson", "content-encoding": "gzip", authorization: "Bearer of-the-sink" },
      ...{ "idempotency-key": name, "webhook-id": name },
    });
    const key = Buffer.from((made.signing_secret ?? "").replace("whsec_", ""), "base64");
    const signed = createHmac("sha256", key).update(`${name}.${headers["webhook-timestamp"]}.`).update(body);
    expect(headers["webhook-signature"]).toBe(`v1,${signed.digest("base64")}`);
  }
  const listed = await owner.admin.get<AuditEvent>(`/audit-logs/${ids[3]}`);
  const { context: _, ...event } = { context: null, ...listed.data };
  const sent = events.find(({ id }) => id === ids[3]);
  const { request, ...rest } = event;
  expect(sent).toMatchObject({ ...rest, request: { method: "GET", path: "/streamed", body_size: request?.body_size } });
  await until("the state follows", async () => (await stored(owner, made.id)).next > 30);
  const state = await owner.admin.get<Record<string, unknown>>(`${PATH}/${made.id}`);
  expect(state.data).toMatchObject({
    state: "working",
    target: sink.url,
    secrets: ["authorization"],
    last_error: null,
  });
  expect(state.text).not.toContain("of-the-sink");
});

test("goes on while the organization waits for its deletion", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const asked = await owner.admin.delete(`/organizations/${owner.id}`);
  expect(asked.status).toBe(200);
  await streamTo(owner, sink, { start: "oldest" });
  await signNow(server);
  await until("the request for the deletion is taken", async () =>
    eventsIn(takenBy(sink)).some(({ id }) => id === asked.requestId),
  );
});

test("a filter leaves events out and says which indexes those are", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  await streamTo(owner, sink, { start: "oldest", query: { path: "/wanted" } });
  await grow(owner, 5, "/unwanted");
  const [wanted = ""] = await grow(owner, 1, "/wanted");
  await until("the wanted one is taken", async () => eventsIn(takenBy(sink)).some(({ id }) => id === wanted));
  const lines = takenBy(sink);
  expect(eventsIn(lines).map(({ request }) => request?.path)).toEqual(["/wanted"]);
  const index = eventsIn(lines)[0]?.seal.index ?? 0;
  expect(omittedIn(lines)).toMatchObject([{ epoch: 1, first: 0, end: index, reason: "filter" }]);
  expect(omittedIn(lines)[0]?.hashes?.length).toBeGreaterThan(0);
});

test("a test shows the exact request and response, without secrets, and does not move the destination", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  await grow(owner, 1);
  sink.act = { status: 422, body: "no such index" };
  const body = {
    type: "https",
    name: "Sink",
    settings: { url: `${sink.url}/in?token=1` },
    secrets: { authorization: "Basic c2VjcmV0" },
  };
  const tried = await owner.admin.post<{ exchanges: unknown[] }>(`${PATH}/test`, body);
  expect(tried.status, tried.text).toBe(200);
  expect(tried.data).toMatchObject({ ok: false, error: "HTTP status 422" });
  expect(tried.data.exchanges).toMatchObject([
    {
      request: { head: expect.stringMatching(/^POST \/in\?token=1 HTTP\/1.1\nhost: /) },
      answer: { body: "no such index" },
    },
  ]);
  expect(tried.text).not.toContain("c2VjcmV0");
  expect(gunzipSync(sink.arrivals[0]?.body ?? Buffer.alloc(0)).toString()).toContain('"seal"');
  sink.act = 200;
  const made = await streamTo(owner, sink);
  const before = await stored(owner, made.id);
  const tested = await owner.admin.post(`${PATH}/${made.id}/test`);
  expect(tested.data).toMatchObject({ ok: true, error: null });
  expect((await stored(owner, made.id)).next).toBeGreaterThanOrEqual(before.next);
});

test("changes are tested before they are saved, and kept secrets never go to another origin", async () => {
  const [owner, sink, other] = [await newOrganization(server), await aSink(), await aSink()];
  await grow(owner, 1);
  const made = await streamTo(owner, sink, { secrets: { authorization: "Bearer kept" } });
  await owner.admin.post(`${PATH}/${made.id}/pause`);
  const tryWith = (body: object) => owner.admin.post<DestinationTest>(`${PATH}/${made.id}/test`, body);
  const to = (path: string) => other.arrivals.concat(sink.arrivals).filter((arrival) => arrival.path === path);

  const changed = await tryWith({ settings: { url: `${sink.url}/new` }, format: "ecs" });
  expect(changed.data, changed.text).toMatchObject({ ok: true });
  const { head, body } = changed.data.exchanges[0]?.request ?? { head: "", body: "" };
  expect(head).toContain("authorization: [secret]");
  expect(head).toContain(`content-length: ${to("/new")[0]?.body.length}`);
  expect(body).toContain('"@timestamp"');
  expect(to("/new")[0]?.headers.authorization).toBe("Bearer kept");

  const moved = await tryWith({ settings: { url: `${other.url}/moved` } });
  expect(moved.status).toBe(400);
  expect(moved.error.issues).toMatchObject([{ path: "secrets.authorization" }]);
  const given = await tryWith({ settings: { url: `${other.url}/moved` }, secrets: { authorization: "Bearer new" } });
  expect(given.data).toMatchObject({ ok: true });
  expect(to("/moved").map(({ headers }) => headers.authorization)).toEqual(["Bearer new"]);
  expect((await tryWith({ format: "cef" })).status).toBe(400);
  expect((await owner.read.post(`${PATH}/${made.id}/test`, {})).status).toBe(403);
  expect((await get(owner, made)).settings).toEqual({ url: sink.url });
});

test("what was sent in an hour and the last failures with their answers are kept", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  sink.act = { status: 503, headers: { "retry-after": "120" }, body: "full" };
  const made = await streamTo(owner, sink, { start: "oldest" });
  await grow(owner, 3);
  const activity = async () => (await owner.read.get<DestinationActivity>(`${PATH}/${made.id}/activity`)).data;
  // Asked of the database, because keys have limits.
  const failed = (status: number, attempts: number) =>
    until(`${attempts} failures with ${status}`, async () => {
      const newest = "SELECT recent_errors -> 0 AS error FROM destinations WHERE organization_id = $1 AND id = $2";
      const [row] = await query<{ error: DestinationActivity["errors"][number] | null }>(server, "app", newest, [
        owner.id,
        made.id,
      ]);
      return row?.error?.status === status && row.error.attempts === attempts;
    });
  await failed(503, 1);
  await owner.admin.post(`${PATH}/${made.id}/resume`);
  await failed(503, 2);
  sink.act = { status: 500, headers: { "retry-after": "120" }, body: "broken" };
  await owner.admin.post(`${PATH}/${made.id}/resume`);
  await failed(500, 1);
  sink.act = 200;
  await owner.admin.post(`${PATH}/${made.id}/resume`);
  await whenTaken(sink, 2);
  await until("they are counted", async () => (await get(owner, made)).sent_events >= 3);
  const { hours, errors } = await activity();
  expect(errors).toMatchObject([
    { message: "HTTP status 500", status: 500, answer: "broken", attempts: 1 },
    { message: "HTTP status 503", status: 503, answer: "full", attempts: 2 },
  ]);
  expect(hours.length).toBe(24);
  // The hour may end between two batches.
  const sent = hours.slice(-2).reduce((sum, hour) => sum + hour.sent_events, 0);
  expect(sent).toBeGreaterThanOrEqual(3);
  expect(hours.slice(0, -2).every((hour) => hour.sent_events === 0)).toBe(true);
  const at = Date.parse(hours.at(-1)?.from ?? "");
  expect(Date.now() - at).toBeLessThan(3_600_000 + 60_000);
});

test("hours older than a day are not kept", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const hour = Math.floor(Date.now() / 3_600_000);
  const made = await streamTo(owner, sink);
  const old = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [hour - 40 + at, 7]));
  await query(server, "app", "UPDATE destinations SET sent_by_hour = $2 WHERE organization_id = $1", [owner.id, old]);
  await grow(owner, 1);
  const kept = await until("the present hour is counted", async () => {
    const text = "SELECT sent_by_hour AS hours FROM destinations WHERE id = $1";
    const [row] = await query<{ hours: Record<string, number> }>(server, "app", text, [made.id]);
    return Object.keys(row?.hours ?? {}).some((each) => Number(each) >= hour) && row?.hours;
  });
  expect(Object.keys(kept ?? {}).length).toBeLessThanOrEqual(25);
});

test("secrets that cannot be decrypted are given again after the signing secret was rotated", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const [made, other] = [await streamTo(owner, sink), await streamTo(owner, await aSink())];
  // As if ENCRYPTION_KEY had changed: they are bound to another destination.
  const copied = "UPDATE destinations SET secrets = (SELECT secrets FROM destinations WHERE id = $2) WHERE id = $1";
  await query(server, "app", copied, [made.id, other.id]);
  const change = () => owner.admin.put(`${PATH}/${made.id}`, { secrets: { authorization: "Bearer again" } });
  expect((await change()).status).toBe(409);
  expect((await owner.admin.post(`${PATH}/${made.id}/rotate-secret`)).status).toBe(200);
  expect((await change()).status).toBe(200);
  await query(server, "app", copied, [made.id, other.id]);
  // It has two secrets now, of which a rotation would lose one.
  const refused = await owner.admin.post(`${PATH}/${made.id}/rotate-secret`);
  expect([refused.status, refused.error.code]).toEqual([409, "CONFLICT"]);
  expect(refused.error.message).toContain("authorization");
  const missing = await owner.admin.put(`${PATH}/${made.id}`, { settings: { url: `${sink.url}/new` } });
  expect(missing.error.issues?.map(({ path }) => path)).toEqual(["secrets.authorization"]);
  expect((await change()).status).toBe(200);
  await grow(owner, 1);
  const tried = async () =>
    (await owner.admin.post<{ ok: boolean; error: string }>(`${PATH}/${made.id}/test`, {})).data;
  expect(await tried()).toMatchObject({ ok: false, error: expect.stringContaining("rotate it") });
  expect((await owner.admin.post(`${PATH}/${made.id}/rotate-secret`)).data).toMatchObject({
    secrets: ["authorization"],
  });
  expect(await tried()).toMatchObject({ ok: true });
});

/** Adds a channel for incidents. Returns what reads the keys and states of its messages, oldest first. */
async function pagedFor(owner: Organization): Promise<() => Promise<{ key: string; state: string }[]>> {
  const settings = { routing_key: "0".repeat(32), api_url: "http://127.0.0.1:1" };
  const pager = { type: "pagerduty", name: "Pager", settings };
  const { id } = (await owner.admin.post<{ id: string }>("/notification-channels", pager)).data;
  const text =
    "SELECT key, message ->> 'state' AS state FROM notification_deliveries WHERE channel_id = $1 ORDER BY id";
  return () => query(server, "app", text, [id]);
}

test("a failing receiver is shown with its answer, waited for, and gets everything when it is back", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  sink.act = { status: 503, headers: { "retry-after": "120" }, body: "maintenance\nuntil noon" };
  const made = await streamTo(owner, sink, { start: "oldest" });
  const ids = await grow(owner, 3);
  await until("it failed", async () => (await stored(owner, made.id)).failures > 0);
  const state = await owner.admin.get<{ next_attempt_at: string }>(`${PATH}/${made.id}`);
  expect(state.data).toMatchObject({
    ...{ state: "failing", next: { epoch: 1, index: 0 }, sent_events: 0 },
    last_error: { message: "HTTP status 503", status: 503, answer: "maintenance until noon" },
  });
  expect(Date.parse(state.data.next_attempt_at) - Date.now()).toBeGreaterThan(60_000);
  sink.act = 200;
  // As if it had been paused after a day.
  await query(server, "app", "UPDATE destinations SET paused_at = now(), paused_reason = 'x' WHERE id = $1", [made.id]);
  const notices = await pagedFor(owner);
  const resumed = await owner.admin.post(`${PATH}/${made.id}/resume`);
  expect(resumed.status, resumed.text).toBe(200);
  const resolved = { key: `destination ${made.id}`, state: "resolved" };
  expect(await notices()).toEqual([resolved]);
  await until("all are taken", async () => {
    const taken = eventsIn(takenBy(sink)).map(({ id }) => id);
    return ids.every((id) => taken.includes(id));
  });
  expect(eventsIn(takenBy(sink))[0]?.seal.index).toBe(0);
  await query(server, "app", "UPDATE destinations SET paused_at = now(), paused_reason = 'x' WHERE id = $1", [made.id]);
  expect((await owner.admin.delete(`${PATH}/${made.id}`)).status).toBe(200);
  expect(await notices()).toEqual([resolved, resolved]);
});

test("a replay and another filter end a failure, although nothing is left to send, and another name does not", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  sink.act = { status: 503, headers: { "retry-after": "120" } };
  const made = await streamTo(owner, sink, { start: "oldest" });
  await grow(owner, 1);
  const whenFailing = () => until("it fails", async () => (await stored(owner, made.id)).failures > 0);
  await whenFailing();
  const renamed = await owner.admin.put(`${PATH}/${made.id}`, { name: "Renamed" });
  expect(renamed.data, renamed.text).toMatchObject({ state: "failing" });
  const replayed = await owner.admin.post(`${PATH}/${made.id}/replay`, { index: 0 });
  expect(replayed.data, replayed.text).toMatchObject({ state: "unused", next_attempt_at: null });
  await whenFailing();
  const filtered = await owner.admin.put(`${PATH}/${made.id}`, { query: { path: "/nothing" } });
  expect(filtered.data, filtered.text).toMatchObject({ state: "unused", next_attempt_at: null });
  const [row] = await query(server, "app", "SELECT failing_since FROM destinations WHERE id = $1", [made.id]);
  expect(row).toEqual({ failing_since: null });
});

test("a receiver that answers with the request leaves no secret in what is shown and stored", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  sink.act = ({ headers }) => ({ status: 400, headers: { "retry-after": "120" }, body: { headers } });
  const made = await streamTo(owner, sink, { start: "oldest", secrets: { authorization: "Bearer of-the-sink" } });
  await grow(owner, 1);
  await until("it failed", async () => (await stored(owner, made.id)).failures > 0);
  const [row] = await query(server, "app", "SELECT * FROM destinations WHERE id = $1", [made.id]);
  expect(JSON.stringify(row)).toContain("[secret]");
  expect(JSON.stringify(row)).not.toContain("of-the-sink");
});

test("a lease is extended by the database's clock, not by the process's", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const made = await streamTo(owner, sink);
  // The worker leaves it.
  const lease = `UPDATE destinations SET leased_until = now() + interval '1 hour' WHERE id = $1 RETURNING leased_until AS "leasedUntil",
    sent_by_hour AS "sentByHour", jsonb_build_object('epoch', epoch, 'next', next_index, 'scanned', scanned_index) AS cursor`;
  const [row] = await query<Pick<Leased, "leasedUntil" | "sentByHour" | "cursor">>(server, "app", lease, [made.id]);
  if (row === undefined) throw new Error("it is not stored");
  const item = {
    ...row,
    organizationId: owner.id,
    id: made.id,
    name: made.name,
    failures: 0,
    attemptEnd: null,
  } as Leased;
  const slow = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
  const begun = await beginAttempt(item, item.cursor.next + 1).finally(() => slow.mockRestore());
  expect(begun?.leasedUntil.getTime()).toBeGreaterThan(Date.now());
  const wrong = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
  const next = { batch: null, cursor: item.cursor, expired: 0 };
  const moved = await moveCursor(begun ?? item, next).finally(() => wrong.mockRestore());
  expect(moved?.leasedUntil.getTime()).toBeGreaterThan(Date.now());
  // The holder of the old lease has lost it.
  expect(await beginAttempt(item, 9)).toBeNull();
  expect(await moveCursor(item, next)).toBeNull();
  // The notice of expired entries is an incident of its own, which nothing else would end.
  const notices = await pagedFor(owner);
  await moveCursor({ ...item, ...moved }, { ...next, expired: 2 });
  const [firing, resolved, ...others] = await notices();
  expect([firing?.state, resolved, others]).toEqual(["firing", { key: firing?.key, state: "resolved" }, []]);
  expect(firing?.key).toMatch(new RegExp(`^destination ${made.id} expired `));
});

test("replay sends entries again from an index, and a paused destination sends nothing", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const made = await streamTo(owner, sink, { start: "oldest" });
  await whenDelivered(server, owner.id);
  const ids = await grow(owner, 4);
  const whenAllTaken = () =>
    until("all are taken", () => {
      const taken = eventsIn(takenBy(sink)).map(({ id }) => id);
      return ids.every((id) => taken.includes(id));
    });
  await whenAllTaken();
  await owner.admin.post(`${PATH}/${made.id}/pause`);
  sink.taken.length = 0;
  const beyond = await owner.admin.post(`${PATH}/${made.id}/replay`, { index: 1_000_000 });
  expect(beyond.status).toBe(400);
  const replayed = await owner.admin.post(`${PATH}/${made.id}/replay`, { index: 1 });
  expect(replayed.data).toMatchObject({ state: "paused", next: { epoch: 1, index: 1 } });
  expect(sink.taken).toEqual([]);
  await owner.admin.post(`${PATH}/${made.id}/resume`);
  await whenAllTaken();
  expect(eventsIn(takenBy(sink))[0]?.seal.index).toBe(1);
  const log = await owner.admin.get<AuditEvent[]>("/audit-logs?action=destination.replay&status=200");
  expect(log.data[0]).toMatchObject({
    security: { flags: ["destination_changed"], is_security_event: true },
    resource: { type: "destination", id: made.id },
    details: { changes: expect.arrayContaining([expect.objectContaining({ field: "next.index", to: 1 })]) },
  });
});
