import type { KeyObject } from "node:crypto";
import { cosign, formatNote, parseNote } from "@/lib/sealed-log/note";
import { parseVkey } from "@/lib/sealed-log/vkey";
import { DAY_MS } from "@/lib/time/units";
import {
  at,
  type BundleCase,
  dailyLog,
  logOf,
  onDay,
  optionsOf,
  planLog,
  redactedLog,
  rotatedLog,
  secondEpoch,
  stampOver,
  thinAll,
  thinned,
  type VerifyOptions,
  witnessedLog,
} from "@/server/testing/sealed-log/good-bundles";
import {
  idAt,
  isObject,
  type Json,
  ORGANIZATION,
  START,
  STEP_MS,
  type TestBundle,
  TestLog,
  testKey,
  WITNESS_VKEY,
  without,
} from "@/server/testing/sealed-log/test-log";

const OTHER = "0199d0a2-0000-7000-8000-00000000000b";
const SIZE = 12;
const log = logOf(SIZE);

type Expected = Partial<Pick<BundleCase, "index">> & { options?: Partial<VerifyOptions> };

/** A case that is wrong, or cannot be proved, and what the verifier says. */
const forged = (
  name: string,
  says: string,
  text: string | TestBundle,
  { options, index }: Expected = {},
): BundleCase => ({
  ...{ name, says, code: 1, options: { ...optionsOf(log), ...options } },
  text: typeof text === "string" ? text : text.text(),
  ...(index !== undefined && { index }),
});
const open = (...parts: Parameters<typeof forged>): BundleCase => ({ ...forged(...parts), code: 2 });

/** The bundle of the log, changed. */
function changed(change: (bundle: TestBundle) => void, header: Json = {}, of = log): TestBundle {
  const bundle = of.bundle(header);
  change(bundle);
  return bundle;
}

const part = (bundle: TestBundle, position: number, name: string): Json => {
  const value = bundle.row(position)[name];
  if (!isObject(value)) throw new Error(`no ${name}`);
  return value;
};
const sealOf = (bundle: TestBundle, position: number) => part(bundle, position, "seal");
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const SHORT = Buffer.alloc(31).toString("base64");

function events(): BundleCase[] {
  const edited = (name: string, edit: (row: Json) => void) =>
    forged(
      `an event edited: ${name}`,
      "#5 (",
      changed((bundle) => edit(bundle.row(5))),
      { index: 5 },
    );
  const bare = changed((bundle) => {
    for (const index of bundle.rows.keys()) bundle.row(index).seal = without(sealOf(bundle, index), ["commitment"]);
    part(bundle, 5, "response").status_code = 500;
  });
  return [
    edited("its path", (row) => Object.assign(Object(row.request), { path: "/" })),
    edited("its body", (row) => Object.assign(Object(row.request), { body: "AAA=" })),
    edited("its caller", (row) => Object.assign(Object(row.authentication), { type: "session" })),
    edited("a flag", (row) => Object.assign(Object(row.security), { flags: ["new_address"] })),
    edited("a null member added to details", (row) => Object.assign(Object(row.details), { c: null })),
    edited("a null member taken from details", (row) => Object.assign(row, { details: without(row.details, ["b"]) })),
    edited("a member more", (row) => Object.assign(row, { more: 1 })),
    edited("another nonce", (row) => Object.assign(Object(row.seal), { nonce: Buffer.alloc(16).toString("base64") })),
    forged("an event edited, without its commitment", "something from #0 on", bare, { index: 0 }),
    forged(
      "an event edited behind a kept checkpoint",
      "something in #4 to #7 differs",
      changed(
        (bundle) => {
          part(bundle, 5, "response").status_code = 500;
          bundle.row(5).seal = without(sealOf(bundle, 5), ["commitment"]);
        },
        { checkpoints: [4, 8].map((size) => ({ note: log.checkpoint(size), heads: null, stamps: [] })) },
      ),
      { index: 4 },
    ),
    forged(
      "occurred_at edited",
      "#5 says that it occurred",
      changed((bundle) => (bundle.row(5).occurred_at = at(6))),
      { index: 5 },
    ),
    forged(
      "an id in upper case",
      "#5 has no id",
      changed((bundle) => (bundle.row(5).id = log.entry(5).id.toUpperCase())),
      { index: 5 },
    ),
    forged(
      "a body that does not fit its encoding",
      "does not fit",
      changed((bundle) => (part(bundle, 4, "request").body_encoding = "base64")),
    ),
    forged(
      "a body taken away",
      "does not fit",
      changed((bundle) => (bundle.row(4).request = without(part(bundle, 4, "request"), ["body"]))),
    ),
    forged(
      "base64 that is not canonical",
      "does not fit",
      changed((bundle) => (part(bundle, 3, "request").body = "/wB=")),
    ),
    forged(
      "a nonce of 15 bytes",
      "nonce",
      changed((bundle) => (sealOf(bundle, 5).nonce = Buffer.alloc(15).toString("base64"))),
    ),
  ];
}

function order(): BundleCase[] {
  const gone = (position: number) => changed((bundle) => bundle.rows.splice(position, 1));
  const renumbered = changed((bundle) => {
    bundle.rows.splice(5, 1);
    for (let index = 5; index < SIZE - 1; index++) sealOf(bundle, index).index = index;
    Object.assign(bundle.header, { end: SIZE - 1 });
  });
  const twice = new TestLog();
  for (const salt of [0, 1, 2, 1]) twice.add({ id: idAt(START + salt * STEP_MS, `${salt}`) });
  const far = new TestLog();
  for (let index = 0; index < 40; index++)
    far.add({ id: idAt(START + (index === 39 ? 2 : index) * STEP_MS, `${index === 39 ? 2 : index}`) });
  const swapped = changed((bundle) => bundle.rows.splice(5, 2, bundle.row(6), bundle.row(5)));
  return [
    forged("an event removed", "#5 is missing", gone(5), { index: 5 }),
    forged("the first event removed", "#0 is missing", gone(0), { index: 0 }),
    forged("the last event removed", "#11 to #11 are missing", gone(SIZE - 1), { index: 11 }),
    forged("an event removed and the rest renumbered", "though its checkpoint covers 12 entries", renumbered),
    forged("two events swapped", "#5 is missing", swapped, { index: 5 }),
    forged(
      "an event twice in the file",
      "#6 is missing",
      changed((bundle) => bundle.rows.splice(6, 0, log.line(5))),
      { index: 6 },
    ),
    forged(
      "an event too many",
      "more entries than the header says",
      changed((bundle) => bundle.rows.push(log.line(11))),
    ),
    forged("an id sealed twice", "which occurred before", twice.bundle(), { index: 3 }),
    forged("an id sealed twice, far apart", "which occurred before", far.bundle(), { index: 39 }),
    forged(
      "a negative index",
      "#5 is missing",
      changed((bundle) => (sealOf(bundle, 5).index = -5)),
      { index: 5 },
    ),
    forged(
      "a fractional index",
      "#5 is missing",
      changed((bundle) => (sealOf(bundle, 5).index = 5.5)),
      { index: 5 },
    ),
    forged(
      "an index as text",
      "#5 is missing",
      changed((bundle) => (sealOf(bundle, 5).index = "5")),
      { index: 5 },
    ),
    forged(
      "another epoch",
      "#5 is of the epoch 2",
      changed((bundle) => (sealOf(bundle, 5).epoch = 2)),
      { index: 5 },
    ),
  ];
}

function header(): BundleCase[] {
  const withHeader = (name: string, says: string, header: Json, index?: number) =>
    forged(
      name,
      says,
      changed((bundle) => Object.assign(bundle.header, header)),
      index === undefined ? {} : { index },
    );
  const range = { first: 3, end: 9, since: at(3), until: at(9) };
  const inRange = (name: string, says: string, edit: (header: Json) => void) =>
    forged(
      name,
      says,
      changed((bundle) => edit(bundle.header), range),
    );
  const cut = changed((bundle) => bundle.rows.pop());
  Object.assign(cut.header, { end: SIZE - 1, right: [Buffer.from(log.tree.leaf(SIZE - 1)).toString("base64")] });
  const other = logOf(SIZE, new TestLog(1, OTHER));
  const relabelled = changed((bundle) => {
    bundle.header.checkpoint = other.checkpoint().replaceAll(OTHER, ORGANIZATION);
  });
  const foreign = other.bundle();
  return [
    withHeader("another version", "version", { version: 2 }),
    withHeader("end past the checkpoint", "not one of a log of 12 entries", { end: SIZE + 1 }),
    withHeader("a negative first", "not one of a log", { first: -1 }),
    withHeader("a fractional end", "not one of a log", { end: 3.5 }),
    withHeader("first behind end", "not one of a log", { first: 5, end: 4 }),
    withHeader("a member more in the header", "has not the members", { more: null }),
    forged(
      "a member missing in the header",
      "has not the members",
      `${JSON.stringify({ sealed_log: without(log.header(), ["until"]) })}\n`,
    ),
    withHeader("a surplus hash in left", "left has 1 hashes instead of 0", {
      left: [Buffer.alloc(32).toString("base64")],
    }),
    withHeader("a surplus hash in right", "right has 1 hashes instead of 0", {
      right: [Buffer.alloc(32).toString("base64")],
    }),
    inRange("a missing hash in left", "left has 1 hashes instead of 2", (one) => list(one.left).pop()),
    inRange("a missing hash in right", "right has 1 hashes instead of 2", (one) => list(one.right).pop()),
    inRange("a short hash in left", "left is not a list of hashes", (one) => list(one.left).splice(0, 1, SHORT)),
    inRange("another hash in left", "something from #3 on", (one) =>
      list(one.left).splice(0, 1, Buffer.alloc(32).toString("base64")),
    ),
    inRange("another hash in right", "something from #3 on", (one) =>
      list(one.right).splice(0, 1, Buffer.alloc(32).toString("base64")),
    ),
    forged("the tail cut off: last event, end and right", "though its checkpoint covers 12", cut, { index: 11 }),
    forged("the checkpoint of another organization, relabelled", "not signed by the log's key", relabelled),
    forged("the bundle of another organization", "The bundle is of the log", foreign),
    forged("another key", "by another key", log.bundle(), { options: { vkey: log.vkey(testKey("other")) } }),
    forged("another organization's events", "of another organization", mixed(), { index: 1 }),
    withHeader("another origin", "The bundle is of the log", { origin: other.origin }),
    withHeader("another epoch in the header", "The epoch of the bundle", { epoch: 2 }),
    withHeader("retention that is not a number", "retention_days", { retention_days: "365" }),
    withHeader("an epoch that is closed, but not true", "is_closed", { is_closed: false }),
    withHeader("a checkpoint without signature of the key", "not signed by the log's key", {
      checkpoint: log.checkpoint().replace(/— .*/, `— example.com/x ${Buffer.alloc(68).toString("base64")}`),
    }),
    withHeader("a checkpoint that was edited", "is invalid", {
      checkpoint: log.checkpoint().replace("\n12\n", "\n13\n"),
    }),
    withHeader("a checkpoint with a fourth line", "is invalid", {
      checkpoint: log.checkpoint().replace("\n\n", "\nmore\n\n"),
    }),
    withHeader("a kept checkpoint of another history", "two histories were signed", {
      checkpoints: [{ note: other12().checkpoint(), heads: null, stamps: [] }],
    }),
    withHeader("a kept checkpoint of another past", "something in #0 to #5", {
      checkpoints: [{ note: other12().checkpoint(6), heads: null, stamps: [] }],
    }),
  ];
}

/** Another history under the same key and name. */
function other12(): TestLog {
  const made = new TestLog();
  made.add({ user_agent: "another" });
  return logOf(SIZE - 1, made);
}

/** A log that has an event of another organization. */
function mixed(): TestBundle {
  const made = logOf(1);
  made.add({ organization_id: OTHER });
  return made.bundle();
}

function json(): BundleCase[] {
  const line = (name: string, says: string, edit: (text: string) => string, index: number | null = 5) =>
    forged(
      name,
      says,
      changed((bundle) => (bundle.rows[5] = edit(JSON.stringify(log.line(5))))),
      { index },
    );
  const good = log.bundle().text();
  return [
    line("a name twice", 'has the name "response" twice', (text) =>
      text.replace('"client":', '"response":1,"client":'),
    ),
    line("a name twice, escaped", 'has the name "id" twice', (text) =>
      text.replace('"client":', '"\\u0069d":1,"client":'),
    ),
    line("a lone surrogate", "has a lone surrogate", (text) => text.replace("curl", "\\ud800")),
    line("an integer beyond 2^53", "cannot carry exactly", (text) => text.replace("5.25", "9007199254740993")),
    line("an infinite number", "cannot carry exactly", (text) => text.replace("5.25", "1e999")),
    line("a comma too many", "is not JSON", (text) => text.replace("}}", "},}")),
    line("text behind the object", "is not JSON", (text) => `${text} x`),
    line("a leading zero", "is not JSON", (text) => text.replace("5.25", "05.25")),
    line("an array in place of an event", "not an object", () => "[]"),
    line("deep nesting", "nested too deeply", () => "[".repeat(1000)),
    line("no seal", "#5 is missing", (text) => text.replace('"seal":', '"zeal":')),
    forged("no trailer", "cut off", good.slice(0, good.lastIndexOf("\n", good.length - 2) + 1)),
    forged("half a line", "cut off", good.slice(0, -10)),
    forged("nothing", "cut off", ""),
    forged("a line behind the trailer", "goes on after its trailer", `${good}{}\n`),
    forged("a trailer that does not count", "The trailer counts 11", log.bundle().text({ rows: 11 })),
    forged("a trailer with another hash", "SHA-256", log.bundle().text({ sha256: "0".repeat(64) })),
    forged("a carriage return", "not that of the lines", good.replace("\n", "\r\n")),
    forged("a byte order mark", "is not JSON", `\ufeff${good}`),
  ];
}

function thin(): BundleCase[] {
  const thinFive = (reason: string) => changed((bundle) => (bundle.rows[5] = log.thin(5, reason)));
  const planned = planLog();
  const withThin = (...indexes: number[]) =>
    changed(
      (bundle) => {
        for (const index of indexes) bundle.rows[index] = planned.thin(index);
      },
      {},
      planned,
    );
  const missing = logOf(3);
  missing.addMissing(START + 3 * STEP_MS);
  const stored = missing.bundle();
  stored.rows[3] = missing.thin(3, "missing");
  const thinOfNow = (bundle: TestBundle, days: number) =>
    Object.assign(bundle, { header: Object.assign(bundle.header, { retention_days: days }) });
  return [
    forged("an event turned into a thin line", "The event #5 of", thinFive("expired"), {
      index: 5,
      options: { retentionDays: 365 },
    }),
    forged("the same on the header's word", "The event #5 of", thinFive("expired"), { index: 5 }),
    forged("the same, called missing", "The event #5 of", thinFive("missing"), { index: 5 }),
    forged("a thin line with another reason", "without a reason", thinFive("secret"), { index: 5 }),
    forged(
      "a thin line with another commitment",
      "do not give the signed root",
      thinWith({ commitment: Buffer.alloc(32).toString("base64") }),
    ),
    forged("a thin line with a member more", "has not the members", thinWith({ more: 1 })),
    forged("an event that no plan let expire, after the change", "The event #41 of", withThin(41), { index: 41 }),
    forged("an event that the earlier plan kept", "The event #11 of", withThin(10, 11), { index: 11 }),
    forged("a header that names fewer days than the sealed plans", "The event #11 of", thinOfNow(withThin(11), 1), {
      index: 11,
    }),
    forged("an event that was never stored", "The event #3 of", stored, { index: 3 }),
    open("expired events on the header's word", "on the operator's word", thinOfNow(thinAll(log), 30)),
    ...hiddenPlans(),
    ...inventedPlans(),
  ];
}

/** Events that were deleted behind a change of the plan that somebody invented: the last entry, on the day after them. */
function inventedPlans(): BundleCase[] {
  const invented = (name: string, change: Json, changes: Parameters<typeof dailyLog>[1] = {}) => {
    const made = dailyLog(60, changes);
    made.add({
      ...{ time: START + 60 * DAY_MS, request: null, resource: { action: "organization.set_plan" } },
      ...{ security: { flags: ["plan_changed"] }, response: { status_code: null, error_code: null } },
      details: { plan: { from: "free", to: "business" }, retention_days: { from: 30, to: 365 } },
      ...change,
    });
    const options = { vkey: made.vkey(), retentionDays: 365 };
    return forged(name, "The event #11 of", thinned(made, made.bundle(), 11, 31), { index: 11, options });
  };
  const days = (from: unknown, to: unknown = 365) => ({
    details: { plan: { from: "free", to: "business" }, retention_days: { from, to } },
  });
  return [
    invented("an invented change of the plan by another action", { resource: { action: "api_key.list" } }),
    invented("one without plans", { details: { plan: {}, retention_days: { from: 1, to: 365 } } }),
    invented("one from no day", days(0)),
    invented("one to no day", days(1, 0)),
    invented("one from half a day", days(0.5)),
    invented("one that was refused", { response: { status_code: 409, error_code: "CONFLICT" } }),
    invented("one from fewer days than the change before it said", days(1), { 10: ["free", "business"] }),
  ];
}

/** Events that were deleted together with the change of the plan that shows that they had not expired. */
function hiddenPlans(): BundleCase[] {
  const made = dailyLog(100, { 10: ["business", "free"], 40: ["free", "business"] });
  const hiding = (header: Json) => thinned(made, made.bundle(header), 15, 46);
  const range = (header: Json) => thinned(made, made.bundle({ end: 40, until: onDay(40), ...header }), 15, 40);
  const known = { options: { retentionDays: 365 }, index: 15 };
  const outcome = made.bundle();
  const withoutOutcome = without(made.hiding(40, ["outcome"]), ["response", "security", "resource", "details"]);
  outcome.rows.splice(40, 1, withoutOutcome);
  thinned(made, outcome, 15, 40);
  const early = planLog();
  const cut = thinned(early, early.bundle({ end: 20, until: onDay(20) }), 0, 11);
  const over = dailyLog(100, { 20: ["free", "business"] });
  const closed = thinned(over, over.bundle({ retention_days: 30, is_closed: true }), 0, 71);
  return [
    open(
      "expired events of a closed epoch, whose later changes of the plan are elsewhere",
      "on the operator's word",
      closed,
    ),
    forged("a later change of the plan made thin", "The event #15 of", hiding({ retention_days: 30 }), known),
    forged("the same on the header's word", "The event #15 of", hiding({}), { index: 15 }),
    open("the same on the word of a header that lies", "on the operator's word", hiding({ retention_days: 30 })),
    forged("a later change of the plan behind the range", "The event #15 of", range({ retention_days: 30 }), known),
    open("the same on the word of its header", "on the operator's word", range({ retention_days: 30 })),
    forged("a later change of the plan whose outcome is withheld", "The event #15 of", outcome, known),
    forged("an earlier plan whose end is not shown", "The event #0 of", cut, { index: 0 }),
  ].map((one) => ({ ...one, options: { ...one.options, vkey: made.vkey() } }));
}

function thinWith(change: Json): TestBundle {
  return changed((bundle) => {
    const line = log.thin(5);
    bundle.rows[5] = { thin: { ...Object(line.thin), ...change } };
  });
}

function hidden(): BundleCase[] {
  const { log: redacted, bundle: good } = redactedLog();
  const withLine = (index: number, line: Json) => {
    const bundle = redacted.bundle();
    bundle.rows[index] = line;
    return bundle;
  };
  const shown = withLine(2, { ...redacted.hiding(2, ["body"], { body: 8 }), request: redacted.line(2).request });
  const empty = withLine(2, redacted.line(2));
  Object.assign(sealOf(empty, 2), { salts: {}, hashes: {} });
  empty.row(2).seal = without(sealOf(empty, 2), ["nonce"]);
  const protectedOne = redacted.bundle();
  protectedOne.rows[8] = redacted.hiding(8, ["body"], { body: 9 });
  const cutRange = redacted.bundle({ end: 8, until: at(8) });
  cutRange.rows[2] = good.row(2);
  return [
    open("a part withheld", "withheld by whoever gave you this file", withLine(2, redacted.hiding(2, ["body"]))),
    open(
      "the outcome withheld",
      "withheld by whoever gave you this file",
      withLine(2, without(redacted.hiding(2, ["outcome"]), ["response", "security", "resource", "details"])),
    ),
    forged(
      "a redaction by an event that is none",
      "which is not its redaction",
      withLine(2, redacted.hiding(2, ["body"], { body: 11 })),
      { index: 2 },
    ),
    forged(
      "a redaction of another event",
      "which is not its redaction",
      withLine(2, redacted.hiding(2, ["body"], { body: 9 })),
      { index: 2 },
    ),
    forged(
      "a redaction of another part",
      "which is not its redaction",
      withLine(5, redacted.hiding(5, ["caller"], { caller: 9 })),
      { index: 5 },
    ),
    forged(
      "a redaction by an earlier event",
      "which is not later",
      withLine(5, redacted.hiding(5, ["body"], { body: 1 })),
      { index: 5 },
    ),
    forged("a redaction without its event", "which is not in the bundle", cutRange, { index: 2 }),
    forged("a redaction of a redaction", "cannot be redacted", protectedOne, { index: 8 }),
    forged(
      "a redacted outcome",
      "cannot be redacted",
      withLine(
        2,
        without(redacted.hiding(2, ["outcome"], { outcome: 8 }), ["response", "security", "resource", "details"]),
      ),
      { index: 2 },
    ),
    forged("a part shown and not proved", "is shown, though only its hash", shown, { index: 2 }),
    forged("a seal that hides nothing", "hides nothing and has no nonce", empty, { index: 2 }),
    forged("a refused redaction", "which is not its redaction", refusedRedaction(), { index: 1 }),
    forged(
      "a redaction of what is shown",
      "not of parts that are hidden",
      withLine(2, redacted.hiding(2, ["body"], { body: 8, caller: 8 })),
      { index: 2 },
    ),
  ];
}

function refusedRedaction(): TestBundle {
  const made = logOf(3);
  made.add({
    response: { status_code: 403, error_code: "FORBIDDEN" },
    resource: { type: "audit_event", id: made.entry(1).id, action: "audit_log.redact" },
    details: { part: "body" },
  });
  const bundle = made.bundle();
  bundle.rows[1] = made.hiding(1, ["body"], { body: 3 });
  return bundle;
}

function checkpoints(): BundleCase[] {
  const branch = other12();
  const { log: epoch, before, header: epochHeader } = secondEpoch();
  const lied = epoch.bundle({ ...epochHeader, closed: { ...Object(epochHeader.closed), size: 9 } });
  const longer = logOf(20);
  const given = (...notes: string[]) => ({ options: { checkpoints: notes } });
  const rotated = rotatedLog();
  const oldKey = { vkey: rotated.vkey(testKey("log")) };
  const unsigned = rotated.bundle({ keys: rotated.changes.map((one) => ({ ...one, note: rotated.checkpoint(7) })) });
  const silent = logOf(6);
  silent.changes.push({
    vkey: silent.vkey(testKey("second")),
    note: silent.checkpoint(6, [silent.key, testKey("second")]),
  });
  silent.keys.push(testKey("second"));
  return [
    forged("an older checkpoint of another branch", "something in #0 to #5 differs", log.bundle(), {
      index: 0,
      ...given(branch.checkpoint(6)),
    }),
    forged(
      "a checkpoint of the same size with another root",
      "two histories",
      log.bundle(),
      given(branch.checkpoint()),
    ),
    forged("a newer checkpoint of another branch", "not a continuation", log.bundle(), {
      options: { checkpoints: [logOf(20, other12()).checkpoint(20)], consistency: [longer.consistency(12, 20)] },
    }),
    open("a newer checkpoint without its proof", "--consistency", log.bundle(), given(longer.checkpoint())),
    forged(
      "a checkpoint of another organization",
      "is of the log",
      log.bundle(),
      given(logOf(3, new TestLog(1, OTHER)).checkpoint()),
    ),
    open(
      "a checkpoint of another key",
      "not signed by a known key",
      log.bundle(),
      given(log.checkpoint(5, [testKey("other")])),
    ),
    forged("a closed epoch that was longer than it says", "of which this one kept 6", epoch.bundle(epochHeader), {
      index: 6,
      ...given(before.checkpoint(8)),
    }),
    open(
      "a checkpoint of a closed epoch without its proof",
      "--consistency",
      epoch.bundle(epochHeader),
      given(before.checkpoint(3)),
    ),
    forged("a header that lies of the closed epoch", "The header's closed is not", lied, { index: 0 }),
    forged(
      "an epoch without its first entry",
      "does not say why it began",
      logOf(3, new TestLog(2)).bundle(epochHeader),
      { index: 0 },
    ),
    forged("a closed epoch in the first one", "do not fit the epoch", log.bundle(epochHeader)),
    forged("a change of keys that the old key did not sign", "not signed by both keys", unsigned, { options: oldKey }),
    forged("a chain of keys that is missing", "by another key", rotated.bundle({ keys: [] }), { options: oldKey }),
    forged("a change of keys without its entry", "without an entry that says so", silent.bundle(), {
      options: { vkey: silent.vkey(testKey("log")) },
    }),
  ].map((one) =>
    one.name.includes("epoch") && !one.name.includes("first one")
      ? { ...one, options: { ...one.options, vkey: epoch.vkey() } }
      : one,
  );
}

function witnesses(): BundleCase[] {
  const { log: made, cosignedAt } = witnessedLog();
  const witnesses = [WITNESS_VKEY];
  const heads = made.heads(20, cosignedAt(20));
  const withHeads = (name: string, says: string, change: Json) =>
    forged(name, says, made.bundle({ heads: { ...heads, ...change } }), { options: { witnesses } });
  const { proof, path } = heads;
  const stamped = (name: string, says: string, of: Json | null, stamp: string) =>
    forged(name, says, made.bundle({ checkpoints: [{ note: made.checkpoint(20), heads: of, stamps: [stamp] }] }));
  return [
    withHeads("heads with a surplus hash in the path", "not one of the installation's heads", {
      path: [...list(path), Buffer.alloc(32).toString("base64")],
    }),
    withHeads("heads with a missing hash in the proof", "not one of the installation's heads", {
      proof: list(proof).slice(1),
    }),
    withHeads("heads of another round", "not one of the installation's heads", { ...made.heads(12, cosignedAt(12)) }),
    withHeads("heads with another index", "not one of the installation's heads", { index: 1 }),
    withHeads("heads without a place for this log", "no place for this log", { slots: 3 }),
    withHeads("a cosignature of another time", "witness.example", {
      checkpoint: String(heads.checkpoint).replace(/(— witness.example .{8})..../, "$1AAAA"),
    }),
    withHeads("a cosignature of another key, relabelled", "The signature of witness.example", {
      checkpoint: String(made.heads(20).checkpoint) + cosignatureOf(heads, testKey("other")),
    }),
    withHeads("a cosignature over another text", "The signature of witness.example", {
      checkpoint: String(made.heads(20).checkpoint) + linesOf(made.heads(12, cosignedAt(12))),
    }),
    withHeads("a cosignature that is a signature without a time", "The signature of witness.example", {
      checkpoint: String(heads.checkpoint).replace(/(— witness.example )(\S+)/, (_, name: string, encoded: string) => {
        const bytes = Buffer.from(encoded, "base64");
        return name + Buffer.concat([bytes.subarray(0, 4), bytes.subarray(12)]).toString("base64");
      }),
    }),
    withHeads("a cosigned checkpoint that the log's key did not sign", "not signed by the log's key", {
      checkpoint: String(heads.checkpoint).replace(/— sealwatch.example\S* \S+\n/, ""),
    }),
    open("a log's key given as a witness", "not the verifier key of one", made.bundle({ heads }), {
      options: { witnesses: [made.vkey()] },
    }),
    open("a beginning whose cosignature is by a witness that the reader does not name", "begins at #5", begun(), {}),
    stamped("a time stamp of another checkpoint", "is over another text", heads, stampOver(made.heads(12), START)),
    stamped(
      "a time stamp without the installation's checkpoint",
      "no checkpoint of the installation",
      null,
      stampOver(heads, START),
    ),
    stamped("a time stamp that is none", "is malformed", heads, "AAEC"),
    stamped("a time stamp that is cut off", "is malformed", heads, stampOver(heads, START).slice(0, 48)),
    open("a beginning that a witness shows only for another history", "begins at #5", otherHistory(), {
      options: { witnesses },
    }),
    open("a beginning that expired on the header's word", "on the operator's word", begun(), {
      options: { witnesses },
    }),
    open("a beginning that no witness shows expired", "begins at #5", made.bundle({ first: 5 })),
    forged("an expected request that is missing", "is not in the log", made.bundle(), {
      options: { expect: [idAt(START + 10 * STEP_MS, "sent")] },
    }),
    open("an expected request outside of the times", "Nothing can be said of", made.bundle(), {
      options: { expect: [idAt(START + 30 * DAY_MS, "sent"), "no id"] },
    }),
    ...expectedOfRanges(),
    open("no key", "verifier key of an organization's log is needed", made.bundle(), { options: { vkey: "" } }),
  ];
}

/** Requests that are missing in a range with an event that was sealed an hour late. */
function expectedOfRanges(): BundleCase[] {
  const made = logOf(5);
  made.add({ time: START - 3_600_000 });
  logOf(14, made);
  const of = (header: Json, index: number): [TestBundle, Expected] => {
    return [made.bundle(header), { options: { expect: [idAt(START + index * STEP_MS, "sent")] } }];
  };
  const until = { end: 15, until: at(15) };
  const since = { first: 4, since: at(4) };
  const says = "Nothing can be said of";
  return [
    open("an expected request that can have been sealed behind the range", says, ...of(until, 9)),
    open("an expected request that can have been sealed in front of the range", says, ...of(since, 5)),
    forged("an expected request that is missing since then", "is not in the log", ...of(since, 9)),
  ];
}

/** The lines of cosignatures of the installation's checkpoint in `heads`. */
function linesOf({ checkpoint }: Json): string {
  return String(checkpoint).slice(String(checkpoint).indexOf("— witness.example"));
}

/** A cosignature by another key, under the name and id of the witness. */
function cosignatureOf({ checkpoint }: Json, key: KeyObject): string {
  const { text } = parseNote(String(checkpoint));
  const signature = cosign(text, START / 1000, key, parseVkey(WITNESS_VKEY));
  return formatNote({ text: "", signatures: [signature] }).replace(/^\n/, "");
}

/** A bundle that begins at #5, of which a witness saw long ago that all before had been sealed. */
function begun(): TestBundle {
  const { log: made } = witnessedLog();
  const kept = { note: made.checkpoint(12), heads: made.heads(12, START - 1_000 * DAY_MS), stamps: [] };
  return made.bundle({ first: 5, checkpoints: [kept] });
}

/** A bundle that begins at #5, and a larger checkpoint of another history, which a witness saw long ago. */
function otherHistory(): TestBundle {
  const { log: made } = witnessedLog();
  const other = logOf(24, other12());
  other.publish();
  const size = other.tree.size;
  const kept = { note: other.checkpoint(), heads: other.heads(size, START - 1_000 * DAY_MS), stamps: [] };
  return made.bundle({ first: 5, checkpoints: [kept] });
}

function others(): BundleCase[] {
  const { log: redacted, bundle } = redactedLog();
  const range = () => {
    const made = redacted.bundle({ end: 8, until: at(8) });
    made.rows[2] = bundle.row(2);
    made.rows[5] = bundle.row(5);
    return made;
  };
  const withAlso = (...lines: Json[]) => {
    const made = range();
    made.rows.push(...lines);
    return made;
  };
  const [one, two, three] = [redacted.also(8), redacted.also(9), redacted.also(10)];
  const early = range();
  early.rows.splice(3, 0, one);
  return [
    forged(
      "an event beside the range that was edited",
      "is not the event that was sealed",
      withAlso(redacted.also(8, { ...redacted.line(8), more: 1 })),
    ),
    forged(
      "an event beside the range with another path",
      "is not in the log as it is shown",
      withAlso({ ...one, path: two.path }),
    ),
    forged(
      "an event beside the range with a surplus hash",
      "is not in the log",
      withAlso({ ...one, path: [...list(one.path), SHORT.replace("A", "B")] })
        .text()
        .replace(SHORT.replace("A", "B"), Buffer.alloc(32).toString("base64")),
    ),
    forged("events beside the range out of order", "in order", withAlso(two, one, three)),
    forged("an event beside the range that is in it", "outside of the range", withAlso(redacted.also(3))),
    forged("an event beside the range in front of the last one", "#3 to #7 are missing", early),
    forged(
      "an entry behind an event beside the range",
      "more entries than the header says",
      withAlso(one, redacted.line(9)),
    ),
  ];
}

/** Forgeries, each with what a verifier says; those with code 2 cannot be proved. */
export function forgedBundles(): BundleCase[] {
  return [events(), order(), header(), json(), thin(), hidden(), checkpoints(), witnesses(), others()].flat();
}
