import type { IncomingHttpHeaders } from "node:http";
import { BodyIntake } from "@/lib/api/body-intake";
import { answerOnce, repeatableRequest } from "@/lib/api/idempotency";
import { withEntityTag } from "@/lib/api/preconditions";
import { errorResponse, jsonResponse, withHeaders } from "@/lib/api/respond";
import { touchKey, touchRotatedSecret } from "@/lib/api-keys/last-use";
import { AuditEventDraft, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { commitEvent } from "@/lib/audit-logs/write/commit-event";
import type { FoundKey } from "@/lib/auth/find-key";
import { type Identity, identify, type Refusal, refuseCrossSite, refuseKey } from "@/lib/auth/identify";
import { logFailure } from "@/lib/db/outage-log";
import { isUnavailable } from "@/lib/db/unavailable";
import { arrivals } from "@/lib/http/arrival";
import { MAX_AT_ONCE } from "@/lib/http/bulk-slots";
import { API_PREFIX, type Endpoint, type Input, type Output, type Page } from "@/lib/http/endpoint";
import { ApiError, notFound } from "@/lib/http/errors";
import type { Group } from "@/lib/http/groups";
import { parseInput } from "@/lib/http/input";
import { clientOf } from "@/lib/http/origin";
import { methodNotAllowed, type Principal, personsOnly } from "@/lib/http/principal";
import { countRefused, countValid } from "@/lib/rate-limits/abusive-addresses";
import { checkRateLimit, fullLimit, limitedAddress, type RateLimit, rateLimited } from "@/lib/rate-limits/limit";
import { checkRefusedAttempts } from "@/lib/rate-limits/refused-attempts";

type Verb<E extends Endpoint> = (principal: Principal, input: Input<E>) => Promise<Output<E>>;
type AnyVerb = (principal: Principal, input: unknown) => Promise<unknown>;
interface Handle {
  endpoint: Endpoint;
  verb: AnyVerb;
}

type Handler = (request: Request, context: { params: Promise<Record<string, unknown>> }) => Promise<Response>;
/** Characters of an error's message that its event keeps. */
const LONGEST_MESSAGE = 2_000;
const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] as const;

/** A contract and the verb that fulfils it. */
export function handle<E extends Endpoint>(endpoint: E, verb: Verb<E>): Handle {
  return { endpoint, verb: verb as AnyVerb };
}

/**
 * The handlers of one path: every method Next knows, all through the same pipeline. Without handles: of paths that do not exist.
 * Our server sends a method that Next does not know as OPTIONS; the arrival has the true one.
 */
export function route(...handles: Handle[]): Record<(typeof methods)[number], Handler> {
  const handler: Handler = async (request, { params }) => {
    const call = new Call(request, handles, ((await params) ?? {}) as Record<string, string>);
    return draftStorage.run(call.event, () => call.answer());
  };
  return Object.fromEntries(methods.map((method) => [method, handler])) as Record<(typeof methods)[number], Handler>;
}

/** One request on its way: who → limit of refused attempts → whitelist → expiry and revocation → limit → permission → route and method → input → work. */
class Call {
  readonly event: AuditEventDraft;
  private readonly method: string;
  private readonly target: string;
  private readonly query: string;
  private readonly headers: IncomingHttpHeaders;
  private readonly handle: Handle | undefined;
  private readonly group: Group;
  private readonly ofOrganization: boolean;
  private limit: RateLimit | null = null;
  private readonly intake: BodyIntake;
  /** What its head says, whatever its body holds, is refused. */
  private isRefused = false;
  /** No valid credential came with it. */
  private isAnonymous = false;

  constructor(
    request: Request,
    private readonly handles: Handle[],
    private readonly params: Record<string, string>,
  ) {
    const arrival = arrivals.getStore();
    if (arrival === undefined) throw new Error("the API runs behind server/web.ts only, which knows the TCP peer");
    const { message, method, target } = arrival;
    const mark = target.indexOf("?");
    this.method = method;
    this.target = target;
    this.query = mark === -1 ? "" : target.slice(mark + 1);
    this.headers = message.headers;
    this.handle = handles.find(({ endpoint }) => endpoint.method === method);
    const endpoint = this.handle?.endpoint ?? handles[0]?.endpoint;
    this.group = endpoint?.group ?? "other";
    this.ofOrganization = endpoint?.ofOrganization ?? false;
    this.event = new AuditEventDraft({
      method,
      path: mark === -1 ? target : target.slice(0, mark),
      query: mark === -1 ? null : withoutCredentials(this.query, this.handle?.endpoint.credentials ?? []),
      route: endpoint ? API_PREFIX + endpoint.path : null,
      action: this.handle?.endpoint.action ?? null,
      content_type: this.headers["content-type"] ?? null,
      ...clientOf(),
    });
    this.intake = new BodyIntake(request, method, message.headers, this.handle?.endpoint.bulk ?? false, this.event);
    // Known before anything is judged: who was refused a resource is found under that resource.
    const named = Object.values(this.params).at(-1) ?? null;
    if (this.handle) this.event.resource(this.handle.endpoint.action.split(".", 1)[0] ?? "", named);
  }

  /** The response, after its event is durable. */
  async answer(): Promise<Response> {
    let response: Response;
    try {
      response = await this.run();
    } catch (error) {
      response = this.fail(error);
    }
    this.event.row.rate_limit_remaining = this.limit?.remaining ?? null;
    this.event.finish(response.status);
    this.intake.settle(this.isRefused);
    const { ip_address, details } = this.event.row;
    const isAbusive = this.isAnonymous && countRefused(this.group, ip_address);
    if (isAbusive || details?.body_unread === true) response.headers.set("Connection", "close");
    try {
      await commitEvent(this.event);
    } catch (error) {
      // A file or stream that nobody will read must not hold its slot and its connection.
      void response.body?.cancel().catch(() => {});
      response = this.fail(error);
    } finally {
      this.intake.release();
    }
    return withHeaders(response, this.event.id, this.limit ?? fullLimit(this.group));
  }

  private async run(): Promise<Response> {
    // Read first, so that refused requests have their body in the log, and the key is judged after a slow body arrived.
    const body = await this.intake.take(() => this.wouldRefuse());
    const identity = await this.identify();
    if (body.kind === "cut_off") throw new ApiError("CLIENT_CLOSED_REQUEST", "The body was cut off.");
    if (body.kind === "no_room") {
      throw new ApiError(
        "UNAVAILABLE",
        "Too much is being sent just now.",
        { retry_after: 5 },
        { Connection: "close" },
      );
    }
    const principal = await this.judge(identity, true).catch((error: unknown) => {
      this.isRefused = true;
      throw error;
    });
    if (body.kind === "unread") {
      const message = `At most ${MAX_AT_ONCE} bulk requests of an organization, of 32 MiB together, are worked on at once.`;
      throw new ApiError("UNAVAILABLE", message, { retry_after: 5 });
    }
    const { endpoint, verb } = this.findDoor();
    if (body.kind === "too_large") {
      throw new ApiError("BODY_TOO_LARGE", "The body is larger than this route takes.", {}, { Connection: "close" });
    }
    const input = await parseInput(endpoint, this.params, this.query, this.headers, body.bytes, body.tooMuch);
    if (principal === null) return this.respond(endpoint, await verb(principal as never, input), null);
    const call = { endpoint, principal, params: this.params, headers: this.headers, event: this.event };
    const perform = async () => {
      const { result, entityTag } = await withEntityTag(call, () => verb(principal, input));
      return this.respond(endpoint, result, entityTag);
    };
    if (endpoint.method !== "POST" || endpoint.public) return perform();
    const repeatable = await repeatableRequest(this.headers, principal, this.target, body.bytes);
    return repeatable === null ? perform() : answerOnce(repeatable, this.event, endpoint.shownOnce, perform);
  }

  private identify(): Promise<Identity> {
    return identify(this.headers, this.event, this.ofOrganization ? this.params.id : undefined);
  }

  /** All that a request's head decides. Counts against limits, or only looks (`take` false). Throws the refusal. */
  private async judge(identity: Identity, take: boolean): Promise<Principal | null> {
    const principal = await this.admit(identity, take);
    if (principal?.permission === "read" && this.method !== "GET") {
      this.refuse({ error: methodNotAllowed(), flag: "method_not_allowed" });
    }
    if (identity.kind === "api_key" && this.handle?.endpoint.person) {
      this.refuse({ error: personsOnly(), flag: "method_not_allowed" });
    }
    if (identity.kind === "session" && this.method !== "GET") this.refuse(refuseCrossSite(this.headers));
    return principal;
  }

  /** Looks at what the head decides; it is judged, and counted, after the body arrived, which may take long. */
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

  /** Null where nobody needs to be known. Throws the refusal; tells the event why. */
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
    this.limit = exempt ? fullLimit(this.group) : await checkRateLimit(this.group, who, take);
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

  /** Refuses a key that may not be used, without a word on why past the limit of such attempts. */
  private async refuseKey(key: FoundKey, refusal: Refusal, take: boolean): Promise<never> {
    this.isAnonymous = true;
    if (take && refusal.flag === "rotated_secret") touchRotatedSecret(key, this.event);
    const attempts = await checkRefusedAttempts(this.group, key.id, this.event.row.ip_address, take);
    this.limit = attempts.admitted ? await checkRateLimit(this.group, key.id, false) : attempts;
    this.event.flag(refusal.flag);
    if (!attempts.admitted) this.refuse({ error: rateLimited(attempts), flag: "rate_limited" });
    throw refusal.error;
  }

  private refuse(refusal: Refusal | null): void {
    if (refusal === null) return;
    this.event.flag(refusal.flag);
    throw refusal.error;
  }

  private findDoor(): Handle {
    if (this.handle) return this.handle;
    if (this.handles.length === 0) throw notFound();
    const allow = this.handles.map(({ endpoint }) => endpoint.method).join(", ");
    throw new ApiError("METHOD_NOT_SUPPORTED", `This route takes ${allow}.`, {}, { Allow: allow });
  }

  private fail(error: unknown): Response {
    const known = error instanceof ApiError || isApiError(error) ? (error as ApiError) : this.unexpected(error);
    this.event.row.error_code = known.code;
    // Some quote what was sent, which may be long.
    this.event.row.error_message = known.message.slice(0, LONGEST_MESSAGE);
    return errorResponse(known, this.event.id, this.method);
  }

  private locationOf(endpoint: Endpoint, result: unknown): Record<string, string> {
    if (endpoint.status !== 201) return {};
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => this.params[name] ?? "");
    return { Location: `${API_PREFIX}${path}/${(result as { id: string }).id}` };
  }

  private unexpected(error: unknown): ApiError {
    logFailure("a request failed", error, { request_id: this.event.id, route: this.event.row.route });
    if (isUnavailable(error)) {
      return new ApiError("UNAVAILABLE", "A database cannot be reached or took too long. Try again shortly.", {
        retry_after: 5,
      });
    }
    return new ApiError("INTERNAL_ERROR", "Something went wrong on our side. The request id finds it in our log.");
  }
}

/** A query string whose credentials are named but not told. */
function withoutCredentials(query: string, credentials: readonly string[]): string {
  if (credentials.length === 0) return query;
  const hide = (pair: string) => {
    const [[name] = [""]] = [...new URLSearchParams(pair)];
    return credentials.includes(name) ? `${pair.split("=", 1)[0]}=[hidden]` : pair;
  };
  return query.split("&").map(hide).join("&");
}

/** The class may exist twice in a process, so `instanceof` alone would miss some. */
function isApiError(error: unknown): boolean {
  return error instanceof Error && error.name === "ApiError";
}
