import type { OmittedRange } from "@/lib/destinations/batches/batch";
import { cefExtension, cefHeader } from "@/lib/destinations/formats/cef";
import { ECS_VERSION } from "@/lib/destinations/formats/ecs";
import type { FormatName } from "@/lib/destinations/formats/names";
import { OCSF_VERSION } from "@/lib/destinations/formats/ocsf";
import { OTHER, ocsfClasses } from "@/lib/destinations/formats/ocsf-classes";

/** The log and the time of the batch that omits entries. */
interface Context {
  origin: string;
  epoch: number;
  /** Unix milliseconds. */
  now: number;
}

const reasons: Readonly<Record<OmittedRange["reason"], string>> = {
  filter: "the filter leaves them out",
  expired: "retention deleted them before they were sent",
  missing: "they were sealed, but never stored",
};

function sentenceOf({ first, end, reason }: OmittedRange): string {
  return `Entries ${first} to ${end - 1} of the log are not sent: ${reasons[reason]}.`;
}

const encoders: Readonly<Record<FormatName, (range: OmittedRange, context: Context) => unknown>> = {
  sealwatch: ({ first, end, reason, hashes }, { epoch }) => ({ omitted: { epoch, first, end, reason, hashes } }),
  ocsf: (range, { origin, epoch, now }) => ({
    ...ocsfClasses.base,
    activity_id: OTHER,
    activity_name: "Omitted",
    type_uid: OTHER,
    type_name: "Base Event: Omitted",
    severity_id: 3,
    severity: "Medium",
    time: now,
    message: sentenceOf(range),
    metadata: {
      version: OCSF_VERSION,
      product: { name: "Sealwatch", vendor_name: "Sealwatch" },
      log_name: "audit",
      event_code: "omitted",
    },
    unmapped: { omitted: { origin, epoch, first: range.first, end: range.end, reason: range.reason } },
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
    sealwatch: { omitted: { first: range.first, end: range.end, reason: range.reason } },
  }),
  cef: (range, { origin, epoch, now }) =>
    cefHeader(["Sealwatch", "Sealwatch", "1", "omitted", "Entries omitted", "6"]) +
    cefExtension({
      ...{ rt: now, cat: "audit", act: "omitted", reason: range.reason, msg: sentenceOf(range) },
      ...{ cn1: range.first, cn1Label: "First log index", cn2: epoch, cn2Label: "Log epoch" },
      ...{ cn3: range.end - 1, cn3Label: "Last log index", cs6: origin, cs6Label: "Log" },
    }),
};

/**
 * Consecutive entries that are not sent, in a format. What retention deleted and what was never stored is always said; what the filter
 * leaves out only in our own format, where it is needed to verify the rest: null otherwise.
 */
export function encodeOmission(format: FormatName, range: OmittedRange, context: Context): unknown {
  return range.reason === "filter" && format !== "sealwatch" ? null : encoders[format](range, context);
}
