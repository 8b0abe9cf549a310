import * as z from "zod";
import type { Severity } from "@/lib/destinations/formats/facts";
import { summaryOf } from "@/lib/destinations/formats/summary";
import { parsedAnswer } from "@/lib/destinations/kinds/answers";
import { compressed } from "@/lib/destinations/kinds/compressed";
import { type datadogShape, intakeUrl } from "@/lib/destinations/kinds/datadog/shape";
import type { SendContext, SendOf, SettingsOf, SinkAnswer } from "@/lib/destinations/kinds/kind";
import { type PartLimits, partsOf } from "@/lib/destinations/kinds/parts";
import { recordId, recordSeverity, recordsOf, recordTime, type SinkRecord } from "@/lib/destinations/kinds/records";
import { assertAccepted, failureOfAnswer } from "@/lib/destinations/kinds/send-failure";

/** 5 MB, uncompressed, and 1,000 logs per request (Datadog, "Send logs"), with room for the brackets. */
const LIMITS: PartLimits = { count: 1_000, bytes: 4_900_000 };
/** A longer log is cut by Datadog without an error, so that it is not sent. */
const ONE: PartLimits = { count: 1, bytes: 1_000_000 };
/** Datadog takes times up to 18 hours back. Older logs get the time of their arrival, and have their own within. */
const MAX_AGE_MS = 17 * 3_600_000;

const statuses: Readonly<Record<Severity, string>> = {
  informational: "info",
  low: "notice",
  medium: "warn",
  high: "error",
};

/** A log with the event under the format's name, where it cannot be taken for attributes that Datadog reserves. */
function logOf(
  record: SinkRecord,
  batch: { origin: string; epoch: number },
  { service, tags }: SettingsOf<typeof datadogShape>,
  { now, format }: SendContext,
) {
  const { event, value } = record;
  const time = recordTime(record, now);
  return {
    ddsource: "sealwatch",
    ...(tags !== "" && { ddtags: tags }),
    hostname: batch.origin.split("/")[0],
    service,
    status: statuses[recordSeverity(record)],
    message: event === null ? "Entries of the log are not sent." : summaryOf(event),
    ...(now - time < MAX_AGE_MS && { timestamp: new Date(time).toISOString() }),
    entry: { uid: recordId(record, batch), origin: batch.origin, epoch: batch.epoch, index: event?.seal.index },
    [format.name]: value,
  };
}

/** Throws SendFailure unless the intake took the logs. It answers an empty object or nothing. */
function assertTaken(answer: SinkAnswer, now: number): void {
  assertAccepted(answer, now);
  if (answer.body.length === 0 || parsedAnswer(answer, z.strictObject({})) !== null) return;
  throw failureOfAnswer(answer, now, "unexpected response: not that of a log intake");
}

/** Posts logs to the intake. Datadog answers 202 before it has indexed them, and does not recognize duplicates. */
export const sendDatadog: SendOf<typeof datadogShape> = async (batch, { settings, secrets }, context) => {
  const items = recordsOf(batch, context).map((record) => ({
    text: JSON.stringify(logOf(record, batch, settings, context)),
  }));
  partsOf(items, ONE);
  for (const part of partsOf(items, LIMITS)) {
    const { body, encoding } = await compressed(`[${part.map(({ text }) => text).join(",")}]`);
    const answer = await context.fetch({
      method: "POST",
      url: intakeUrl(settings),
      headers: { "content-type": "application/json", ...encoding, "dd-api-key": secrets.api_key },
      body,
    });
    assertTaken(answer, context.now);
  }
};
