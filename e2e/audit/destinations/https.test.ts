import { createHmac } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import {
  eventsIn,
  grow,
  linesOf,
  omittedIn,
  PATH,
  stored,
  streamTo,
  takenBy,
  whenTaken,
} from "@/e2e/audit/destinations/streaming";
import { newOrganization } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSink, type Sink } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import type { AuditEvent } from "@/lib/audit-logs/contract";

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

test("a test shows the very request and the answer, without secrets, and moves nothing", async () => {
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
  const resumed = await owner.admin.post(`${PATH}/${made.id}/resume`);
  expect(resumed.status, resumed.text).toBe(200);
  await until("all are taken", async () => {
    const taken = eventsIn(takenBy(sink)).map(({ id }) => id);
    return ids.every((id) => taken.includes(id));
  });
  expect(eventsIn(takenBy(sink))[0]?.seal.index).toBe(0);
});

test("replay sends entries again from an index, and a paused destination sends nothing", async () => {
  const [owner, sink] = [await newOrganization(server), await aSink()];
  const made = await streamTo(owner, sink, { start: "oldest" });
  await grow(owner, 4);
  await whenTaken(sink, 3);
  await owner.admin.post(`${PATH}/${made.id}/pause`);
  sink.taken.length = 0;
  const beyond = await owner.admin.post(`${PATH}/${made.id}/replay`, { index: 1_000_000 });
  expect(beyond.status).toBe(400);
  const replayed = await owner.admin.post(`${PATH}/${made.id}/replay`, { index: 1 });
  expect(replayed.data).toMatchObject({ state: "paused", next: { epoch: 1, index: 1 } });
  expect(sink.taken).toEqual([]);
  await owner.admin.post(`${PATH}/${made.id}/resume`);
  await whenTaken(sink, 3);
  expect(eventsIn(takenBy(sink))[0]?.seal.index).toBe(1);
  const log = await owner.admin.get<AuditEvent[]>("/audit-logs?action=destination.replay&status=200");
  expect(log.data[0]).toMatchObject({
    security: { flags: ["destination_changed"], is_security_event: true },
    resource: { type: "destination", id: made.id },
    details: { changes: expect.arrayContaining([expect.objectContaining({ field: "next.index", to: 1 })]) },
  });
});
