import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { verifyFolder } from "@/public/sealwatch-verify.mjs";
import { damages, folderCases, ranges } from "@/server/testing/sealed-log/folder-cases";
import { logOf, optionsOf } from "@/server/testing/sealed-log/good-bundles";
import { TestFolder } from "@/server/testing/sealed-log/test-folder";
import { TestLog, testKey } from "@/server/testing/sealed-log/test-log";

interface Given {
  log: TestLog;
  folder: TestFolder;
}

function given(count = 47): Given {
  const log = logOf(count);
  return { log, folder: new TestFolder(log, ranges(count)) };
}

async function judged({ log, folder }: Given, more: object = {}) {
  const result = await verifyFolder(folder.list(), { ...optionsOf(log), ...more });
  return { ...result, text: [result.verdict, ...result.open, ...result.remarks].join("\n") };
}

test("a whole folder is proved, whatever the order of its files", async () => {
  const { log, folder } = given();
  expect(await judged({ log, folder })).toMatchObject({
    code: 0,
    verdict: expect.stringContaining("5 segments with 47 entries, from #0 up to #46"),
    open: [],
  });
  const turned = await verifyFolder(folder.list().reverse(), optionsOf(log));
  expect(turned.code).toBe(0);
});

test("segments of a backlog under one checkpoint are proved, and so is a kept checkpoint within them", async () => {
  const log = logOf(47);
  const folder = new TestFolder(
    log,
    ranges(40).map((range) => ({ ...range, size: 47 })),
  );
  const checkpoints = [log.checkpoint(13).replaceAll("\n", "\r\n")];
  const result = await judged({ log, folder }, { checkpoints });
  expect([result.code, result.text]).toEqual([0, expect.stringContaining("1 checkpoints cover more entries")]);
  const behind = await judged({ log, folder }, { checkpoints: [log.checkpoint(45)] });
  expect([behind.code, behind.text]).toEqual([2, expect.stringContaining("#40 to #44 of epoch 1")]);
  const forged = new TestLog();
  for (let index = 0; index < 13; index++) forged.add({ user_agent: "another history" });
  const split = await judged({ log, folder }, { checkpoints: [forged.checkpoint(13)] });
  expect([split.code, split.text]).toEqual([1, expect.stringContaining("two histories")]);
});

test("a missing object is named by its first index", async () => {
  const { log, folder } = given();
  folder.files.delete(folder.nameAt(20));
  const result = await judged({ log, folder });
  expect(result).toMatchObject({ code: 1, index: 20 });
  expect(result.verdict).toContain("#20 to #29 are missing");
});

test("objects that are missing at the beginning or at the end are noticed with what the reader knows", async () => {
  const begun = given();
  begun.folder.files.delete(begun.folder.nameAt(0));
  expect(await judged(begun)).toMatchObject({ code: 2 });
  expect(await judged(begun, { from: 0 })).toMatchObject({ code: 1, index: 0 });
  expect((await judged(begun, { from: 10 })).text).toContain("A checkpoint has no segment");
  const ended = given();
  ended.folder.files.delete(ended.folder.nameAt(40));
  const result = await judged(ended);
  expect([result.code, result.text]).toEqual([2, expect.stringContaining("A checkpoint has no segment")]);
  for (const name of ended.folder.files.keys()) if (name.includes("-000000000040-")) ended.folder.files.delete(name);
  expect((await judged(ended)).code).toBe(0);
  const known = await judged(ended, { checkpoints: [ended.log.checkpoint()] });
  expect([known.code, known.text]).toEqual([2, expect.stringContaining("#40 to #46")]);
});

test.each(damages)("an object that is %s is wrong", async (_, damage, index, says) => {
  const { log, folder } = given();
  damage(folder);
  const result = await judged({ log, folder });
  expect([result.code, result.verdict]).toEqual([1, expect.stringContaining(says)]);
  if (index !== null) expect([result.index, result.verdict]).toEqual([index, result.verdict]);
});

test("any bit of an object that changes is noticed", async () => {
  const { log, folder } = given(12);
  const name = folder.nameAt(0);
  const text = gunzipSync(folder.files.get(name) ?? "");
  for (let at = 0; at < text.length; at += 97) {
    const bytes = Buffer.from(text);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    folder.files.set(name, gzipSync(bytes));
    expect([at, (await judged({ log, folder })).code]).toEqual([at, 1]);
  }
});

test("objects of another organization, and of another history of the log, are refused", async () => {
  const { log, folder } = given();
  const other = logOf(47, new TestLog(1, "0199d0a2-0000-7000-8000-00000000000b"));
  const foreign = new TestFolder(other, [{ first: 20, end: 30, size: 47 }]);
  folder.files.set(folder.nameAt(20), foreign.files.get(foreign.nameAt(20)) ?? Buffer.alloc(0));
  const result = await judged({ log, folder });
  expect([result.code, result.verdict]).toEqual([1, expect.stringContaining("is of the log")]);
  const fork = new TestLog();
  for (let index = 0; index < 47; index++) fork.add({ user_agent: "fork" });
  const forked = new TestFolder(fork, [{ first: 20, end: 30, size: 45 }]);
  folder.files.set(folder.nameAt(20), forked.files.get(forked.nameAt(20)) ?? Buffer.alloc(0));
  const split = await judged({ log, folder });
  expect([split.code, split.verdict]).toEqual([1, expect.stringContaining("does not continue")]);
});

test("what was sent twice may overlap if it agrees", async () => {
  const { log, folder } = given();
  folder.put(log, { first: 5, end: 33 });
  folder.put(log, { first: 44, end: 47 });
  const result = await judged({ log, folder });
  expect([result.code, result.text]).toEqual([0, expect.stringContaining("In more than one segment, which agree")]);
  expect(result.text).toContain("#5 to");
});

test("entries that the filters left out are not proved unless the reader knows of the filters", async () => {
  const log = logOf(40);
  const folder = new TestFolder(log, [
    { first: 0, end: 20, omitted: [{ first: 3, end: 17, reason: "filter" }] },
    { first: 20, end: 40, omitted: [{ first: 20, end: 39, reason: "filter" }] },
  ]);
  const result = await judged({ log, folder });
  expect([result.code, result.text]).toEqual([2, expect.stringContaining("33 entries: #3 to #16, #20 to #38")]);
  expect((await judged({ log, folder }, { filtered: true })).code).toBe(0);
  folder.edit(20, (text) => text.replace('"hashes":["', '"hashes":["A'));
  expect((await judged({ log, folder })).code).toBe(1);
});

test("what one segment leaves out is in the folder if another one shows it", async () => {
  const log = logOf(40);
  const folder = new TestFolder(log, [{ first: 0, end: 40, omitted: [{ first: 3, end: 37, reason: "filter" }] }]);
  folder.put(log, {
    first: 2,
    end: 40,
    omitted: [
      { first: 10, end: 12, reason: "expired" },
      { first: 20, end: 30, reason: "expired" },
    ],
  });
  const part = await judged({ log, folder });
  expect([part.code, part.open]).toEqual([2, [expect.stringContaining("12 entries: #10 to #11, #20 to #29")]]);
  folder.put(log, { first: 10, end: 40 });
  expect(await judged({ log, folder })).toMatchObject({ code: 0, open: [] });
});

test("the event of a redaction that a segment had before is enough for what a replay shows redacted", async () => {
  const log = logOf(20);
  const details = { part: "caller" };
  log.add({
    resource: { type: "event", id: log.entry(4).id, action: "audit_log.redact" },
    details,
    response: { status_code: 202 },
  });
  const folder = new TestFolder(log, [
    { first: 0, end: 21, omitted: [{ first: 3, end: 17, reason: "filter" }] },
    { first: 2, end: 21, redacted: { 4: { part: "caller", by: 20 } } },
  ]);
  expect(await judged({ log, folder })).toMatchObject({ code: 0, open: [] });
});

test("a gap that retention left is not proved, with or without its hashes, and what follows it is", async () => {
  const log = logOf(60);
  const folder = new TestFolder(log, [
    { first: 0, end: 13, size: 13 },
    { first: 13, end: 40, size: 40, omitted: [{ first: 13, end: 21, reason: "expired" }] },
    { first: 40, end: 60, omitted: [{ first: 40, end: 51, reason: "expired", isGone: true }] },
  ]);
  const result = await judged({ log, folder });
  expect(result.code).toBe(2);
  expect(result.text).toContain("had expired before they were sent: 19 entries: #13 to #20, #40 to #50");
  expect(result.text).toContain("hashes are gone: 11 entries: #40 to #50");
  folder.edit(40, (text) => text.replace("/things/55", "/things/56"));
  expect(await judged({ log, folder })).toMatchObject({ code: 1, index: 55 });
});

test("a redacted part is proved by the event that redacted it, in a later object", async () => {
  const log = logOf(20);
  const redacted = log.entry(4).id;
  log.add({
    resource: { type: "event", id: redacted, action: "audit_log.redact" },
    details: { part: "caller" },
    response: { status_code: 202 },
  });
  const folder = new TestFolder(log, [
    { first: 0, end: 10, redacted: { 4: { part: "caller", by: 20 } } },
    { first: 10, end: 21 },
  ]);
  const result = await judged({ log, folder });
  expect([result.code, result.text]).toEqual([0, expect.stringContaining("1 entry had been redacted before")]);
  const wrong = new TestFolder(log, [
    { first: 0, end: 10, redacted: { 5: { part: "caller", by: 20 } } },
    { first: 10, end: 21 },
  ]);
  expect(await judged({ log, folder: wrong })).toMatchObject({ code: 1, index: 5 });
  const open = new TestFolder(log, [{ first: 0, end: 10, redacted: { 4: { part: "caller", by: 20 } } }]);
  expect((await judged({ log, folder: open })).code).toBe(2);
});

test("a key that was changed is followed", async () => {
  const log = logOf(10);
  const vkey = log.vkey();
  const folder = new TestFolder(log, [{ first: 0, end: 10 }]);
  log.rotate(testKey("second"));
  logOf(9, log);
  folder.put(log, { first: 10, end: 20 });
  expect(await judged({ log, folder }, { vkey })).toMatchObject({ code: 0 });
  const stranger = new TestLog(1, undefined, testKey("stranger"));
  expect(await judged({ log, folder }, { vkey: stranger.vkey() })).toMatchObject({ code: 1 });
});

test("a second epoch continues what it kept of the first one", async () => {
  const log = logOf(30);
  const next = (closed: number) => {
    const { root } = log.tree.head(closed);
    const [head, previous] = [{ size: closed, root: encodeBase64(root) }, log.tree.head(30)];
    const second = new TestLog(2);
    second.add({
      request: null,
      resource: { action: "audit_log.epoch_started" },
      details: {
        closed: head,
        previous: { origin: log.origin, size: 30, root: encodeBase64(previous.root) },
      },
    });
    return logOf(9, second);
  };
  const folderOf = (closed: number, end = 30) => {
    const folder = new TestFolder(log, [{ first: 0, end, size: end }]);
    folder.put(next(closed), { first: 0, end: 10 });
    return folder;
  };
  expect(await judged({ log, folder: folderOf(30) })).toMatchObject({ code: 0 });
  const lost = await judged({ log, folder: folderOf(20) });
  expect([lost.code, lost.text]).toEqual([0, expect.stringContaining("LOST: #20 to #29 of epoch 1 are only here")]);
  expect(await judged({ log, folder: folderOf(30, 25) })).toMatchObject({ code: 1, index: 25 });
});

test("a folder without objects, and a key of something else, cannot be verified", async () => {
  const { log, folder } = given();
  expect((await verifyFolder([], optionsOf(log))).code).toBe(2);
  expect((await judged({ log, folder }, { vkey: "x" })).code).toBe(2);
});

test.each(folderCases())("$name", async ({ files, options, code }) => {
  const result = await verifyFolder(
    [...files].map(([name, bytes]) => ({ name, open: () => [bytes] })),
    options,
  );
  expect([result.code, result.verdict]).toEqual([code, expect.any(String)]);
});
