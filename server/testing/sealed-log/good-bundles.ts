import { parseNote } from "@/lib/sealed-log/note";
import { DAY_MS } from "@/lib/time/units";
import {
  type Json,
  START,
  STEP_MS,
  type TestBundle,
  TestLog,
  testKey,
  WITNESS_VKEY,
  without,
} from "@/server/testing/sealed-log/test-log";
import { unsignedToken } from "@/server/testing/sealed-log/test-stamp";

/** When the bundles are verified. */
const NOW = START + 100 * DAY_MS;

/** What a verifier is given besides the file. */
export interface VerifyOptions {
  vkey: string;
  now: number;
  checkpoints?: string[];
  consistency?: string[];
  witnesses?: string[];
  retentionDays?: number;
  expect?: string[];
}

export interface BundleCase {
  name: string;
  text: string;
  options: VerifyOptions;
  code: 0 | 1 | 2;
  /** What the sentences contain. */
  says: string;
  index?: number | null;
}

export function logOf(count: number, log = new TestLog()): TestLog {
  for (let made = 0; made < count; made++) log.add();
  return log;
}

export const optionsOf = (log: TestLog): VerifyOptions => ({ vkey: log.vkey(), now: NOW });

const good = (
  name: string,
  log: TestLog,
  bundle: TestBundle,
  options: Partial<VerifyOptions> = {},
  says = "Proved:",
): BundleCase => ({
  ...{ name, text: bundle.text(), options: { ...optionsOf(log), ...options }, says },
  code: 0,
});

/** Days that plans keep events. */
const PLAN_DAYS = { free: 30, team: 180, business: 365 };
type Plan = keyof typeof PLAN_DAYS;

/** A log of events that are a day apart, some of which change the plan: by index, from which plan to which. */
export function dailyLog(count: number, changes: Readonly<Record<number, readonly [Plan, Plan]>>): TestLog {
  const log = new TestLog();
  for (let index = 0; index < count; index++) {
    const time = START + index * DAY_MS;
    const change = changes[index];
    if (change === undefined) log.add({ time });
    else addPlanChange(log, time, change);
  }
  return log;
}

function addPlanChange(log: TestLog, time: number, [from, to]: readonly [Plan, Plan]): void {
  log.add({
    ...{ time, request: null, resource: { action: "organization.set_plan" }, security: { flags: ["plan_changed"] } },
    details: { plan: { from, to }, retention_days: { from: PLAN_DAYS[from], to: PLAN_DAYS[to] } },
  });
}

/** A log whose plan changed: 30 days until day 40, then 365. Its events are a day apart; the plan's change is #40. */
export const planLog = (): TestLog => dailyLog(60, { 40: ["free", "business"] });

/** The lines at these positions become thin. */
export function thinned(log: TestLog, bundle: TestBundle, from: number, end: number): TestBundle {
  for (let index = from; index < end; index++) bundle.rows[index] = log.thin(index);
  return bundle;
}

/** When an entry of `dailyLog` was sealed. */
export const onDay = (index: number) => new Date(START + index * DAY_MS).toISOString();

/** A log with the redaction of parts of #2 and #5, and its bundle. */
export function redactedLog(): { log: TestLog; bundle: TestBundle } {
  const log = logOf(8);
  const redact = (of: number, part: string) =>
    log.add({
      response: { status_code: 202 },
      resource: { type: "audit_event", id: log.entry(of).id, action: "audit_log.redact" },
      details: { part, reason: "A secret in a body" },
    });
  const [first, second, third] = [redact(2, "body"), redact(5, "body"), redact(5, "caller")];
  log.add();
  const bundle = log.bundle();
  bundle.rows[2] = log.hiding(2, ["body"], { body: first });
  bundle.rows[5] = log.hiding(5, ["body", "caller"], { body: second, caller: third });
  return { log, bundle };
}

function redactedOutside(): BundleCase {
  const { log } = redactedLog();
  const bundle = log.bundle({ first: 1, end: 7, since: at(1), until: at(7) });
  bundle.rows[1] = log.hiding(2, ["body"], { body: 8 });
  bundle.rows[4] = log.hiding(5, ["body", "caller"], { body: 9, caller: 10 });
  bundle.rows.push(log.also(8), log.also(9), log.also(10));
  return good("redactions whose events are outside of the range", log, bundle, {}, "were redacted, by #8, #9, #10.");
}

/** The time of an entry of `logOf`. */
export const at = (index: number) => new Date(START + index * STEP_MS).toISOString();

function planned(): BundleCase[] {
  const log = planLog();
  // Until day 40 events were kept for 30 days: those of day 10 and before were dropped by then.
  const expired = (bundle: TestBundle) => thinned(log, bundle, 0, 11);
  const early = expired(log.bundle({ end: 20, until: onDay(20) }));
  early.rows.push(log.also(40));
  const held = dailyLog(100, { 5: ["team", "free"] });
  const invented = dailyLog(60, {});
  addPlanChange(invented, START + 60 * DAY_MS, ["free", "business"]);
  const late = dailyLog(20, {});
  addPlanChange(late, START + 20 * DAY_MS, ["team", "free"]);
  late.add({ time: START + 20 * DAY_MS - 3_600_000 });
  const closed = dailyLog(100, { 20: ["free", "business"] });
  return [
    good("events that expired under an earlier plan", log, expired(log.bundle()), {}, "11 entries had expired"),
    good("such events of a range that ends before the plan was changed", log, early, {}, "11 entries had expired"),
    good(
      "expired events behind a change of the plan that is on hold, under the days that the reader knows",
      held,
      thinned(held, held.bundle(), 6, 71),
      { retentionDays: 30 },
      "65 entries had expired",
    ),
    good(
      "events that were deleted behind an invented change of the plan, which the verdict names",
      invented,
      thinned(invented, invented.bundle(), 0, 31),
      { retentionDays: 365 },
      `Events were kept 30 days until #60 changed the plan (${onDay(60)}).`,
    ),
    good(
      "events that expired since the plan was changed",
      held,
      thinned(held, held.bundle(), 0, 5),
      {},
      `Events have been kept 30 days since #5 changed the plan (${onDay(5)}).`,
    ),
    good(
      "expired events of a closed epoch, under the days that the reader knows from later changes of the plan",
      closed,
      thinned(closed, closed.bundle({ is_closed: true }), 0, 71),
      { retentionDays: 30 },
      "71 entries had expired",
    ),
    good(
      "an expired event that was sealed behind a change of the plan, but occurred before it",
      late,
      thinned(late, late.bundle(), 21, 22),
      {},
      "1 entry had expired",
    ),
  ];
}

/** A log whose key was changed at #6. */
export function rotatedLog(): TestLog {
  const log = logOf(6);
  log.rotate(testKey("second"));
  return logOf(4, log);
}

/** The second epoch of a log that was signed up to 9 and restored up to 6. */
export function secondEpoch(): { log: TestLog; before: TestLog; header: Json } {
  const before = logOf(9);
  const log = new TestLog(2);
  const head = (size: number) => ({ size, root: Buffer.from(before.tree.head(size).root).toString("base64") });
  const header = { previous: { origin: before.origin, ...head(9) }, closed: head(6) };
  log.add({
    request: null,
    resource: { action: "audit_log.epoch_started" },
    details: { reason: "restored", ...header },
  });
  return { log: logOf(5, log), before, header };
}

/** A log with three rounds, of 5, 12 and 20 entries, each cosigned an hour after its last entry. */
export function witnessedLog(): { log: TestLog; cosignedAt: (size: number) => number } {
  const log = new TestLog();
  for (const size of [5, 12, 20]) {
    logOf(size - log.tree.size, log);
    log.publish();
  }
  return { log, cosignedAt: (size) => START + (size - 1) * STEP_MS + 30_000 };
}

/** A time stamp over the installation's checkpoint in `heads`, as base64. */
export function stampOver(heads: Json, time: number): string {
  return unsignedToken(parseNote(String(heads.checkpoint)).text, time).toString("base64");
}

function witnessed(): BundleCase[] {
  const { log, cosignedAt } = witnessedLog();
  const kept = (size: number) => {
    const heads = log.heads(size, cosignedAt(size));
    return { note: log.checkpoint(size), heads, stamps: [stampOver(heads, cosignedAt(size))] };
  };
  const notLast = (size: number) => ({ ...kept(size), heads: log.heads(size, cosignedAt(size), 3), stamps: [] });
  const checkpoints = [kept(5), kept(12), kept(20)];
  const witnesses = [WITNESS_VKEY];
  const range = log.bundle({ first: 5, end: 12, since: at(5), until: at(11), checkpoints: [kept(5), kept(12)] });
  return [
    good(
      "a log that a witness saw",
      log,
      log.bundle({ checkpoints, heads: log.heads(20) }),
      { witnesses },
      "covers 20 entries. The signatures of authorities were not checked",
    ),
    good("a range whose ends a witness saw", log, range, { witnesses }, "Proved: 7 entries, #5 to #11,"),
    good(
      "a range whose end is not the last entry of what a witness saw",
      log,
      log.bundle({ first: 5, end: 12, since: at(5), until: at(11), checkpoints: [kept(5), notLast(12)] }),
      { witnesses },
      "The ends of the range rest on the operator's clock.",
    ),
    good(
      "a beginning that a witness saw sealed long ago",
      log,
      log.bundle({
        first: 5,
        checkpoints: [{ ...kept(12), heads: log.heads(12, START - 1_000 * DAY_MS), stamps: [] }],
      }),
      { witnesses, retentionDays: 365 },
    ),
    cutBehindPlan(),
    good("a range without a known witness", log, range, {}, "The ends of the range rest on the operator's clock."),
  ];
}

/** A bundle whose beginning has expired by a change of the plan in it. */
function cutBehindPlan(): BundleCase {
  const log = dailyLog(60, { 50: ["business", "free"] });
  log.publish();
  const kept = { note: log.checkpoint(60), heads: log.heads(60, START + 60 * DAY_MS), stamps: [] };
  return good(
    "a beginning that expired since the plan was changed",
    log,
    log.bundle({ first: 5, checkpoints: [kept] }),
    { witnesses: [WITNESS_VKEY] },
    `Events have been kept 30 days since #50 changed the plan (${onDay(50)}).`,
  );
}

function late(): BundleCase {
  const { log, cosignedAt } = witnessedLog();
  log.add({ time: START });
  log.publish();
  const checkpoints = [{ note: log.checkpoint(20), heads: log.heads(20, cosignedAt(20)), stamps: [] }];
  return good(
    "a late event",
    log,
    log.bundle({ checkpoints }),
    { witnesses: [WITNESS_VKEY] },
    "Late by more than two minutes: #20.",
  );
}

function ahead(): BundleCase {
  const { log, cosignedAt } = witnessedLog();
  // Within the tolerance of two minutes, and beyond it.
  log.add({ time: cosignedAt(22) + 120_000 });
  log.add({ time: cosignedAt(22) + 120_001 });
  log.publish();
  const checkpoints = [{ note: log.checkpoint(22), heads: log.heads(22, cosignedAt(22)), stamps: [] }];
  return good(
    "an event with a time after it was witnessed",
    log,
    log.bundle({ checkpoints }),
    { witnesses: [WITNESS_VKEY] },
    "Ahead of their time by more than two minutes: #21.",
  );
}

/** Bundles with which nothing is wrong. */
export function goodBundles(): BundleCase[] {
  const log = logOf(23);
  const { log: redactedOne, bundle: redacted } = redactedLog();
  const old = rotatedLog();
  const { log: epoch, before, header } = secondEpoch();
  const numbers = log.bundle({ first: 4, end: 4, since: at(4), until: at(4) });
  const texts = log.bundle();
  texts.rows[7] = JSON.stringify(log.line(7), null, 1).replaceAll("\n", " ").replaceAll("ü", "\\u00fC");
  const bare = log.bundle();
  for (const [index] of bare.rows.entries()) {
    const row = bare.row(index);
    row.seal = without(row.seal, ["commitment"]);
  }
  const large = new TestLog();
  large.add({ details: { values: [2 ** 53, -(2 ** 60), 12345678901234567000, 1e21, 1.7976931348623157e308] } });
  const imported = new TestLog();
  for (let index = 0; index < 4; index++) imported.add({ time: START - (4 - index) * DAY_MS });
  imported.add({ request: null, resource: { action: "audit_log.sealing_started" }, details: { imported: 4 } });
  return [
    good("an empty log", new TestLog(), new TestLog().bundle(), {}, "an empty range"),
    good("one entry", logOf(1), logOf(1).bundle()),
    good("a whole log", log, log.bundle(), {}, "23 entries, #0 to #22,"),
    good("a range", log, log.bundle({ first: 6, end: 19, since: at(6), until: at(19) })),
    good("an empty range", log, numbers),
    good("other JSON of the same event", log, texts),
    good("seals without commitments", log, bare),
    good("large integers", large, large.bundle()),
    good(
      "kept checkpoints",
      log,
      log.bundle({ checkpoints: [4, 9, 23].map((size) => ({ note: log.checkpoint(size), heads: null, stamps: [] })) }),
    ),
    good("an older checkpoint of the reader", log, log.bundle(), {
      checkpoints: [log.checkpoint(7), log.checkpoint(0)],
    }),
    good("a checkpoint that was copied out of a mail", log, log.bundle(), {
      checkpoints: [
        `\r\n${log.checkpoint(7).replaceAll("\n", "\r\n")}\r\n`,
        log.checkpoint(4).replace("\n", " \n").trim(),
      ],
    }),
    good("a bundle under an older checkpoint", log, log.bundle({ end: 9, until: at(9) }, 15)),
    good("a newer checkpoint with its proof", log, log.bundle({}, 15), {
      ...{ checkpoints: [log.checkpoint(23)], consistency: [log.consistency(15, 23)] },
    }),
    good("an older checkpoint in front of the range with its proof", log, log.bundle({ first: 9, since: at(9) }), {
      ...{ checkpoints: [log.checkpoint(5)], consistency: [log.consistency(5, 23)] },
    }),
    good("redactions", redactedOne, redacted, {}, "2 entries were redacted, by #8, #9, #10."),
    redactedOutside(),
    ...planned(),
    good(
      "expired events under the days that the reader knows",
      log,
      thinAll(log),
      { retentionDays: 30 },
      "23 entries had expired",
    ),
    good("imported events", imported, imported.bundle(), {}, "4 entries were stored before sealing began"),
    good(
      "a changed key, from the old one",
      old,
      old.bundle(),
      { vkey: old.vkey(testKey("log")) },
      "The key was changed",
    ),
    good("a changed key, from the new one", old, old.bundle()),
    good("a second epoch", epoch, epoch.bundle(header), {}, "LOST: of epoch 1"),
    good("a second epoch and a checkpoint that it kept", epoch, epoch.bundle(header), {
      checkpoints: [before.checkpoint(6)],
    }),
    ...witnessed(),
    late(),
    ahead(),
    good("expected requests", log, log.bundle(), { expect: [log.entry(3).id, log.entry(20).id] }),
    good("expected requests of a range", log, log.bundle({ first: 2, end: 9, since: at(2), until: at(9) }), {
      expect: [log.entry(3).id],
    }),
  ];
}

export function thinAll(log: TestLog): TestBundle {
  const bundle = log.bundle();
  bundle.rows.forEach((_, index) => {
    bundle.rows[index] = log.thin(index);
  });
  return bundle;
}
