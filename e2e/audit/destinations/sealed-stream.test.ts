import { expect, test } from "vitest";
import { grow } from "@/e2e/audit/destinations/streaming";
import { Stream } from "@/e2e/audit/sse";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { sharedServer } from "@/e2e/support/servers/shared";

const server = sharedServer();

const open = ({ readKey }: Organization, last?: string, query: Record<string, string> = {}) =>
  Stream.open(
    server.url,
    { authorization: `Bearer ${readKey.secret}`, ...(last !== undefined && { "last-event-id": last }) },
    { order: "sealed", ...query },
  );
const indexesOf = ({ events }: Stream) => events.map(({ seal }) => seal?.index ?? -1);

test("events have their place in the sealed log as id, and a client resumes after any of them without a gap", async () => {
  const owner = await newOrganization(server);
  const before = await grow(owner, 250);
  const live = await open(owner);
  const [next = ""] = await grow(owner, 1);
  await live.until("the new event is sent", () => live.ids.includes(next));
  expect(live.ids.some((id) => before.includes(id))).toBe(false);
  expect(live.lastId).toMatch(/^1-\d+$/);
  live.leave();
  const whole = await open(owner, "0");
  await whole.until("all events are sent", () => whole.ids.includes(next));
  expect(indexesOf(whole)).toEqual(whole.events.map((_, index) => index));
  whole.leave();
  const resumed = await open(owner, "1-99");
  await resumed.until("all events after it are sent", () => resumed.ids.includes(next));
  expect(resumed.ids).toEqual(whole.ids.slice(100, 100 + resumed.ids.length));
  resumed.leave();
});

test("filters leave events out, and ids tell how far the stream is", async () => {
  const owner = await newOrganization(server);
  await grow(owner, 30, "/unwanted");
  const [wanted = ""] = await grow(owner, 1, "/wanted");
  await grow(owner, 30, "/unwanted");
  const stream = await open(owner, "0", { path: "/wanted" });
  await stream.until("it is behind all", () => Number(stream.lastId?.split("-")[1]) >= 60);
  expect(stream.ids).toEqual([wanted]);
  stream.leave();
});

test("before anything is sealed, a client gets an id from which it misses nothing", async () => {
  const owner = await newOrganization(server);
  const stream = await open(owner);
  const { lastId = "" } = stream;
  stream.leave();
  const [first = ""] = await grow(owner, 1);
  const resumed = await open(owner, lastId);
  await resumed.until("the event is sent", () => resumed.ids.includes(first));
  resumed.leave();
});

test.each([
  ["1-99999", {}],
  ["9-0", {}],
  ["1--1", {}],
  ["01a1fcff-6680-7420-917f-1d9e34253279", {}],
  [undefined, { since: "2026-01-01T00:00:00Z" }],
])("Last-Event-ID %s with %j is refused", async (last, query) => {
  const owner = await newOrganization(server);
  await grow(owner, 1);
  expect((await open(owner, last, query)).status).toBe(400);
});
