import { isIP } from "node:net";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { ecsCategories } from "@/lib/destinations/formats/ecs-categories";
import {
  callerOf,
  changedBy,
  detailsText,
  organizationOf,
  outcomeOf,
  severities,
  severityOf,
} from "@/lib/destinations/formats/facts";
import type { Format } from "@/lib/destinations/formats/format";
import { summaryOf } from "@/lib/destinations/formats/summary";
import { integer, object, text } from "@/lib/destinations/formats/text";

/** The version of the fields. Later versions of ECS have all of them, too. */
export const ECS_VERSION = "8.11.0";

/** The longest keyword that ECS indexes. */
const MAX_KEYWORD = 1_024;

const keyword = (value: string | null | undefined) => text(value, MAX_KEYWORD);

function addressOf(event: SentEvent): string | undefined {
  const address = event.client?.ip_address ?? null;
  return address !== null && isIP(address) !== 0 && !address.includes("%") ? address : undefined;
}

function eventOf(event: SentEvent): object {
  const { id, occurred_at, response, resource, seal } = event;
  const ms = response.response_time_ms;
  return {
    id,
    kind: "event",
    ...ecsCategories(event),
    ...object({
      action: keyword(resource.action),
      outcome: outcomeOf(event),
      reason: keyword(response.error_message),
      created: occurred_at,
      duration: ms === null ? undefined : integer(ms * 1e6),
      sequence: seal.index,
      severity: severities.indexOf(severityOf(event)) + 1,
      module: "sealwatch",
      dataset: "sealwatch.audit",
      provider: "sealwatch",
    }),
  };
}

function httpOf({ id, request, response }: SentEvent): object | undefined {
  return object({
    request:
      request === null
        ? undefined
        : object({
            id,
            method: keyword(request.method),
            mime_type: keyword(request.content_type),
            body: object({ bytes: integer(request.body_size) }),
          }),
    response: object({ status_code: integer(response.status_code) }),
  });
}

function urlOf({ request }: SentEvent): object | undefined {
  if (request === null) return undefined;
  const query = request.query === null || request.query === "" ? "" : `?${request.query}`;
  return object({
    path: text(request.path),
    query: keyword(request.query),
    original: text(`${request.path}${query}`),
  });
}

/** People are users. Keys are not, so they are labels. */
function userOf(event: SentEvent): object | undefined {
  const { kind, id, name, fullName } = callerOf(event);
  const changed = changedBy(event);
  const person =
    kind === "person" ? { id, name: keyword(name), email: keyword(name), full_name: keyword(fullName) } : {};
  const target =
    changed?.kind === "person"
      ? object({
          id: keyword(changed.id),
          name: keyword(changed.name),
          email: keyword(changed.name),
          roles: changed.permission === undefined ? undefined : [changed.permission],
        })
      : undefined;
  return object({ ...person, target });
}

function relatedOf(event: SentEvent, ip: string | undefined): object | undefined {
  const names = [callerOf(event).name, changedBy(event)?.name].map(keyword).filter((name) => name !== undefined);
  return object({
    ip: ip === undefined ? undefined : [ip],
    user: names.length === 0 ? undefined : [...new Set(names)],
  });
}

/** Labels are keywords: texts without nesting. */
function labelsOf({ authentication, request, resource, seal }: SentEvent, origin: string): object | undefined {
  const { api_key } = authentication ?? { api_key: null };
  return object({
    auth_type: authentication?.type ?? "redacted",
    api_key_id: keyword(api_key?.id),
    api_key_name: keyword(api_key?.name),
    api_key_hint: keyword(api_key?.hint),
    route: keyword(request?.route),
    resource_type: keyword(resource.type),
    resource_id: keyword(resource.id),
    log_origin: keyword(origin),
    log_epoch: String(seal.epoch),
  });
}

function encode(event: SentEvent, { origin }: { origin: string }): object {
  const { occurred_at, response, security, client } = event;
  const ip = addressOf(event);
  const country = keyword(client?.country);
  const agent = keyword(client?.user_agent);
  const organization = organizationOf(event, origin);
  return {
    "@timestamp": occurred_at,
    ecs: { version: ECS_VERSION },
    event: eventOf(event),
    ...object({
      message: summaryOf(event),
      http: httpOf(event),
      url: urlOf(event),
      source: object({ ip, address: ip, geo: object({ country_iso_code: country }) }),
      user: userOf(event),
      user_agent: agent === undefined ? undefined : { original: agent },
      error: object({ code: keyword(response.error_code), message: text(response.error_message) }),
      organization: organization === undefined ? undefined : { id: organization },
      service: { name: "sealwatch", type: "sealwatch" },
      related: relatedOf(event, ip),
      tags: security.flags.length === 0 ? undefined : security.flags,
      labels: labelsOf(event, origin),
      sealwatch: object({
        rate_limit_remaining: integer(security.rate_limit_remaining),
        details: detailsText(event),
      }),
    }),
  };
}

/** Events as documents of the Elastic Common Schema. */
export const ecsFormat: Format<object> = { name: "ecs", contentType: "application/json", encode };
