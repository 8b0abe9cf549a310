import * as z from "zod";
import { parsedAnswer } from "@/lib/destinations/kinds/answers";
import { compressed } from "@/lib/destinations/kinds/compressed";
import { bulkUrl, type elasticShape } from "@/lib/destinations/kinds/elastic/shape";
import type { SecretsOf, SendContext, SendOf, SettingsOf, SinkAnswer } from "@/lib/destinations/kinds/kind";
import { type PartLimits, partsOf } from "@/lib/destinations/kinds/parts";
import { recordId, recordsOf, recordTime, type SinkRecord } from "@/lib/destinations/kinds/records";
import { assertAccepted, failureOfAnswer, SendFailure } from "@/lib/destinations/kinds/send-failure";

const LIMITS: PartLimits = { count: 500, bytes: 4_000_000 };
/** Of an answer, what is read: it names each document. */
const FILTER = "filter_path=errors,items.*.status,items.*.error.type";

const item = z.object({ status: z.int(), error: z.object({ type: z.string() }).optional() });
const bulkAnswer = z.object({ errors: z.boolean(), items: z.array(z.object({ create: item })) });
/** A document that contradicts the mapping of its index, or would give it too many fields; of Elasticsearch and OpenSearch. */
const MAPPING_ERRORS: ReadonlySet<string> = new Set([
  "document_parsing_exception",
  "mapper_parsing_exception",
  "strict_dynamic_mapping_exception",
  "illegal_argument_exception",
]);
/** Events as they are have `details` of various types, which only an index that is told so takes. */
const TEMPLATE = "; this format may need the index template of docs/operations/destinations.md";
const CREATED = 201;
/** A document with this id exists: it was sent before. */
const EXISTS = 409;

/** Creates a document with the record's id, so that a repeat changes nothing. Data streams require `@timestamp`. */
function actionOf(record: SinkRecord, batch: { origin: string; epoch: number }, now: number): string {
  const document = { "@timestamp": new Date(recordTime(record, now)).toISOString(), ...(record.value as object) };
  return `${JSON.stringify({ create: { _id: recordId(record, batch) } })}\n${JSON.stringify(document)}`;
}

function credentialsOf(
  { username }: SettingsOf<typeof elasticShape>,
  { api_key, password }: SecretsOf<typeof elasticShape>,
): Record<string, string> {
  if (api_key !== null) return { authorization: `ApiKey ${api_key}` };
  if ((username === null) !== (password === null))
    throw new SendFailure("a user name needs a password, and a password a user name");
  if (username === null) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** Throws SendFailure unless each document was created or exists. */
function assertTaken(
  answer: SinkAnswer,
  part: readonly SinkRecord[],
  { now, format }: Pick<SendContext, "now" | "format">,
): void {
  assertAccepted(answer, now);
  const parsed = parsedAnswer(answer, bulkAnswer);
  if (parsed?.items.length !== part.length) {
    throw failureOfAnswer(answer, now, "unexpected response: not that of a bulk request");
  }
  const isRefused = ({ create: { status } }: (typeof parsed.items)[number]) => status !== CREATED && status !== EXISTS;
  const refused = parsed.items.filter(isRefused);
  const [first] = refused;
  if (first === undefined) return;
  const { status, error } = first.create;
  const entry = part[parsed.items.indexOf(first)]?.event?.seal.index;
  const why = `${error?.type ?? "unknown error"}, status ${status}${entry === undefined ? "" : `, first entry ${entry}`}`;
  const hint = format.name === "sealwatch" && MAPPING_ERRORS.has(error?.type ?? "") ? TEMPLATE : "";
  throw failureOfAnswer(answer, now, `${refused.length} of ${part.length} documents were refused: ${why}${hint}`);
}

/** Creates a document for each event with `_bulk`. One that exists already is left as it is. */
export const sendElastic: SendOf<typeof elasticShape> = async (batch, { settings, secrets }, context) => {
  const items = recordsOf(batch, context).map((record) => ({ record, text: actionOf(record, batch, context.now) }));
  for (const part of partsOf(items, LIMITS)) {
    const { body, encoding } = await compressed(part.map(({ text }) => `${text}\n`).join(""));
    const answer = await context.fetch({
      method: "POST",
      url: `${bulkUrl(settings)}?${FILTER}`,
      headers: { "content-type": "application/x-ndjson", ...encoding, ...credentialsOf(settings, secrets) },
      body,
    });
    assertTaken(
      answer,
      part.map(({ record }) => record),
      context,
    );
  }
};
