import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { batchName } from "@/lib/destinations/batches/batch";
import type { httpsShape } from "@/lib/destinations/kinds/https/shape";
import type { SendOf } from "@/lib/destinations/kinds/kind";
import { ndjsonOf } from "@/lib/destinations/kinds/ndjson";
import { assertAccepted } from "@/lib/destinations/kinds/send-failure";
import { signingHeaders } from "@/lib/notification-channels/providers/webhook";

const zip = promisify(gzip);

/** Posts a batch as gzipped NDJSON. The signature is over the bytes sent, and its id is the batch's name, the same for every attempt. */
export const sendHttps: SendOf<typeof httpsShape> = async (batch, { settings, secrets, signingSecrets }, context) => {
  const body = await zip(ndjsonOf(batch, context), { level: 4 });
  const name = batchName(batch);
  const answer = await context.fetch({
    method: "POST",
    url: settings.url,
    headers: {
      "content-type": "application/x-ndjson",
      "content-encoding": "gzip",
      "idempotency-key": name,
      ...signingHeaders(signingSecrets, name, context.now, body),
      ...(secrets.authorization !== null && { authorization: secrets.authorization }),
    },
    body,
  });
  assertAccepted(answer, context.now);
};
