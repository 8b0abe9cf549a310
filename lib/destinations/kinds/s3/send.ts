import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { AwsV4Signer } from "aws4fetch";
import type { Batch } from "@/lib/destinations/batches/batch";
import { said } from "@/lib/destinations/kinds/answers";
import type { SendContext, SendOf, SettingsOf, SinkAnswer } from "@/lib/destinations/kinds/kind";
import { ndjsonOf } from "@/lib/destinations/kinds/ndjson";
import { segmentOf } from "@/lib/destinations/kinds/s3/segment";
import { bucketUrl, type s3Shape } from "@/lib/destinations/kinds/s3/shape";
import { assertAccepted, failureOfAnswer } from "@/lib/destinations/kinds/send-failure";
import { DAY_MS } from "@/lib/time/units";

const zip = promisify(gzip);
/** The name of what a test sends: without the ending of objects, so that no reader takes it for one. */
const TEST_NAME = "sealwatch-test";

/** A file in the bucket. */
interface Item {
  name: string;
  type: string;
  body: Buffer;
}

/**
 * Puts a batch into a bucket as one object, and its checkpoint beside it. Their names come from the range, so that a repeated batch
 * replaces what an earlier attempt has put there.
 */
export const sendS3: SendOf<typeof s3Shape> = async (batch, { id, settings, secrets }, context) => {
  const { proof } = batch;
  if (proof === null) throw new Error("an object needs the proof of its batch");
  const prefix = settings.prefix ?? `sealwatch/${organizationOf(batch)}/${id}`;
  const name = `${prefix}/${context.isTest ? TEST_NAME : nameOf(batch, proof.sealedAt)}`;
  const text = context.format.name === "sealwatch" ? segmentOf(batch) : ndjsonOf(batch, context);
  const object = { type: "application/gzip", body: await zip(text) };
  const sent = (item: Item) => put(item, settings, secrets.secret_access_key, context);
  if (context.isTest) return sent({ name, ...object });
  await sent({ name: `${name}.checkpoint`, type: "text/plain; charset=utf-8", body: Buffer.from(proof.checkpoint) });
  return sent({ name: `${name}.ndjson.gz`, ...object });
};

/** `yyyy/mm/dd/<epoch>-<first>-<last>`, with zeros so that names sort; the day is the one on which the last entry was sealed. */
function nameOf({ epoch, first, end }: Batch, sealedAt: string): string {
  const [pad, day] = [(index: number) => String(index).padStart(12, "0"), sealedAt.slice(0, 10).replaceAll("-", "/")];
  return `${day}/${String(epoch).padStart(4, "0")}-${pad(first)}-${pad(end - 1)}`;
}

const organizationOf = ({ origin }: Batch) => origin.split("/").at(-3) ?? "";

async function put(
  { name, type, body }: Item,
  settings: SettingsOf<typeof s3Shape>,
  secretAccessKey: string,
  context: SendContext,
): Promise<void> {
  const time = new Date(context.now).toISOString();
  const { lock_mode, lock_days, region, access_key_id } = settings;
  const signed = await new AwsV4Signer({
    method: "PUT",
    url: `${bucketUrl(settings)}/${name.split("/").map(encodeURIComponent).join("/")}`,
    headers: {
      "content-type": type,
      "content-md5": createHash("md5").update(body).digest("base64"),
      "x-amz-content-sha256": createHash("sha256").update(body).digest("hex"),
      ...(lock_mode !== null && {
        "x-amz-object-lock-mode": lock_mode.toUpperCase(),
        "x-amz-object-lock-retain-until-date": new Date(context.now + (lock_days ?? 0) * DAY_MS).toISOString(),
      }),
    },
    ...{ accessKeyId: access_key_id, secretAccessKey, service: "s3", region },
    datetime: time.replace(/[:-]|\.\d{3}/g, ""),
  }).sign();
  const headers = Object.fromEntries(signed.headers);
  const answer = await context.fetch({ method: "PUT", url: signed.url.href, headers, body });
  assertStored(answer, context.now);
}

/** Throws SendFailure unless the answer is that of storage that has the object. */
function assertStored(answer: SinkAnswer, now: number): void {
  const [, code] = /<Code>([^<]{1,100})<\/Code>/.exec(answer.body.toString("utf8")) ?? [];
  if (code !== undefined) throw failureOfAnswer(answer, now, `HTTP status ${answer.status}: ${said(code)}`);
  assertAccepted(answer, now);
  if (answer.headers.etag === undefined)
    throw failureOfAnswer(answer, now, "unexpected response: not that of object storage");
}
