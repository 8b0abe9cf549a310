import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { attemptTimeout } from "@/lib/network/attempt-timeout";
import { decodedBody } from "@/lib/network/decoded-body";
import { refuseForbiddenAddress } from "@/lib/network/guarded-lookup";
import { REDIRECT_STATUSES } from "@/lib/network/http";
import type { Authentication } from "@/lib/uptime/authentication";
import { daysLeft, requireBody, requireHead } from "@/lib/uptime/checks/assert-response";
import { readBeginning } from "@/lib/uptime/checks/evidence";
import {
  CheckFailure,
  type CheckSettings,
  clock,
  justDo,
  lookup,
  microsecondsSince,
  type ProbeOptions,
  type Seen,
  type SeenResponse,
  type Spend,
} from "@/lib/uptime/checks/outcome";
import { TextSearch } from "@/lib/uptime/matching/text-search";
import { hostOf, parseHttpTarget } from "@/lib/uptime/target";

const MAX_REDIRECTS = 5;
const MAX_BODY = 1024 * 1024;

/** The parts of a request, some of which change with redirects. */
type Sent = Pick<CheckSettings, "method" | "headers" | "requestBody" | "verifyTls" | "timeoutSeconds">;

/** The header of an authentication. */
function authorizationOf(authentication: Authentication): Record<string, string> {
  switch (authentication.type) {
    case "basic": {
      const { username, password } = authentication;
      return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
    }
    case "bearer":
      return { authorization: `Bearer ${authentication.token}` };
    default:
      return {};
  }
}

/** Sends one request; resolves with the response's head. */
function send(url: URL, sent: Sent, options: ProbeOptions, seen: Seen, signal: AbortSignal) {
  const { secureContext } = options;
  const isTls = url.protocol === "https:";
  refuseForbiddenAddress(hostOf(url), options);
  return new Promise<IncomingMessage>((resolve, reject) => {
    let sentAt = performance.now();
    const request = (isTls ? requestHttps : requestHttp)(url, {
      method: sent.method,
      headers: {
        accept: "*/*",
        "accept-encoding": "identity",
        "user-agent": "Sealwatch",
        ...sent.headers,
        ...(sent.requestBody !== null && { "content-length": String(Buffer.byteLength(sent.requestBody)) }),
      },
      agent: false,
      lookup: lookup(options, seen),
      ...attemptTimeout(sent.timeoutSeconds * 1000),
      maxHeaderSize: 64 * 1024,
      rejectUnauthorized: sent.verifyTls,
      ...(secureContext && { secureContext }),
      signal,
    });
    request.once("socket", (socket) => {
      const onReady = () => {
        sentAt = performance.now();
      };
      clock(socket, seen, onReady, isTls);
    });
    request.once("response", (response) => {
      seen.ttfbUs = microsecondsSince(sentAt);
      seen.statusCode = response.statusCode ?? null;
      resolve(response);
    });
    request.on("error", reject);
    request.end(sent.requestBody ?? undefined);
  });
}

/** The first MiB of the decoded body; with `until`, only until that text has been read. */
async function readBody(response: IncomingMessage, until: string | null): Promise<Buffer> {
  const search = until === null ? null : new TextSearch(until);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of decodedBody(response)) {
    const part = chunk.subarray(0, MAX_BODY - length);
    parts.push(part);
    length += part.length;
    if (length === MAX_BODY || search?.add(part)) break;
  }
  return Buffer.concat(parts);
}

/** Throws CheckFailure if the response is not as expected, with the response in `seen` as evidence. */
async function requireExpected(
  response: IncomingMessage,
  settings: CheckSettings,
  seen: Seen,
  spend: Spend,
): Promise<void> {
  const kept: SeenResponse = { headers: response.headersDistinct, body: null };
  seen.response = kept;
  try {
    await requireAll(response, settings, kept, spend);
  } catch (error) {
    if (error instanceof CheckFailure) kept.body ??= await readBeginning(response);
    throw error;
  }
}

/** Reads the body only if something is expected of it. */
async function requireAll(
  response: IncomingMessage,
  settings: CheckSettings,
  kept: SeenResponse,
  spend: Spend,
): Promise<void> {
  const status = response.statusCode ?? 0;
  requireHead({ status, headers: response.headersDistinct, daysLeft: daysLeft(response.socket) }, settings);
  const { forbidden_text, expected_pattern, expected_json = [] } = settings.assertions;
  const needsAll = (forbidden_text ?? null) !== null || (expected_pattern ?? null) !== null || expected_json.length > 0;
  if (!needsAll && settings.expectedText === null) return;
  kept.body = await readBody(response, needsAll ? null : settings.expectedText);
  await requireBody(kept.body, settings, spend);
}

/** The next request after a redirect, as browsers send it (Fetch, 4.4). */
function redirected(status: number, sent: Sent): Sent {
  const becomesGet = status === 303 ? sent.method !== "HEAD" : status < 303 && sent.method === "POST";
  return becomesGet ? { ...sent, method: "GET", requestBody: null } : sent;
}

function redirectTarget(location: string, base: URL): URL {
  try {
    const next = new URL(location, base);
    next.hash = "";
    return parseHttpTarget(next.href);
  } catch {
    throw new CheckFailure("protocol_error", "redirected to an invalid URL");
  }
}

/** Requests the target and follows redirects. Throws CheckFailure or the network's error. */
export async function probeHttp(
  settings: CheckSettings,
  options: ProbeOptions,
  seen: Seen,
  signal: AbortSignal,
): Promise<void> {
  let url = parseHttpTarget(settings.target);
  const { origin } = url;
  let sent: Sent = { ...settings, headers: { ...authorizationOf(settings.authentication), ...settings.headers } };
  const { ownContext = options.secureContext, ...others } = options;
  const own = { ...others, ...(ownContext && { secureContext: ownContext }) };
  for (let hop = 0; ; hop++) {
    Object.assign(seen, { statusCode: null, address: null, dnsUs: null, connectUs: null, tlsUs: null, ttfbUs: null });
    // Headers, the body and the client certificate are only for the origin of the target.
    const response =
      url.origin === origin
        ? await send(url, sent, own, seen, signal)
        : await send(url, { ...sent, headers: {}, requestBody: null }, others, seen, signal);
    try {
      const status = response.statusCode ?? 0;
      const { location } = response.headers;
      if (!settings.followRedirects || !REDIRECT_STATUSES.has(status) || location === undefined) {
        return await requireExpected(response, settings, seen, options.spend ?? justDo);
      }
      if (hop === MAX_REDIRECTS) throw new CheckFailure("too_many_redirects", location);
      url = redirectTarget(location, url);
      sent = redirected(status, sent);
    } finally {
      response.on("error", () => {}).destroy();
    }
  }
}
