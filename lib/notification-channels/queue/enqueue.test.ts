import { expect, test } from "vitest";
import { batchesOf } from "@/lib/notification-channels/queue/enqueue";

const about = (...counts: number[]) => counts.map((length) => ({ alerts: Array<string>(length).fill("") }));
const sizes = (counts: number[]) =>
  batchesOf(about(...counts)).map((batch) => batch.map(({ alerts }) => alerts.length));

test("messages are inserted in batches of limited size, in order, however many alerts they are about", () => {
  expect(sizes([])).toEqual([]);
  expect(sizes([0, 1, 2])).toEqual([[0, 1, 2]]);
  expect(sizes([60_000, 40_000, 1, 150_000, 2])).toEqual([[60_000, 40_000], [1], [150_000], [2]]);
  expect(batchesOf(about(...Array<number>(1_200).fill(1))).map(({ length }) => length)).toEqual([500, 500, 200]);
});
