import type { OmittedRange } from "@/lib/destinations/batches/batch";
import { cefExtension, cefHeader, cefSeverities } from "@/lib/destinations/formats/cef";
import { ECS_VERSION } from "@/lib/destinations/formats/ecs";
import type { Severity } from "@/lib/destinations/formats/facts";
import type { FormatName } from "@/lib/destinations/formats/names";
import { OCSF_VERSION, ocsfSeverities } from "@/lib/destinations/formats/ocsf";
import { OTHER, ocsfClasses } from "@/lib/destinations/formats/ocsf-classes";

/** The log and the time of the batch that omits entries. */
interface Context {
  origin: string;
  epoch: number;
  /** Unix milliseconds. */
  now: number;
}

/** What a record says of entries that are not sent. */
export interface Omitted extends OmittedRange {
  /** How many; fewer than the range has if some of it have records of their own. */
  entries: number;
}

/**
 * What is said of the entries that a batch omits. Our own format says each range with its hashes, which verify the rest. The others say
 * once per batch how many entries the filters leave out: a record for each gap would be as many as events if few of them match.
 */
export function omittedIn(format: FormatName, omitted: readonly OmittedRange[]): Omitted[] {
  const ranges = omitted.map((range) => ({ ...range, entries: range.end - range.first }));
  if (format === "sealwatch") return ranges;
  const filtered = ranges.filter(({ reason }) => reason === "filter");
  const [first, last] = [filtered[0], filtered.at(-1)];
  if (first === undefined || last === undefined) return ranges;
  const entries = filtered.reduce((sum, range) => sum + range.entries, 0);
  const others = ranges.filter((range) => range === first || range.reason !== "filter");
  return others.map((range) => (range === first ? { ...first, end: last.end, entries } : range));
}

/** A filter is what somebody wants; the other reasons are losses. */
export function omissionSeverity({ reason }: Omitted): Severity {
  return reason === "filter" ? "informational" : "medium";
}

const reasons: Readonly<Record<OmittedRange["reason"], string>> = {
  filter: "the filters leave them out",
  expired: "retention deleted them before they were sent",
  missing: "they were sealed, but never stored",
};

function sentenceOf({ first, end, reason, entries }: Omitted): string {
  const range = `${first} to ${end - 1} of the log`;
  const which = entries === end - first ? `Entries ${range}` : `${entries} of the entries ${range}`;
  return `${which} are not sent: ${reasons[reason]}.`;
}

const saidOf = ({ first, end, reason, entries }: Omitted) => ({ first, end, reason, entries });

const encoders: Readonly<Record<FormatName, (range: Omitted, context: Context) => unknown>> = {
  sealwatch: ({ first, end, reason, hashes }, { epoch }) => ({ omitted: { epoch, first, end, reason, hashes } }),
  ocsf: (range, { origin, epoch, now }) => ({
    ...ocsfClasses.base,
    activity_id: OTHER,
    activity_name: "Omitted",
    type_uid: OTHER,
    type_name: "Base Event: Omitted",
    ...ocsfSeverities[omissionSeverity(range)],
    time: now,
    message: sentenceOf(range),
    metadata: {
      version: OCSF_VERSION,
      product: { name: "Sealwatch", vendor_name: "Sealwatch" },
      log_name: "audit",
      event_code: "omitted",
    },
    unmapped: { omitted: { origin, epoch, ...saidOf(range) } },
  }),
  ecs: (range, { origin, epoch, now }) => ({
    "@timestamp": new Date(now).toISOString(),
    ecs: { version: ECS_VERSION },
    message: sentenceOf(range),
    event: {
      kind: "event",
      category: ["configuration"],
      type: ["info"],
      action: "omitted",
      outcome: "unknown",
      module: "sealwatch",
      dataset: "sealwatch.audit",
    },
    labels: { log_origin: origin, log_epoch: String(epoch) },
    sealwatch: { omitted: saidOf(range) },
  }),
  cef: (range, { origin, epoch, now }) =>
    cefHeader([
      "Sealwatch",
      "Sealwatch",
      "1",
      "omitted",
      "Entries omitted",
      String(cefSeverities[omissionSeverity(range)]),
    ]) +
    cefExtension({
      ...{ rt: now, cat: "audit", act: "omitted", reason: range.reason, msg: sentenceOf(range) },
      ...{ cn1: range.first, cn1Label: "First log index", cn2: epoch, cn2Label: "Log epoch" },
      ...{ cn3: range.end - 1, cn3Label: "Last log index", cs6: origin, cs6Label: "Log" },
    }),
};

/** Entries that are not sent, in a format. */
export function encodeOmission(format: FormatName, range: Omitted, context: Context): unknown {
  return encoders[format](range, context);
}
