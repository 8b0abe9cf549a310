import { expect, test } from "vitest";
import type { ReadEntry } from "@/lib/audit-logs/bundle/read-entries";
import { OmittedRanges } from "@/lib/destinations/batches/omitted-ranges";
import { MAX_BYTES, takeEntries } from "@/lib/destinations/batches/take-entries";
import { eventLeafHash, MISSING } from "@/lib/sealed-log/leaf";
import { sentEvent } from "@/server/testing/sent-events";

const leaf = () => eventLeafHash(sentEvent.id, MISSING);
/** Entries from 5 on, whose events have details of the given text. */
const entriesWith = (text: string, count: number): ReadEntry[] =>
  Array.from({ length: count }, (_, at) => ({ index: 5 + at, leaf, event: { ...sentEvent, details: { text } } }));
const take = (entries: ReadEntry[], maxEvents = 1_000) => takeEntries(entries, 5, maxEvents, new OmittedRanges());

test.each([
  ["ASCII", "x"],
  ["letters of two bytes", "é"],
  ["letters of three bytes", "語"],
  ["characters of four bytes", "😀"],
])("a batch of %s has at most 4 MB as it is sent", (_, character) => {
  const { events, end } = take(entriesWith(character.repeat(10_000), 500));
  const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(bytes + bytes / events.length).toBeGreaterThan(MAX_BYTES);
  expect(end).toBe(5 + events.length);
});

test("one event is taken, however long it is, and no more than asked for", () => {
  expect(take(entriesWith("語".repeat(MAX_BYTES / 2), 2)).events).toHaveLength(1);
  expect(take(entriesWith("x", 5), 3)).toMatchObject({ events: { length: 3 }, end: 8 });
});

test("entries without an event are omitted, and none may be missing", () => {
  const [first, second, last] = entriesWith("x", 3) as [ReadEntry, ReadEntry, ReadEntry];
  const omitted = new OmittedRanges();
  const filtered: ReadEntry = { index: second.index, leaf, omitted: "filter", time: 0 };
  expect(takeEntries([first, filtered, last], 5, 1_000, omitted)).toMatchObject({ events: { length: 2 }, end: 8 });
  expect(omitted.toJSON()).toMatchObject([{ first: 6, end: 7, reason: "filter" }]);
  expect(() => take([first, last])).toThrow("the seal of entry 6 is missing");
});
