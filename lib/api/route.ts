import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { BodyIntake } from "@/lib/api/body-intake";
import { repeatableRequest, respondOnce } from "@/lib/api/idempotency";
import { withEntityTag } from "@/lib/api/preconditions";
import { errorResponse, jsonResponse, withHeaders } from "@/lib/api/respond";
import { touchKey, touchRotatedSecret } from "@/lib/api-keys/last-use";
import { AuditEventDraft, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { commitEvent } from "@/lib/audit-logs/write/commit-event";
import { hideCredentials } from "@/lib/audit-logs/write/hide-credentials";
import type { FoundKey } from "@/lib/auth/find-key";
import { type Identity, identify, isFromOwnPage, type Refusal, refuseCrossSite, refuseKey } from "@/lib/auth/identify";
import { isWithinScope } from "@/lib/auth/scopes";
import { logFailure } from "@/lib/db/outage-log";
import { arrivals } from "@/lib/http/arrival";
import type { Body } from "@/lib/http/body";
import { MAX_CONCURRENT } from "@/lib/http/bulk-slots";
import { API_PREFIX, type Endpoint, type Input, type Output, type Page } from "@/lib/http/endpoint";
import { ApiError, isApiError, notFound, toApiError } from "@/lib/http/errors";
import type { Group } from "@/lib/http/groups";
import { parseInput } from "@/lib/http/input";
import { clientOf } from "@/lib/http/origin";
import { methodNotAllowed, outOfScope, type Principal, personsOnly } from "@/lib/http/principal";
import { countRefused, countValid } from "@/lib/rate-limits/abusive-addresses";
import {
  checkRateLimit,
  fullLimit,
  limitedAddress,
  type RateLimit,
  rateLimited,
  unknownLimit,
} from "@/lib/rate-limits/limit";
import { checkRefusedAttempts } from "@/lib/rate-limits/refused-attempts";
import { currentTraceId, failSpan, requestSpan, setSpanAttributes, span } from "@/lib/tracing/span";
import { parseTraceParent } from "@/lib/tracing/trace-parent";

type Verb<E extends Endpoint> = (principal: Principal, input: Input<E>) => Promise<Output<E>>;
type AnyVerb = (principal: Principal | null, input: unknown) => Promise<unknown>;
interface Handle {
  endpoint: Endpoint;
  verb: AnyVerb;
}

type Handler = (request: Request, context: { params: Promise<Record<string, unknown>> }) => Promise<Response>;
const NO_ATTRIBUTES = {};
const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] as const;

/** Combines a contract and the verb that implements it. */
export function handle<E extends Endpoint>(endpoint: E, verb: Verb<E>): Handle {
  return { endpoint, verb: verb as AnyVerb };
}

/**
 * The handlers of one path: all methods that Next knows go through the same pipeline. Without handles: for unknown paths. Our server
 * passes methods unknown to Next as OPTIONS; the arrival has the original method.
 */
export function route(...handles: Handle[]): Record<(typeof methods)[number], Handler> {
  const handler: Handler = async (request, { params }) => {
    const call = new Call(request, handles, ((await params) ?? {}) as Record<string, string>);
    return draftStorage.run(call.event, () => call.answerInTrace());
  };
  return Object.fromEntries(methods.map((method) => [method, handler])) as Record<(typeof methods)[number], Handler>;
}

/** Processes one request: identity → limit of refused attempts → whitelist → expiry and revocation → rate limit → permission → route and method → input → work. */
class Call {
  readonly event: AuditEventDraft;
  private readonly method: string;
  private readonly target: string;
  private readonly query: string;
  private readonly message: IncomingMessage;
  private readonly headers: IncomingHttpHeaders;
  private readonly handle: Handle | undefined;
  private readonly group: Group;
  private readonly ofOrganization: boolean;
  private limit: RateLimit | null = null;
  private readonly intake: BodyIntake;
  /** The request is refused because of its head, regardless of its body. */
  private isRefused = false;
  /** The request has no valid credential. */
  private isAnonymous = false;
  /** The request has a key that may not be used. It counts against the limit of refused attempts, not against the key's own. */
  private isKeyRefused = false;

  constructor(
    request: Request,
    private readonly handles: Handle[],
    private readonly params: Record<string, string>,
  ) {
    const arrival = arrivals.getStore();
    if (arrival === undefined) throw new Error("the API runs only behind server/web.ts, which knows the TCP peer");
    const { message, method, target } = arrival;
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.query = mark === -1 ? "" : target.slice(mark + 1);
    this.message = message;
    this.headers = message.headers;
    this.handle = handles.find(({ endpoint }) => endpoint.method === method);
    const endpoint = this.handle?.endpoint ?? handles[0]?.endpoint;
    this.group = endpoint?.group ?? "other";
    this.ofOrganization = endpoint?.ofOrganization ?? false;
    this.event = new AuditEventDraft({
      method,
      path: mark === -1 ? target : target.slice(0, mark),
      query: mark === -1 ? null : hideCredentials(this.query),
      route: endpoint ? API_PREFIX + endpoint.path : null,
      action: this.handle?.endpoint.action ?? null,
      content_type: this.headers["content-type"] ?? null,
      ...clientOf(),
    });
    this.intake = new BodyIntake(request, method, message.headers, this.handle?.endpoint.bulk ?? false, this.event);
    // Set before any check, so that refused requests are also listed under the resource they name.
    const named = Object.values(this.params).at(-1) ?? null;
    if (this.handle) this.event.resource(this.handle.endpoint.action.split(".", 1)[0] ?? "", named);
  }

  /** Like `answer`, in the trace of the caller. Its span names the route, because a path may have a token. */
  answerInTrace(): Promise<Response> {
    const { route, action } = this.event.row;
    const name = `${this.handle?.endpoint.method ?? "HTTP"} ${route ?? ""}`.trimEnd();
    const attributes = {
      "http.request.method": this.handle?.endpoint.method ?? "_OTHER",
      "sealwatch.request_id": this.event.id,
      ...(route !== null && { "http.route": route }),
      ...(action !== null && { "sealwatch.action": action }),
    };
    return requestSpan(name, attributes, parseTraceParent(this.headers.traceparent), () => this.answer());
  }

  /** Returns the response after its event has been stored durably. */
  private async answer(): Promise<Response> {
    let response: Response;
    this.recordTrace();
    try {
      response = await this.run();
    } catch (error) {
      response = this.fail(error);
    }
    const { row } = this.event;
    if (row.auth_type === "session" && isFromOwnPage(this.headers)) row.details = { ...row.details, via: "dashboard" };
    // Again, because other steps may have replaced the details.
    this.recordTrace();
    row.rate_limit_remaining = this.isKeyRefused ? null : (this.limit?.remaining ?? null);
    this.event.finish(response.status);
    this.intake.settle(this.isRefused);
    const isAbusive = this.isAnonymous && countRefused(this.group, row.ip_address);
    if (isAbusive || row.details?.body_unread === true) response.headers.set("Connection", "close");
    try {
      await span("commit audit event", NO_ATTRIBUTES, () => commitEvent(this.event));
    } catch (error) {
      // A file or stream that nobody reads must not keep its slot and its connection.
      void response.body?.cancel().catch(() => {});
      response = this.fail(error);
    } finally {
      this.intake.release();
    }
    this.endTrace(response.status);
    return withHeaders(response, this.event.id, this.group, this.limit ?? unknownLimit(this.group));
  }

  private recordTrace(): void {
    const traceId = currentTraceId();
    if (traceId !== null) this.event.row.details = { ...this.event.row.details, trace_id: traceId };
  }

  private endTrace(status: number): void {
    const { row } = this.event;
    setSpanAttributes({
      ...{ "http.response.status_code": status, "sealwatch.organization_id": row.organization_id },
      ...(row.error_code !== null && { "error.type": row.error_code }),
    });
    if (status >= 500) failSpan(row.error_code ?? String(status));
  }

  private async run(): Promise<Response> {
    // Read first, so that the log includes the bodies of refused requests, and the key is checked after a slow body has arrived.
    const body = await this.takeBody();
    const identity = await this.identify();
    // Counted and flagged like a complete request: nobody can try credentials without limits this way.
    if (body.kind === "cut_off" || body.kind === "no_room") await this.judge(identity, true).catch(() => {});
    if (body.kind === "cut_off")
      throw new ApiError("CLIENT_CLOSED_REQUEST", "The connection closed before the body was complete.");
    if (body.kind === "no_room") {
      throw new ApiError(
        "UNAVAILABLE",
        "The server has no memory left for request bodies.",
        { retry_after: 5 },
        { Connection: "close" },
      );
    }
    const principal = await this.judge(identity, true).catch((error: unknown) => {
      this.isRefused = true;
      throw error;
    });
    if (body.kind === "unread" && body.wasRefused) {
      const message = "The body was not read, because the request was refused until a moment ago. Send it again.";
      throw new ApiError("UNAVAILABLE", message, { retry_after: 5 });
    }
    // A request that was refused until its body arrived has no slot yet.
    if (body.kind === "unread" || (body.kind === "read" && !this.intake.takeSlot(body.bytes.length))) {
      const message = `An organization can have at most ${MAX_CONCURRENT} bulk requests in progress, with at most 32 MiB in total.`;
      throw new ApiError("UNAVAILABLE", message, { retry_after: 5 });
    }
    const { endpoint, verb } = this.findHandle();
    if (body.kind === "too_large") {
      throw new ApiError("BODY_TOO_LARGE", "The body is larger than this route's limit.", {}, { Connection: "close" });
    }
    const input = await parseInput(endpoint, this.params, this.query, this.headers, body.bytes, body.tooMuch);
    const work = () => span("verb", NO_ATTRIBUTES, () => verb(principal, input));
    if (principal === null) return this.respond(endpoint, await work(), null);
    const call = { endpoint, principal, params: this.params, headers: this.headers, event: this.event };
    const perform = async () => {
      const { result, entityTag } = await withEntityTag(call, work);
      return this.respond(endpoint, result, entityTag);
    };
    if (endpoint.method !== "POST" || endpoint.public) return perform();
    const repeatable = await repeatableRequest(this.headers, principal, this.target, body.bytes);
    return repeatable === null ? perform() : respondOnce(repeatable, this.event, endpoint.shownOnce, perform);
  }

  /** Takes the body. What the event has of the judgement before it is discarded: the second judgement counts, and may differ. */
  private async takeBody(): Promise<Body> {
    const { row } = this.event;
    const before = { ...row, flags: [...row.flags] };
    const body = await this.intake.take(() => this.wouldRefuse());
    const { body_size, details } = row;
    Object.assign(row, before, { body_size, details });
    this.limit = null;
    this.isAnonymous = false;
    this.isKeyRefused = false;
    return body;
  }

  private identify(): Promise<Identity> {
    const organization = this.ofOrganization ? this.params.id : undefined;
    return span("identify", NO_ATTRIBUTES, () => identify(this.message, this.event, organization));
  }

  /** Checks everything that depends only on the request's head. Counts against limits only if `take` is true. Throws the refusal. */
  private async judge(identity: Identity, take: boolean): Promise<Principal | null> {
    const principal = await this.admit(identity, take);
    if (principal?.permission === "read" && this.method !== "GET") {
      this.refuse({ error: methodNotAllowed(), flag: "method_not_allowed" });
    }
    if (identity.kind === "api_key" && !isWithinScope(identity.key.scope, this.handle?.endpoint.action ?? null)) {
      this.refuse({ error: outOfScope(identity.key.scope ?? ""), flag: "out_of_scope" });
    }
    if (identity.kind === "api_key" && this.handle?.endpoint.person) {
      this.refuse({ error: personsOnly(), flag: "method_not_allowed" });
    }
    if (identity.kind === "session" && this.method !== "GET") this.refuse(refuseCrossSite(this.headers));
    return principal;
  }

  /** Judges the head without counting. The request is judged and counted again when its body has arrived, which may be slow. */
  private async wouldRefuse(): Promise<boolean> {
    try {
      await this.judge(await this.identify(), false);
      return false;
    } catch {
      return true;
    }
  }

  private respond(endpoint: Endpoint, result: unknown, entityTag: string | null): Response {
    if (result instanceof Response) return result;
    if (!endpoint.list) {
      const headers = { ...this.locationOf(endpoint, result), ...(entityTag !== null && { ETag: entityTag }) };
      return jsonResponse(endpoint.status, { data: result }, headers);
    }
    const { items, nextCursor } = result as Page<unknown>;
    return jsonResponse(200, { data: items, pagination: { next_cursor: nextCursor, has_more: nextCursor !== null } });
  }

  /** Authenticates and applies limits. Null for anonymous requests to public routes. Throws the refusal and flags the event. */
  private async admit(identity: Identity, take: boolean): Promise<Principal | null> {
    const address = this.event.row.ip_address;
    if (identity.kind === "session") {
      if (take) countValid(address);
      this.limit = fullLimit(this.group);
      return identity.principal;
    }
    const who = identity.kind === "api_key" ? identity.key.id : limitedAddress(address);
    if (identity.kind === "api_key") {
      const refusal = refuseKey(identity.key, address, new Date());
      if (refusal !== null) await this.refuseKey(identity.key, refusal, take);
    }
    const exempt = this.handle?.endpoint.bulk === true && identity.kind === "api_key";
    this.limit = exempt
      ? fullLimit(this.group)
      : await span("limit", NO_ATTRIBUTES, () => checkRateLimit(this.group, who, take));
    this.isAnonymous = identity.kind === "anonymous";
    if (identity.kind === "anonymous" && identity.flag !== null) this.event.flag(identity.flag);
    if (!this.limit.admitted) this.refuse({ error: rateLimited(this.limit), flag: "rate_limited" });
    if (identity.kind === "anonymous") {
      if (identity.flag === null && this.handle?.endpoint.public) {
        this.isAnonymous = false;
        return null;
      }
      throw identity.failure;
    }
    if (take) {
      touchKey(identity.key, this.event);
      countValid(address);
    }
    return identity.principal;
  }

  /** Refuses an unusable key. Beyond the limit of refused attempts, the error does not reveal the reason. */
  private async refuseKey(key: FoundKey, refusal: Refusal, take: boolean): Promise<never> {
    this.isAnonymous = true;
    this.isKeyRefused = true;
    // Whichever check refuses it first. A revoked key has one flag for all its secrets.
    const isOldSecret = key.retiredAt !== null && refusal.flag !== "revoked_key";
    if (take && isOldSecret) touchRotatedSecret(key, this.event);
    const [attempts, own] = await Promise.all([
      checkRefusedAttempts(this.group, key.id, this.event.row.ip_address, take),
      checkRateLimit(this.group, key.id, false),
    ]);
    this.limit = attempts.admitted ? own : attempts;
    this.event.flag(refusal.flag);
    if (isOldSecret) this.event.flag("rotated_secret");
    if (!attempts.admitted) this.refuse({ error: rateLimited(attempts), flag: "rate_limited" });
    throw refusal.error;
  }

  private refuse(refusal: Refusal | null): void {
    if (refusal === null) return;
    this.event.flag(refusal.flag);
    throw refusal.error;
  }

  private findHandle(): Handle {
    if (this.handle) return this.handle;
    if (this.handles.length === 0) throw notFound();
    const allow = this.handles.map(({ endpoint }) => endpoint.method).join(", ");
    throw new ApiError("METHOD_NOT_SUPPORTED", `This route supports only ${allow}.`, {}, { Allow: allow });
  }

  private fail(error: unknown): Response {
    if (!isApiError(error)) {
      logFailure("a request failed", error, { request_id: this.event.id, route: this.event.row.route });
    }
    const known = toApiError(error);
    this.event.fail(known);
    // A verb may refuse too, within a transaction that takes back what it says of the event.
    if (known.code === "METHOD_NOT_ALLOWED") this.event.flag("method_not_allowed");
    return errorResponse(known, this.event.id, this.method);
  }

  private locationOf(endpoint: Endpoint, result: unknown): Record<string, string> {
    if (!endpoint.location) return {};
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => this.params[name] ?? "");
    return { Location: `${API_PREFIX}${path}/${(result as { id: string }).id}` };
  }
}
