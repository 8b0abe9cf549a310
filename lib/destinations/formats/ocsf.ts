import { isIP } from "node:net";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import {
  type Caller,
  type Changed,
  callerOf,
  detailsText,
  organizationOf,
  outcomeOf,
  type Severity,
  severityOf,
} from "@/lib/destinations/formats/facts";
import type { Format } from "@/lib/destinations/formats/format";
import { type Classified, classify } from "@/lib/destinations/formats/ocsf-classes";
import { summaryOf } from "@/lib/destinations/formats/summary";
import { integer, object, text } from "@/lib/destinations/formats/text";

/** The schema's version. The first with all that is used; documents also fit later releases, up to 1.8. */
export const OCSF_VERSION = "1.4.0";

const SERVICE = { name: "Sealwatch" };
const PRODUCT = { name: "Sealwatch", vendor_name: "Sealwatch" };

export const ocsfSeverities: Readonly<Record<Severity, { severity_id: number; severity: string }>> = {
  informational: { severity_id: 1, severity: "Informational" },
  low: { severity_id: 2, severity: "Low" },
  medium: { severity_id: 3, severity: "Medium" },
  high: { severity_id: 4, severity: "High" },
};
const statusIds = {
  success: { status_id: 1, status: "Success" },
  failure: { status_id: 2, status: "Failure" },
  unknown: { status_id: 0, status: "Unknown" },
} as const;

/** The HTTP methods of the schema; others are in `unmapped`. */
const METHODS = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "TRACE"]);
/** The schema's `email_t`. */
const EMAIL = /^[a-zA-Z0-9!#$%&'*+\-/=?^_`{|}~.]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+$/;

const nobody: Readonly<Record<Exclude<Caller["kind"], "person" | "api_key">, object>> = {
  anonymous: { name: "anonymous", type_id: 0, type: "Unknown" },
  system: { name: "system", type_id: 3, type: "System" },
  redacted: { name: "redacted", type_id: 0, type: "Unknown" },
};

/** A person or key as an OCSF user. */
function userOf({ kind, id, name, fullName }: Pick<Caller, "id" | "name" | "fullName"> & { kind: Changed["kind"] }) {
  const type = kind === "person" ? { type_id: 1, type: "User" } : { type_id: 99, type: "API key" };
  const email_addr = kind === "person" && name !== undefined && EMAIL.test(name) ? name : undefined;
  return object({ uid: id, name: name ?? id ?? "unknown", full_name: fullName, email_addr, ...type });
}

function callerUser(caller: Caller): object | undefined {
  return caller.kind === "person" || caller.kind === "api_key"
    ? userOf({ ...caller, kind: caller.kind })
    : nobody[caller.kind];
}

function sourceOf({ client }: SentEvent, { kind }: Caller): object | undefined {
  const { ip_address, country } = client ?? { ip_address: null, country: null };
  const ip = ip_address !== null && isIP(ip_address) !== 0 && !ip_address.includes("%") ? ip_address : undefined;
  const name = ip === undefined ? (kind === "system" ? SERVICE.name : "unknown") : undefined;
  return object({ ip, name, location: object({ country: text(country) }) });
}

function requestOf({ id, request, client }: SentEvent): object | undefined {
  if (request === null) return undefined;
  const path = text(request.path);
  return object({
    uid: id,
    http_method: METHODS.has(request.method) ? request.method : undefined,
    url: path === undefined ? undefined : object({ path, query_string: text(request.query) }),
    user_agent: text(client?.user_agent),
  });
}

function responseOf({ response }: SentEvent): object | undefined {
  const code = integer(response.status_code);
  return code === undefined ? undefined : object({ code, latency: integer(response.response_time_ms) });
}

/** What only some classes have. */
function specificTo(classified: Classified, event: SentEvent, caller: Caller): object {
  const { response, resource, id } = event;
  const action = text(resource.action);
  switch (classified.kind) {
    case "authentication":
      return {
        user: caller.kind === "person" ? callerUser(caller) : nobody.anonymous,
        service: SERVICE,
        is_remote: true,
        auth_protocol_id: 4,
        auth_protocol: "OpenID",
        session: object({ uid: resource.type === "session" ? text(resource.id) : undefined }),
      };
    case "account":
      return { user: userOf(classified.changed) };
    case "access": {
      const { changed } = classified;
      return { user: userOf(changed), privileges: changed.permission === undefined ? [] : [changed.permission] };
    }
    case "api": {
      const code = integer(response.status_code);
      const error = text(response.error_code);
      const uid = text(resource.id);
      return {
        api: object({
          operation: action ?? text(event.request?.route) ?? "unknown",
          version: event.request === null ? undefined : "v1",
          service: SERVICE,
          request: { uid: id },
          response: object({ code, error, error_message: text(response.error_message) }),
        }),
        resources: uid === undefined ? undefined : [object({ uid, type: text(resource.type) })],
      };
    }
  }
}

/** What the schema has no attribute for. */
function unmappedOf({ request, response, security, seal, resource, ...event }: SentEvent, origin: string) {
  return object({
    seal: { origin, index: seal.index, epoch: seal.epoch },
    auth_type: event.authentication?.type,
    action: text(resource.action),
    route: text(request?.route),
    method: request === null || METHODS.has(request.method) ? undefined : text(request.method),
    body_size: integer(request?.body_size),
    content_type: text(request?.content_type),
    rate_limit_remaining: integer(security.rate_limit_remaining),
    details: detailsText({ request, response, security, seal, resource, ...event }),
  });
}

function encode(event: SentEvent, { origin }: { origin: string }): object {
  const { id, occurred_at, response, security, seal } = event;
  const caller = callerOf(event);
  const classified = classify(event);
  const { of, activity } = classified;
  return {
    ...of,
    ...activity,
    type_uid: of.class_uid * 100 + activity.activity_id,
    type_name: `${of.class_name}: ${activity.activity_name}`,
    ...ocsfSeverities[severityOf(event)],
    ...statusIds[outcomeOf(event)],
    ...object({
      status_code:
        text(response.error_code) ?? (response.status_code === null ? undefined : String(response.status_code)),
      status_detail: text(response.error_message),
      time: Date.parse(occurred_at),
      message: summaryOf(event),
      metadata: object({
        version: OCSF_VERSION,
        product: PRODUCT,
        uid: id,
        event_code: text(event.resource.action),
        log_name: "audit",
        log_provider: SERVICE.name,
        tenant_uid: organizationOf(event, origin),
        original_time: occurred_at,
        sequence: seal.index <= 2 ** 31 - 1 ? seal.index : undefined,
        labels: security.flags.length === 0 ? undefined : security.flags,
      }),
      actor: object({ user: callerUser(caller), app_name: caller.kind === "system" ? SERVICE.name : undefined }),
      src_endpoint: sourceOf(event, caller),
      http_request: requestOf(event),
      http_response: responseOf(event),
      ...specificTo(classified, event, caller),
      unmapped: unmappedOf(event, origin),
    }),
  };
}

/** Events as documents of the Open Cybersecurity Schema Framework: API Activity, Authentication, Account Change, User Access Management. */
export const ocsfFormat: Format<object> = { name: "ocsf", contentType: "application/json", encode };
