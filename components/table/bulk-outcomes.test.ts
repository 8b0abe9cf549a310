import { expect, test } from "vitest";
import { inChunks, oneByOne, outcomesOf, outcomeWords } from "@/components/table/bulk-outcomes";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";

const outcome = (id: string, status: BulkOutcome["status"], error: string | null = null) => ({ id, status, error });
const numbered = (count: number) => Array.from({ length: count }, (_, at) => String(at));

test("ids are sent in parts of at most 100, in order", async () => {
  const sent: number[] = [];
  const results = await inChunks(numbered(250), async (ids) => {
    sent.push(ids.length);
    return ids.map((id) => outcome(id, "updated"));
  });
  expect(sent).toEqual([100, 100, 50]);
  expect(results.map(({ id }) => id)).toEqual(numbered(250));
});

const refused = (code: string) => Object.assign(new Error("No."), { name: "RequestFailed", code, details: {} });

test("a refused part fails alone; without a session all fail, as they do if no part is taken", async () => {
  let [parts, code] = [0, "UNAVAILABLE"];
  const send = async (ids: string[]) => {
    parts += 1;
    if (parts % 2 === 0) throw refused(code);
    return ids.map((id) => outcome(id, "updated"));
  };
  const results = await inChunks(numbered(250), send);
  expect(results.map(({ status }) => status)).toEqual([
    ...Array(100).fill("updated"),
    ...Array(100).fill("failed"),
    ...Array(50).fill("updated"),
  ]);
  [parts, code] = [0, "UNAUTHENTICATED"];
  const before: BulkOutcome[] = [];
  await expect(inChunks(numbered(250), send, before)).rejects.toThrow("No.");
  expect(before).toEqual(numbered(100).map((id) => outcome(id, "updated")));
  [parts, code] = [1, "UNAVAILABLE"];
  await expect(inChunks(numbered(100), send)).rejects.toThrow("No.");
});

test("one by one: four at the same time, what is gone is unchanged, and a refused one fails alone", async () => {
  let [now, most] = [0, 0];
  const results = await oneByOne(numbered(10), async (id) => {
    now += 1;
    most = Math.max(most, now);
    await Promise.resolve();
    now -= 1;
    if (id === "3") throw refused("NOT_FOUND");
    if (id === "5") throw refused("UNAVAILABLE");
  });
  expect(most).toBe(4);
  expect(results).toEqual(
    numbered(10).map((id) => {
      if (id === "3") return outcome(id, "unchanged");
      return id === "5" ? outcome(id, "failed", "No.") : outcome(id, "updated");
    }),
  );
});

test("one by one: without a session all fail", async () => {
  const send = async () => {
    throw refused("UNAUTHENTICATED");
  };
  await expect(oneByOne(["1"], send)).rejects.toThrow("No.");
});

test.each([
  [[outcome("1", "updated"), outcome("2", "unchanged")], "1 monitor paused."],
  [[outcome("1", "unchanged")], "No monitor changed."],
  [[outcome("1", "failed", "Not found.")], "1 monitor failed: Not found."],
  [
    [outcome("1", "updated"), outcome("2", "updated"), outcome("3", "failed", "Not found.")],
    "2 monitors paused. 1 monitor failed: Not found.",
  ],
])("the sentence of %j", (results, words) => {
  expect(outcomeWords(results, "monitor", { done: "paused" })).toBe(words);
});

test.each([
  [3, "3 monitors will be checked soon."],
  [1, "1 monitor will be checked soon. 2 monitors left out: checked a moment ago."],
  [0, "3 monitors left out: checked a moment ago."],
])("the sentence of a request that changed %i of three", (changed, words) => {
  const check = { done: "will be checked soon", rest: "checked a moment ago" };
  expect(outcomeWords(outcomesOf(numbered(3), changed), "monitor", check)).toBe(words);
});
