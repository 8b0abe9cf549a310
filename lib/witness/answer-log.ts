import { logFailure } from "@/lib/db/outage-log";
import { clientOf } from "@/lib/http/origin";
import { checkWindow, limitedAddress } from "@/lib/rate-limits/limit";
import { addCheckpoint } from "@/lib/witness/add-checkpoint";
import { witness } from "@/lib/witness/identity";

/** Requests of one address in any 60 seconds: a log sends one each five seconds. */
const MAX_OF_ADDRESS = 60;
/** A request has at most 63 hashes and a checkpoint with its signatures. */
const MAX_BYTES = 32 * 1024;

function answer(status: number, text: string, more: Record<string, string> = {}): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...more };
  return new Response(text, { status, headers });
}

/**
 * Answers a log that asks for a cosignature (C2SP tlog-witness, add-checkpoint): 404 unless this installation is a witness, 429 beyond
 * the limit of the address, 413 for a body that is too long, 503 while the state cannot be moved. No audit event is written.
 */
export async function answerLog(request: Request): Promise<Response> {
  try {
    const own = witness();
    if (own === null) return answer(404, "This installation is not a witness.\n");
    const { ip_address } = clientOf();
    const limit = await checkWindow("witness", MAX_OF_ADDRESS, limitedAddress(ip_address), true);
    if (!limit.admitted) return answer(429, "Too many requests.\n", { "Retry-After": String(limit.retryAfter) });
    const body = await readBody(request);
    if (body === null) return answer(413, "The request is too long.\n");
    const { status, text } = await addCheckpoint(own, body);
    return answer(status, text, status === 409 ? { "Content-Type": "text/x.tlog.size" } : {});
  } catch (error) {
    logFailure("a checkpoint could not be witnessed", error);
    return answer(503, "The checkpoint could not be witnessed. Try again.\n", { "Retry-After": "10" });
  }
}

/** The body as text; null if it is too long. */
async function readBody(request: Request): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (request.body === null) return "";
  const reader = request.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MAX_BYTES) {
      await reader.cancel();
      return null;
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}
