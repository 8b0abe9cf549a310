import type { Batch } from "@/lib/destinations/batches/batch";
import type { Severity } from "@/lib/destinations/formats/facts";
import { recordSeverity, recordTime, type SinkRecord } from "@/lib/destinations/kinds/records";

/** The facility "log audit" (RFC 5424, 6.2.1). */
const FACILITY = 13;
const severities: Readonly<Record<Severity, number>> = { informational: 6, low: 5, medium: 4, high: 3 };
const MAX_HOSTNAME = 255;
const MAX_MSGID = 32;

/** Visible ASCII of a header field, `-` for nothing (RFC 5424, 6). */
function field(text: string, max: number): string {
  return text.replace(/[^\x21-\x7e]/g, "").slice(0, max) || "-";
}

/** JSON of ASCII alone: a message in UTF-8 would have to begin with a byte order mark, which readers of JSON refuse (6.4). */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A record as a message of RFC 5424, without a line break. Structured data have registered names alone: ours would need a number of
 * an enterprise, and where in the log the event is stands in the event. `sequence` counts the messages of a connection from 1.
 */
export function syslogMessage(record: SinkRecord, sequence: number, { origin }: Pick<Batch, "origin">, now: number) {
  const { event, value } = record;
  const priority = FACILITY * 8 + severities[recordSeverity(record)];
  const time = new Date(recordTime(record, now)).toISOString();
  const host = field(origin.replace(/(?::\d+)?\/.*$/, ""), MAX_HOSTNAME);
  const id = field(event === null ? "omitted" : (event.resource.action ?? ""), MAX_MSGID);
  const data = `[timeQuality tzKnown="1"][origin software="Sealwatch"][meta sequenceId="${sequence}"]`;
  const text = typeof value === "string" ? value : asciiJson(value);
  return `<${priority}>1 ${time} ${host} sealwatch - ${id} ${data} ${text}`;
}

/** A message with its length in front, in bytes (RFC 5425, 4.3). */
export function octetCounted(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`;
}
