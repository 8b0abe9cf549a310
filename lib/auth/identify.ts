import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { Flag } from "@/lib/audit-logs/flags";
import { type FoundKey, findKey } from "@/lib/auth/find-key";
import { findSession } from "@/lib/auth/find-session";
import { hashSecret } from "@/lib/auth/secret";
import { isSecret } from "@/lib/auth/secret-form";
import { cookieName, ORGANIZATION_COOKIE, sessionIdOf } from "@/lib/auth/session-cookie";
import { config } from "@/lib/config";
import { ApiError, invalid } from "@/lib/http/errors";
import { ORGANIZATION_HEADER } from "@/lib/http/page-organization";
import type { Principal } from "@/lib/http/principal";
import { NOBODY } from "@/lib/ids";
import { refusedBy } from "@/lib/network/whitelist";
import { auditRetentionDays } from "@/lib/plans";

/** The result of identifying the caller. */
export type Identity =
  | { kind: "api_key"; key: FoundKey; principal: Principal }
  | { kind: "session"; principal: Principal }
  | { kind: "anonymous"; failure: ApiError; flag: Flag | null };

/** A refusal with the flag for its event. */
export interface Refusal {
  error: ApiError;
  flag: Flag;
}

const TOKEN_ERROR = { "WWW-Authenticate": 'Bearer error="invalid_token"' };

/**
 * Identifies the caller by the only `Authorization` header or else the session cookie, and records the result in the event. If `organization`
 * is given and the person is a member, they act in it; otherwise in the organization of the header that our pages send, of which they
 * must be a member; otherwise in the one selected in their browser.
 */
export async function identify(
  { headers, headersDistinct }: Pick<IncomingMessage, "headers" | "headersDistinct">,
  event: AuditEventDraft,
  organization?: string,
): Promise<Identity> {
  if ((headersDistinct.authorization?.length ?? 0) > 1) return wrongKey("Send one `Authorization` header.");
  if (headers.authorization !== undefined) return identifyKey(headers.authorization, event);
  const cookies = parseCookies(headers.cookie ?? "");
  const cookie = cookies.get(cookieName("session"));
  const sessionId = await sessionIdOf(cookie);
  const named = organization === undefined ? headers[ORGANIZATION_HEADER.toLowerCase()]?.toString() : undefined;
  const wanted = [organization, named, cookies.get(ORGANIZATION_COOKIE)].filter((each) => each !== undefined);
  const session = sessionId === null ? null : await findSession(sessionId, ...wanted);
  if (session === null) {
    const message =
      cookie === undefined
        ? "Send an API key as `Authorization: Bearer <API_KEY>`."
        : "The session has ended. Sign in again.";
    return {
      kind: "anonymous",
      failure: new ApiError("UNAUTHENTICATED", message, {}, { "WWW-Authenticate": "Bearer" }),
      flag: null,
    };
  }
  if (named !== undefined && session.principal.organizationId !== named) {
    // In the log of no organization: what was sent is not meant for the person's others.
    record(event, { ...session.principal, organizationId: NOBODY }, "free");
    const failure = invalid(ORGANIZATION_HEADER, "must be the id of an organization of which you are a member");
    return { kind: "anonymous", failure, flag: null };
  }
  record(event, session.principal, session.plan);
  return { kind: "session", principal: session.principal };
}

async function identifyKey(header: string, event: AuditEventDraft): Promise<Identity> {
  const secret = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? "";
  const hash = hashSecret(secret);
  const key = isSecret(secret) ? await findKey(hash) : null;
  if (key === null) return wrongKey("This API key does not exist.");
  const principal: Principal = {
    organizationId: key.organizationId,
    permission: key.permission,
    actor: { type: "api_key", id: key.id, name: key.name, hint: key.hint },
    async isCurrent() {
      const now = await findKey(hash);
      return (
        now !== null &&
        now.permission === key.permission &&
        now.scope === key.scope &&
        refuseKey(now, event.row.ip_address, new Date()) === null
      );
    },
  };
  record(event, principal, key.plan);
  return { kind: "api_key", key, principal };
}

function wrongKey(message: string): Identity {
  const failure = new ApiError("INVALID_API_KEY", message, {}, TOKEN_ERROR);
  return { kind: "anonymous", failure, flag: "invalid_credentials" };
}

/** Records the principal in the event. */
export function record(
  event: AuditEventDraft,
  principal: Pick<Principal, "organizationId" | "actor">,
  plan: string,
): void {
  const { actor } = principal;
  Object.assign(event.row, {
    organization_id: principal.organizationId,
    retention_days: auditRetentionDays(plan),
    auth_type: actor.type === "user" ? "session" : actor.type,
    ...(actor.type === "api_key" && { api_key_id: actor.id, api_key_name: actor.name, api_key_hint: actor.hint }),
    ...(actor.type === "user" && { user_id: actor.id, user_name: actor.name, user_email: actor.email }),
  });
}

/** The reason why a key is refused, in the order of the contract: whitelist, then expiry and revocation. Null if it is accepted. */
export function refuseKey(key: FoundKey, address: string | null, now: Date): Refusal | null {
  if (refusedBy(key.ipWhitelist)(address)) {
    const message = `This API key may not be used from ${address ?? "an unknown address"}.`;
    return { error: new ApiError("IP_NOT_ALLOWED", message), flag: "ip_not_allowed" };
  }
  if (key.expiresAt !== null && key.expiresAt <= now) {
    const message = `This API key expired at ${key.expiresAt.toISOString()}.`;
    return { error: new ApiError("API_KEY_EXPIRED", message, {}, TOKEN_ERROR), flag: "expired_key" };
  }
  if (key.revokedAt !== null) {
    return {
      error: new ApiError("API_KEY_REVOKED", "This API key was revoked.", {}, TOKEN_ERROR),
      flag: "revoked_key",
    };
  }
  if (key.retiredAt !== null) {
    const message = `This secret was replaced by a rotation at ${key.retiredAt.toISOString()}.`;
    return { error: new ApiError("API_KEY_REVOKED", message, {}, TOKEN_ERROR), flag: "rotated_secret" };
  }
  return null;
}

/**
 * The refusal if a session's write did not come from our own pages, else null. Browsers set `Sec-Fetch-Site`; without it, `Origin`
 * must be ours.
 */
export function refuseCrossSite(headers: IncomingHttpHeaders): Refusal | null {
  const site = headers["sec-fetch-site"];
  const own = new URL(config().PUBLIC_URL).origin;
  const isOurs = site === undefined ? headers.origin === own : site === "same-origin";
  if (isOurs && (headers.origin === undefined || headers.origin === own)) return null;
  const message = "A session can make changes only from Sealwatch's own pages.";
  return { error: new ApiError("CROSS_SITE_REQUEST", message), flag: "cross_site_request" };
}

/**
 * Whether a session's request came from our own pages, as far as the browser says. Browsers send `Sec-Fetch-Site` only to https and
 * localhost; without it, on http, the session cookie is taken as the sign of our pages.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined ? new URL(config().PUBLIC_URL).protocol === "http:" : site === "same-origin";
}

/** Parses the cookies of a request; the first of several with the same name counts. */
export function parseCookies(header: string): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    if (at > 0 && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}
