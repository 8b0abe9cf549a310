import * as z from "zod";
import type { Batch } from "@/lib/destinations/batches/batch";
import { parsedAnswer, said } from "@/lib/destinations/kinds/answers";
import { compressed } from "@/lib/destinations/kinds/compressed";
import type { SendContext, SendOf, SettingsOf, SinkAnswer } from "@/lib/destinations/kinds/kind";
import { type PartLimits, partsOf } from "@/lib/destinations/kinds/parts";
import { recordsOf, recordTime, type SinkRecord } from "@/lib/destinations/kinds/records";
import { failureOfAnswer, type SendFailure } from "@/lib/destinations/kinds/send-failure";
import { awaitAcknowledgement } from "@/lib/destinations/kinds/splunk/acknowledge";
import { type splunkShape, splunkUrl } from "@/lib/destinations/kinds/splunk/shape";

/** What Splunk recommends for one request (Splunk Cloud, "HTTP Event Collector"). */
const LIMITS: PartLimits = { count: 1_000, bytes: 1_000_000 };

const sourcetypes: Readonly<Record<string, string>> = {
  sealwatch: "sealwatch:audit",
  ocsf: "sealwatch:ocsf",
  ecs: "sealwatch:ecs",
  cef: "cef",
};

/** An answer of the collector. `invalid-event-number`: the position of the first event that it did not take. */
const hecAnswer = z.object({
  text: z.string(),
  code: z.int(),
  ackId: z.int().nonnegative().optional(),
  "invalid-event-number": z.int().nonnegative().optional(),
});

/** An event in the form of the collector. Its metadata say where in the log it is. */
function hecEvent(record: SinkRecord, batch: Batch, settings: SettingsOf<typeof splunkShape>, context: SendContext) {
  const { value } = record;
  const { origin, epoch } = batch;
  return {
    time: recordTime(record, context.now) / 1000,
    host: origin.split("/")[0],
    source: "sealwatch",
    sourcetype: settings.sourcetype ?? sourcetypes[context.format.name],
    ...(settings.index !== null && { index: settings.index }),
    event: value,
    fields: { log_origin: origin, log_epoch: String(epoch), ...placeOf(record) },
  };
}

/** A search without duplicates drops what has no index: a range has its first one, and `log_end` behind its last. */
function placeOf(record: SinkRecord): Record<string, string> {
  if (record.event === null) return { log_index: String(record.range.first), log_end: String(record.range.end) };
  return { log_index: String(record.event.seal.index), event_id: record.event.id };
}

/** The failure that an answer stands for, with what the collector says. */
function failureOf(answer: SinkAnswer, part: readonly SinkRecord[], now: number): SendFailure {
  const parsed = parsedAnswer(answer, hecAnswer);
  if (parsed === null) {
    const isAccepted = answer.status >= 200 && answer.status <= 299;
    return failureOfAnswer(answer, now, isAccepted ? "unexpected response: not that of an event collector" : undefined);
  }
  const refused = part[parsed["invalid-event-number"] ?? -1]?.event;
  const at = refused ? ` at entry ${refused.seal.index}` : "";
  return failureOfAnswer(answer, now, `HTTP status ${answer.status}: ${said(parsed.text)} (code ${parsed.code})${at}`);
}

/**
 * Sends events to `/services/collector/event`. If the token has indexer acknowledgement, waits until all are indexed. The channel is
 * the destination's id. A refusal in the middle fails the batch: events before it are there twice after the next attempt.
 */
export const sendSplunk: SendOf<typeof splunkShape> = async (batch, { id, settings, secrets }, context) => {
  const headers = { authorization: `Splunk ${secrets.token}`, "x-splunk-request-channel": id };
  const items = recordsOf(batch, context).map((record) => ({
    record,
    text: JSON.stringify(hecEvent(record, batch, settings, context)),
  }));
  const acknowledgements: number[] = [];
  for (const part of partsOf(items, LIMITS)) {
    const { body, encoding } = await compressed(part.map(({ text }) => text).join("\n"));
    const answer = await context.fetch({
      method: "POST",
      url: splunkUrl(settings.url, "event"),
      headers: { ...headers, ...encoding, "content-type": "application/json" },
      body,
    });
    const taken = answer.status >= 200 && answer.status <= 299 ? parsedAnswer(answer, hecAnswer) : null;
    if (taken?.code !== 0)
      throw failureOf(
        answer,
        part.map(({ record }) => record),
        context.now,
      );
    if (taken.ackId !== undefined) acknowledgements.push(taken.ackId);
  }
  await awaitAcknowledgement(splunkUrl(settings.url, "ack"), headers, acknowledgements, context);
};
