import { logFailure } from "@/lib/db/outage-log";
import { clientOf } from "@/lib/http/origin";
import { checkWindow, limitedAddress, type RateLimit } from "@/lib/rate-limits/limit";
import { hashToken, isToken } from "@/lib/tokens";
import { receiveHeartbeat } from "@/lib/uptime/heartbeats/receive-heartbeat";

/** Calls in any 60 seconds: of one address, behind which many jobs may run, and of one URL. */
const MAX_OF_ADDRESS = 300;
const MAX_OF_TOKEN = 10;

function answer(status: number, text: string, more: Record<string, string> = {}): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", ...more };
  return new Response(`${text}\n`, { status, headers });
}

/** The limit that refuses a call; undefined if none does. What an address calls beyond its limit does not count against the URL. */
export async function refusalOf(token: string, address: string | null): Promise<RateLimit | undefined> {
  const ofAddress = await checkWindow("heartbeat-callers", MAX_OF_ADDRESS, limitedAddress(address), true);
  if (!ofAddress.admitted) return ofAddress;
  const ofToken = await checkWindow("heartbeats", MAX_OF_TOKEN, hashToken(token).toString("base64url"), true);
  return ofToken.admitted ? undefined : ofToken;
}

/**
 * Answers a call of a heartbeat's URL: 200, 404 for an unknown or replaced URL, 429 beyond the limits of the address and the URL, 503
 * while it cannot be recorded. The token is the credential, so it appears in no log; no audit event is written.
 */
export async function answerCaller(token: string): Promise<Response> {
  const { ip_address } = clientOf();
  if (!isToken(token)) return answer(404, "No such heartbeat.");
  try {
    const refused = await refusalOf(token, ip_address);
    if (refused) return answer(429, "Too many calls.", { "Retry-After": String(refused.retryAfter) });
    const received = await receiveHeartbeat(token, ip_address);
    if (received === null) return answer(404, "No such heartbeat.");
    return answer(200, received === "paused" ? "The monitor is paused." : "OK");
  } catch (error) {
    logFailure("a heartbeat could not be recorded", error);
    return answer(503, "The call could not be recorded. Try again.", { "Retry-After": "10" });
  }
}
