import * as z from "zod";
import type { Batch } from "@/lib/destinations/batches/batch";
import type { Severity } from "@/lib/destinations/formats/facts";
import { parsedAnswer, said } from "@/lib/destinations/kinds/answers";
import { compressed } from "@/lib/destinations/kinds/compressed";
import type { SendOf, SinkAnswer } from "@/lib/destinations/kinds/kind";
import { anyValue, keyValues } from "@/lib/destinations/kinds/otlp/any-value";
import type { otlpShape } from "@/lib/destinations/kinds/otlp/shape";
import { type PartLimits, partsOf } from "@/lib/destinations/kinds/parts";
import { recordId, recordSeverity, recordsOf, recordTime, type SinkRecord } from "@/lib/destinations/kinds/records";
import { assertAccepted, failureOfAnswer } from "@/lib/destinations/kinds/send-failure";

/** The usual limit of receivers is 4 MiB. */
const LIMITS: PartLimits = { count: 1_000, bytes: 3_500_000 };

/** OTLP's SeverityNumber: INFO, INFO2, WARN, ERROR. */
const severityNumbers: Readonly<Record<Severity, number>> = { informational: 9, low: 10, medium: 13, high: 17 };

/** Numbers of 64 bits may be numbers or texts. */
const exportAnswer = z.object({
  partialSuccess: z
    .object({
      rejectedLogRecords: z.union([z.number(), z.string().regex(/^\d{1,19}$/)]).default(0),
      errorMessage: z.string().default(""),
    })
    .nullish(),
});

/** A log record (`opentelemetry.proto.logs.v1.LogRecord`). `log.record.uid` is how receivers recognize duplicates. */
function logRecord(record: SinkRecord, batch: Batch, now: number) {
  const { event, value } = record;
  const severity = recordSeverity(record);
  return {
    timeUnixNano: `${recordTime(record, now)}000000`,
    observedTimeUnixNano: `${now}000000`,
    severityNumber: severityNumbers[severity],
    severityText: severity,
    eventName: event === null ? "omitted" : (event.resource.action ?? "request"),
    body: anyValue(value),
    attributes: keyValues({
      "log.record.uid": recordId(record, batch),
      "sealwatch.log.index": event?.seal.index,
      "sealwatch.log.epoch": batch.epoch,
    }),
  };
}

/** The body of a request with the given records, as JSON texts. */
function requestOf(records: readonly string[], origin: string): string {
  const attributes = keyValues({ "service.name": "sealwatch", "sealwatch.log.origin": origin });
  const [before, after] = JSON.stringify({
    resourceLogs: [{ resource: { attributes }, scopeLogs: [{ scope: { name: "sealwatch.audit" }, logRecords: [] }] }],
  }).split('"logRecords":[]');
  return `${before}"logRecords":[${records.join(",")}]${after}`;
}

/** Throws SendFailure unless all records were taken. An empty answer, as with 204, takes them. */
function assertTaken(answer: SinkAnswer, count: number, now: number): void {
  assertAccepted(answer, now);
  if (answer.body.length === 0) return;
  const parsed = parsedAnswer(answer, exportAnswer);
  if (parsed === null) throw failureOfAnswer(answer, now, "unexpected response: not that of an OTLP receiver");
  const rejected = Number(parsed.partialSuccess?.rejectedLogRecords ?? 0);
  if (rejected === 0) return;
  const why = said(parsed.partialSuccess?.errorMessage ?? "") || "without a reason";
  throw failureOfAnswer(answer, now, `${rejected} of ${count} records were rejected: ${why}`);
}

/** Posts log records in the JSON encoding of OTLP. Whatever the answer, what was not taken is sent again. */
export const sendOtlp: SendOf<typeof otlpShape> = async (batch, { settings, secrets }, context) => {
  const items = recordsOf(batch, context).map((record) => ({
    text: JSON.stringify(logRecord(record, batch, context.now)),
  }));
  for (const part of partsOf(items, LIMITS)) {
    const { body, encoding } = await compressed(
      requestOf(
        part.map(({ text }) => text),
        batch.origin,
      ),
    );
    const answer = await context.fetch({
      method: "POST",
      url: settings.url,
      headers: {
        "content-type": "application/json",
        ...encoding,
        ...(secrets.header_value !== null && { [settings.header]: secrets.header_value }),
      },
      body,
    });
    assertTaken(answer, part.length, context.now);
  }
};
