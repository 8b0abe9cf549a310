import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { commonHeaders, errorResponse } from "@/lib/api/respond";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { commitEvent } from "@/lib/audit-logs/write/commit-event";
import { hideCredentials } from "@/lib/audit-logs/write/hide-credentials";
import { config } from "@/lib/config";
import { logFailure } from "@/lib/db/outage-log";
import { clientAddress } from "@/lib/http/client-address";
import { countryOf } from "@/lib/http/country";
import { ApiError } from "@/lib/http/errors";
import { inNetworks } from "@/lib/networks";
import { countRefused } from "@/lib/rate-limits/abusive-addresses";
import { checkRateLimit, limitedAddress, rateLimited } from "@/lib/rate-limits/limit";
import { isApi, targetOf } from "@/server/web/dispatch";
import { securityHeaders } from "@/server/web/security-headers";

/** Error messages by the code of Node's HTTP parser. */
const REASONS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "The headers are larger than 16 KiB.",
  CONNECT: "This server is not a proxy: CONNECT is not supported.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time.",
};

/**
 * What follows the last whole request in a packet, as Latin-1. `parsed`: the position of the byte that could not be parsed. The text may
 * begin with the end of that request's body, unless a request to the API follows in it.
 */
export function afterLastRequest(packet: string, parsed: number): string {
  const end = packet.lastIndexOf("\r\n\r\n", parsed - 4);
  const rest = parsed < 4 || end === -1 ? packet : packet.slice(end + 4);
  return rest.slice(Math.max(0, rest.search(/[A-Za-z-]{1,20} \S*\/api\//)));
}

/** What the HTTP server knows of bytes that are not a request. */
interface Unparsable {
  /** Their known beginning, as Latin-1. */
  beginning: string;
  /** The code of Node's error. */
  code: string | undefined;
  socket: Socket;
  /** The address of the TCP peer. */
  peer: string;
  /** Resolves when the earlier responses on the connection are complete. */
  answered: Promise<void>;
}

/**
 * Answers bytes that Node.js could not parse as a request. If they look like a request to the API, the refusal has the contract's shape,
 * counts against the address's limit, and is recorded as one event without an organization.
 */
export async function answerUnparsable({ code, socket, peer, answered, ...sent }: Unparsable): Promise<void> {
  // Node's parser ignores empty lines before a request (RFC 9112, 2.2).
  const beginning = sent.beginning.replace(/^[\r\n]+/, "");
  const line = /^([A-Za-z-]{1,20}) (\S+)/.exec(beginning);
  const [, method = "", url = ""] = line ?? [];
  const target = targetOf(url);
  if (!socket.writable || code === "ECONNRESET") return void socket.destroy();
  const common = { ...securityHeaders(config().PUBLIC_URL.startsWith("https:")), Connection: "close" };
  if (!isApi(target)) {
    return respond(socket, answered, `HTTP/1.1 400 Bad Request\r\n${headerLines(common)}\r\n`);
  }
  const { address, limited } = senderOf(beginning, peer);
  const [path = "", ...query] = target.split("?");
  const event = new AuditEventDraft({
    method,
    path,
    query: query.length > 0 ? hideCredentials(query.join("?")) : null,
    ip_address: address,
    country: countryOf(address),
  });
  const limit = await checkRateLimit("other", limited, true);
  countRefused("other", address);
  const refusal = limit.admitted
    ? new ApiError("INVALID_REQUEST", REASONS[code ?? ""] ?? "This is not an HTTP request.")
    : rateLimited(limit);
  if (!limit.admitted) event.flag("rate_limited");
  event.fail(refusal);
  event.row.rate_limit_remaining = limit.remaining;
  event.finish(refusal.status);
  try {
    await commitEvent(event);
  } catch (failure) {
    logFailure("a malformed request could not be recorded", failure);
    return void socket.destroy();
  }
  const response = errorResponse(refusal, event.id, method);
  const body = await response.text();
  const headers = {
    ...Object.fromEntries(response.headers),
    ...commonHeaders(event.id, "other", limit),
    ...common,
    "Content-Length": String(Buffer.byteLength(body)),
  };
  const head = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${headerLines(headers)}\r\n`;
  await respond(socket, answered, head + body);
}

/** How long the earlier responses are waited for, in milliseconds; an event stream may go on for hours. */
const WAIT_MS = 30_000;

/** Responds after the earlier responses, unless one of those was the connection's last, or takes long. */
async function respond(socket: Socket, answered: Promise<void>, text: string): Promise<void> {
  const isFree = await Promise.race([answered.then(() => true), delay(WAIT_MS, false, { ref: false })]);
  if (!isFree) socket.destroy();
  else if (socket.writable) socket.end(text);
}

/**
 * The address of the client, and the address whose rate limit applies. If a trusted proxy forwarded the bytes without naming
 * the client, they count separately from the proxy's own requests.
 */
function senderOf(beginning: string, peer: string): { address: string | null; limited: string } {
  const trusted = config().TRUSTED_PROXIES;
  const end = beginning.indexOf("\r\n\r\n");
  // In incomplete headers, the entry that the proxy appended may be missing.
  const lines = end === -1 ? [] : beginning.slice(0, end).split("\r\n");
  const forwarded = lines.flatMap((line) => /^x-forwarded-for:(.*)$/i.exec(line)?.[1] ?? []);
  const address = clientAddress(peer, forwarded.join(","), trusted);
  const isProxy = address !== null && inNetworks(address, trusted);
  return { address, limited: isProxy ? `passed on by ${address}` : limitedAddress(address) };
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}
