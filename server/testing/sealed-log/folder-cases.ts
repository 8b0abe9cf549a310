import { gzipSync } from "node:zlib";
import { encodeBase64 } from "@/lib/sealed-log/base64";
import { logOf, optionsOf } from "@/server/testing/sealed-log/good-bundles";
import { TestFolder, type TestRange } from "@/server/testing/sealed-log/test-folder";
import { idAt, START, STEP_MS, TestLog, testKey } from "@/server/testing/sealed-log/test-log";

/** Ranges of `size` entries up to `end`, each with its own checkpoint. */
export const ranges = (end: number, size = 10): TestRange[] =>
  Array.from({ length: Math.ceil(end / size) }, (_, at) => {
    const behind = Math.min(end, size * (at + 1));
    return { first: size * at, end: behind, size: behind };
  });

const without = (text: string, at: number) =>
  text
    .split("\n")
    .filter((_line, index) => index !== at)
    .join("\n");

/** What may happen to one object: the first wrong index, and words of the verdict. */
export const damages: [string, (folder: TestFolder) => void, number | null, string][] = [
  ["edited", (folder) => folder.edit(20, (text) => text.replace("/things/23", "/things/99")), 23, "not the event"],
  [
    "edited with its commitment",
    (folder) =>
      folder.edit(20, (text) => text.replace("/things/23", "/things/99").replaceAll(/,"commitment":"[^"]+"/g, "")),
    20,
    "something in #20 to #29 differs",
  ],
  [
    "reordered",
    (folder) =>
      folder.edit(20, (text) => {
        const lines = text.split("\n");
        [lines[3], lines[4]] = [lines[4] ?? "", lines[3] ?? ""];
        return lines.join("\n");
      }),
    22,
    "#22 is missing",
  ],
  ["without a line", (folder) => folder.edit(20, (text) => without(text, 4)), 23, "#23 is missing"],
  [
    "without its last lines",
    (folder) => folder.edit(20, (text) => text.slice(0, text.length / 2)),
    null,
    "was cut off",
  ],
  [
    "without its trailer",
    (folder) => folder.edit(20, (text) => `${text.split("\n").slice(0, -2).join("\n")}\n`),
    30,
    "trailer",
  ],
  [
    "truncated",
    (folder) => {
      const name = folder.nameAt(20);
      folder.files.set(name, folder.files.get(name)?.subarray(0, -200) ?? Buffer.alloc(0));
    },
    null,
    "cannot be decompressed",
  ],
  ["empty", (folder) => void folder.files.set(folder.nameAt(20), gzipSync("")), null, "has no header"],
  [
    "not gzipped",
    (folder) => void folder.files.set(folder.nameAt(20), Buffer.from("{}\n")),
    null,
    "cannot be decompressed",
  ],
  [
    "under the name of another",
    (folder) => {
      const [one, other] = [folder.nameAt(10), folder.nameAt(20)];
      const [first, second] = [folder.files.get(one), folder.files.get(other)];
      folder.files.set(one, second ?? Buffer.alloc(0)).set(other, first ?? Buffer.alloc(0));
    },
    20,
    "not those of its name",
  ],
  [
    "with an event whose body is shown",
    (folder) => folder.edit(20, (text) => text.replace('"body_size":2', '"body":"x","body_size":2')),
    20,
    "shown",
  ],
];

/** A folder with what a verifier has to answer. */
interface FolderCase {
  name: string;
  files: ReadonlyMap<string, Buffer>;
  options: object;
  code: 0 | 1 | 2;
}

/** Folders of every kind, for both verifiers. */
export function folderCases(): FolderCase[] {
  return [
    ...[...damagedFolders(), ...incompleteFolders(), ...omittingFolders(), ...replayedFolders()],
    ...[...redactedFolders(), ...laterFolders()],
  ];
}

function caseOf(name: string, code: FolderCase["code"], log: TestLog, { files }: TestFolder, more: object = {}) {
  return { name, files, code, options: { ...optionsOf(log), ...more } };
}

function damagedFolders(): FolderCase[] {
  const log = logOf(47);
  const folderWith = (change: (folder: TestFolder) => void) => {
    const folder = new TestFolder(log, ranges(47));
    change(folder);
    return folder;
  };
  return [
    ...damages.map(([what, damage]) => caseOf(`an object that is ${what}`, 1, log, folderWith(damage))),
    ...forgeries.map(([what, forgery]) => {
      return caseOf(
        `an object ${what}, under its own hash`,
        1,
        log,
        folderWith((folder) => folder.forge(20, forgery)),
      );
    }),
  ];
}

/** Changes to the lines of one object. */
const forgeries: [string, (text: string) => string][] = [
  ["with another path", (text) => text.replace("/things/23", "/things/99")],
  [
    "with another path and no commitments",
    (text) => text.replace("/things/23", "/things/99").replaceAll(/,"commitment":"[^"]+"/g, ""),
  ],
  ["without a line", (text) => without(text, 3)],
  ["with a line twice", (text) => text.replace(/^(.*)\n/, "$1\n$1\n")],
  ["with its lines turned", (text) => text.split("\n").reverse().join("\n")],
  ["with a member that nothing proves", (text) => text.replace('{"id":', '{"note":"x","id":')],
  ["with a body", (text) => text.replace('"body_size":2', '"body":"x","body_encoding":"utf8","body_size":2')],
  ["with another epoch", (text) => text.replaceAll('"epoch":1', '"epoch":2')],
  ["with another time", (text) => text.replace(/"occurred_at":"\d{4}/, '"occurred_at":"1999')],
];

function incompleteFolders(): FolderCase[] {
  const log = logOf(47);
  const whole = new TestFolder(log, ranges(47));
  const without = (first: number, isWithCheckpoint = true) => {
    const folder = new TestFolder(log, ranges(47));
    const name = folder.nameAt(first);
    folder.files.delete(name);
    if (isWithCheckpoint) folder.files.delete(name.replace("ndjson.gz", "checkpoint"));
    return folder;
  };
  const backlog = new TestFolder(
    log,
    ranges(40).map((range) => ({ ...range, size: 47 })),
  );
  const fork = new TestLog();
  for (let index = 0; index < 47; index++) fork.add({ user_agent: "fork" });
  const forked = new TestFolder(log, ranges(47));
  const other = new TestFolder(fork, [{ first: 20, end: 30, size: 45 }]);
  forked.files.set(forked.nameAt(20), other.files.get(other.nameAt(20)) ?? Buffer.alloc(0));
  const overlapping = new TestFolder(log, [...ranges(47), { first: 5, end: 33 }, { first: 44, end: 47 }]);
  const foreign = logOf(47, new TestLog(1, "0199d0a2-0000-7000-8000-00000000000b"));
  const sent = (index: number) => ({ expect: [idAt(START + index * STEP_MS, "sent")] });
  return [
    caseOf("a whole folder", 0, log, whole),
    caseOf("a whole folder with a kept checkpoint", 0, log, whole, {
      checkpoints: [log.checkpoint(13).replaceAll("\n", "\r\n"), log.checkpoint()],
    }),
    caseOf("a kept checkpoint of another history", 1, log, whole, { checkpoints: [fork.checkpoint(13)] }),
    caseOf("a kept checkpoint of an epoch that is not there", 2, log, whole, {
      checkpoints: [logOf(3, new TestLog(2)).checkpoint()],
    }),
    caseOf("a kept checkpoint that covers more than the folder", 2, log, backlog, {
      checkpoints: [log.checkpoint(45)],
    }),
    caseOf("a backlog under one checkpoint", 0, log, backlog),
    caseOf("without an object", 1, log, without(20)),
    caseOf("without the first object", 2, log, without(0)),
    caseOf("without the first object, which the reader expects", 1, log, without(0), { from: 0 }),
    caseOf("without the first object, as the reader knows", 0, log, without(0), { from: 10 }),
    caseOf("without the last object, whose checkpoint is left", 2, log, without(40, false)),
    caseOf("objects that overlap and agree", 0, log, overlapping),
    caseOf("an object of another history", 1, log, forked),
    caseOf("objects of another organization", 1, log, new TestFolder(foreign, ranges(47))),
    caseOf("an expected request that is there", 0, log, whole, { expect: [log.entry(7).id] }),
    caseOf("an expected request that is missing", 1, log, whole, sent(23)),
    caseOf("an expected request that can be in front of the folder", 2, log, without(0), { ...sent(23), from: 10 }),
    caseOf("an expected request that can be behind the folder", 2, log, backlog, sent(23)),
    caseOf("no objects", 2, log, new TestFolder(log, [])),
  ];
}

function omittingFolders(): FolderCase[] {
  const log = logOf(60);
  const filtered = () =>
    new TestFolder(log, [
      { first: 0, end: 20, omitted: [{ first: 3, end: 17, reason: "filter" }] },
      { first: 20, end: 60, omitted: [{ first: 20, end: 39, reason: "filter" }] },
    ]);
  const changed = filtered();
  changed.forge(20, (text) =>
    text.replace(/("hashes":\[")(.)/, (_, before, char) => before + (char === "A" ? "B" : "A")),
  );
  const gap = (isGone: boolean) =>
    new TestFolder(log, [
      { first: 0, end: 13, size: 13 },
      { first: 13, end: 60, omitted: [{ first: 13, end: 21, reason: "expired", isGone }] },
    ]);
  const behind = gap(true);
  behind.forge(13, (text) => text.replace("/things/55", "/things/56"));
  const known = { filtered: true };
  return [
    caseOf("entries left out by filters", 2, log, filtered()),
    caseOf("entries left out by filters that the reader knows", 0, log, filtered(), known),
    caseOf("an unknown request beside entries left out", 2, log, filtered(), { ...known, expect: [log.entry(5).id] }),
    caseOf("a range with other hashes", 1, log, changed, known),
    caseOf("expired entries", 2, log, gap(false), known),
    caseOf("expired entries whose hashes are gone", 2, log, gap(true), known),
    caseOf("an event that was changed behind expired entries", 1, log, behind, known),
  ];
}

/** Segments of a destination with filters, and what was sent again without them. */
function replayedFolders(): FolderCase[] {
  const log = logOf(60);
  const filtered: TestRange[] = [
    { first: 0, end: 20, omitted: [{ first: 3, end: 17, reason: "filter" }] },
    { first: 20, end: 60, omitted: [{ first: 20, end: 39, reason: "filter" }] },
  ];
  const folderWith = (...more: TestRange[]) => new TestFolder(log, [...filtered, ...more]);
  const gap = (isGone: boolean): TestRange[] => [
    { first: 0, end: 13, size: 13 },
    { first: 13, end: 60, omitted: [{ first: 13, end: 21, reason: "expired", isGone }] },
  ];
  const forged = folderWith({ first: 1, end: 45 });
  forged.forge(1, (text) => text.replace("/things/9", "/things/8").replaceAll(/,"commitment":"[^"]+"/g, ""));
  const fork = new TestLog();
  for (let index = 0; index < 70; index++) fork.add({ user_agent: "fork" });
  const alternating = [4, 8, 12, 16].map((first) => ({ first, end: first + 2, reason: "filter" as const }));
  const whole = [{ first: 1, end: 45 }];
  return [
    caseOf("a replay of all that the filters left out", 0, log, folderWith(...whole), { expect: [log.entry(5).id] }),
    caseOf("replays in parts", 0, log, folderWith({ first: 2, end: 9 }, { first: 5, end: 18 }, { first: 20, end: 40 })),
    caseOf("a replay of a part", 2, log, folderWith({ first: 1, end: 30 })),
    caseOf("a replay from within what was left out, which is behind it", 2, log, folderWith({ first: 4, end: 45 })),
    caseOf("a replay with other filters", 2, log, folderWith({ first: 1, end: 45, omitted: alternating })),
    caseOf(
      "replays with other filters, and then without",
      0,
      log,
      folderWith({ first: 1, end: 45, omitted: alternating }, ...whole),
    ),
    caseOf("a replay of all, and an expected request that is missing", 1, log, folderWith(...whole), {
      expect: [idAt(START + 23 * STEP_MS, "sent")],
    }),
    caseOf("a replay of an event that was changed", 1, log, forged),
    caseOf("a kept checkpoint within what a replay shows", 0, log, folderWith(...whole), {
      checkpoints: [log.checkpoint(10)],
    }),
    caseOf("a kept checkpoint of another history within what a replay shows", 1, log, folderWith(...whole), {
      checkpoints: [fork.checkpoint(10)],
    }),
    caseOf("a replay of expired entries", 0, log, new TestFolder(log, [...gap(false), { first: 13, end: 60 }])),
    caseOf(
      "a replay of entries whose hashes are gone",
      0,
      log,
      new TestFolder(log, [...gap(true), { first: 5, end: 60 }]),
    ),
    caseOf(
      "a replay behind the front of entries whose hashes are gone",
      2,
      log,
      new TestFolder(log, [...gap(true), { first: 15, end: 60 }]),
    ),
  ];
}

function redactedFolders(): FolderCase[] {
  const log = logOf(20);
  log.add({
    resource: { type: "event", id: log.entry(4).id, action: "audit_log.redact" },
    details: { part: "caller" },
    response: { status_code: 202 },
  });
  const folder = (index: number, end = 21) =>
    new TestFolder(log, [
      { first: 0, end: 10, redacted: { [index]: { part: "caller", by: 20 } } },
      ...(end > 10 ? [{ first: 10, end }] : []),
    ]);
  const claimed = new TestFolder(log, [{ first: 0, end: 21 }]);
  claimed.forge(0, (text) => text.replace(/("hashes":\{[^}]*\})/, '$1,"redaction":{"caller":20}'));
  return [
    caseOf("a part redacted by a later object", 0, log, folder(4)),
    caseOf("a part redacted by the redaction of another event", 1, log, folder(5)),
    caseOf("a part redacted by an event that is not there", 2, log, folder(4, 10)),
    caseOf("a redaction of a part that is shown", 1, log, claimed),
  ];
}

function laterFolders(): FolderCase[] {
  const log = logOf(10);
  const vkey = log.vkey();
  const rotated = new TestFolder(log, [{ first: 0, end: 10 }]);
  log.rotate(testKey("second"));
  logOf(9, log);
  rotated.put(log, { first: 10, end: 20 });
  const stranger = new TestLog(1, undefined, testKey("stranger"));
  const before = logOf(30);
  const epochs = (closed: number, end = 30) => {
    const head = (size: number) => ({ size, root: encodeBase64(before.tree.head(size).root) });
    const second = new TestLog(2);
    second.add({
      request: null,
      resource: { action: "audit_log.epoch_started" },
      details: { closed: head(closed), previous: { origin: before.origin, ...head(30) } },
    });
    const folder = new TestFolder(before, [{ first: 0, end, size: end }]);
    folder.put(logOf(9, second), { first: 0, end: 10 });
    return folder;
  };
  return [
    caseOf("a key that was changed", 0, log, rotated, { vkey }),
    caseOf("objects signed before the key that the reader knows", 1, log, rotated),
    caseOf("a key to which nothing leads", 1, log, rotated, { vkey: stranger.vkey() }),
    caseOf("an epoch that continues the one before", 0, before, epochs(30)),
    caseOf("an epoch that continues a part of the one before", 0, before, epochs(20)),
    caseOf("an epoch whose predecessor is not whole", 1, before, epochs(30, 25)),
  ];
}
