import { randomBytes } from "node:crypto";
import { fetchGuarded } from "@/lib/network/http";
import { parseNetwork } from "@/lib/networks";
import { readStampReply, stampRequest, type TimeStamp, WrongStamp } from "@/lib/sealed-log/time-stamp";

const DEADLINE_MS = 20_000;
/** A token has the authority's chain of certificates, some kB. */
const MAX_REPLY_BYTES = 64 * 1024;
/** Allows every address: the operator names the authority, which may be on the same network. */
const guard = { allowedNetworks: [parseNetwork("0.0.0.0/0"), parseNetwork("::/0")] };

/**
 * Asks an authority for a time stamp over a text (RFC 3161, 3.4). Rejects with WrongStamp if the reply is not one, and like
 * `fetchGuarded` if there is none.
 */
export async function requestStamp(url: string, text: string, signal: AbortSignal): Promise<TimeStamp> {
  const nonce = newNonce();
  const { status, body } = await fetchGuarded(new URL(url), {
    method: "POST",
    headers: { "content-type": "application/timestamp-query", accept: "application/timestamp-reply" },
    body: stampRequest(text, nonce),
    ...{ deadlineMs: DEADLINE_MS, maxBytes: MAX_REPLY_BYTES, signal, ...guard },
  });
  if (status !== 200) throw new WrongStamp(`was refused with HTTP status ${status}`);
  return readStampReply(body, text, nonce);
}

/** Eight bytes of a positive INTEGER in its shortest form. */
function newNonce(): Buffer {
  const nonce = randomBytes(8);
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40;
  return nonce;
}
