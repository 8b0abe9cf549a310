import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { ocsfFormat } from "@/lib/destinations/formats/ocsf";
import { encodeOmission } from "@/lib/destinations/formats/omission";
import { anySentEvent, malformedTexts, SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

type Json = Record<string, unknown>;
const encode = (event: SentEvent) => ocsfFormat.encode(event, { origin: SENT_ORIGIN }) as Json;

/** An object of the schema, as far as documents use it: attribute → type, `!` if required, `[]` for arrays; enums are the allowed ids. */
interface Shape {
  attributes: Record<string, string>;
  atLeastOne?: string[];
}

/** What OCSF 1.4.0 says (github.com/ocsf/ocsf-schema, tag v1.4.0, events/ and objects/, with its dictionary). */
const event = {
  ...{
    activity_id: "int!",
    activity_name: "string",
    category_name: "string",
    category_uid: "int!",
    class_name: "string",
  },
  ...{ class_uid: "int!", message: "string", metadata: "metadata!", severity: "string", severity_id: "int!" },
  ...{ status: "string", status_code: "string", status_detail: "string", status_id: "int", time: "int!" },
  ...{ type_name: "string", type_uid: "int!", unmapped: "any" },
};
const http = { http_request: "http_request", http_response: "http_response" };
const schema: Record<string, Shape> = {
  0: { attributes: event },
  6003: {
    attributes: {
      ...event,
      ...http,
      ...{ actor: "actor!", api: "api!", resources: "resource[]", src_endpoint: "endpoint!" },
    },
  },
  3002: {
    attributes: {
      ...{ ...event, ...http, actor: "actor", src_endpoint: "endpoint", user: "user!", service: "service" },
      ...{ session: "session", is_remote: "boolean", auth_protocol: "string", auth_protocol_id: "int" },
    },
    atLeastOne: ["service", "dst_endpoint"],
  },
  3001: { attributes: { ...event, ...http, actor: "actor", src_endpoint: "endpoint", user: "user!" } },
  3005: {
    attributes: {
      ...{ ...event, ...http, actor: "actor", src_endpoint: "endpoint", user: "user!" },
      privileges: "string[]!",
    },
  },
  metadata: {
    attributes: {
      ...{
        event_code: "string",
        labels: "string[]",
        log_name: "string",
        log_provider: "string",
        original_time: "string",
      },
      ...{ product: "product!", sequence: "int", tenant_uid: "string", uid: "string", version: "string!" },
    },
  },
  product: { attributes: { name: "string", vendor_name: "string!" }, atLeastOne: ["name", "uid"] },
  actor: {
    attributes: { user: "user", app_name: "string" },
    atLeastOne: ["process", "user", "invoked_by", "session", "app_name", "app_uid"],
  },
  user: {
    attributes: {
      ...{ uid: "string", name: "string", full_name: "string", email_addr: "email", type_id: "int", type: "string" },
    },
    atLeastOne: ["account", "name", "uid"],
  },
  endpoint: {
    attributes: { ip: "ip", name: "string", location: "location" },
    atLeastOne: ["ip", "uid", "name", "hostname", "svc_name", "instance_uid", "interface_uid", "interface_name"],
  },
  location: { attributes: { country: "string" }, atLeastOne: ["city", "country", "postal_code", "region"] },
  http_request: { attributes: { uid: "string", http_method: "string", url: "url", user_agent: "string" } },
  http_response: { attributes: { code: "int!", latency: "int" } },
  url: { attributes: { path: "string", query_string: "string" }, atLeastOne: ["url_string", "path"] },
  api: {
    attributes: {
      ...{ operation: "string!", request: "request", response: "response", service: "service", version: "string" },
    },
  },
  request: { attributes: { uid: "string!" } },
  response: { attributes: { code: "int", error: "string", error_message: "string" } },
  service: { attributes: { name: "string" }, atLeastOne: ["name", "uid"] },
  session: { attributes: { uid: "string" } },
  resource: { attributes: { uid: "string", type: "string" }, atLeastOne: ["name", "uid"] },
};

const enums: Record<string, (number | string)[]> = {
  severity_id: [0, 1, 2, 3, 4, 5, 6, 99],
  status_id: [0, 1, 2, 99],
  type_id: [0, 1, 2, 3, 99],
  auth_protocol_id: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99],
  http_method: ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "TRACE"],
};
const activities: Record<number, number[]> = {
  0: [0, 99],
  6003: [0, 1, 2, 3, 4, 99],
  3002: [0, 1, 2, 3, 4, 5, 6, 99],
  3001: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99],
  3005: [0, 1, 2, 99],
};

const scalars: Record<string, (value: unknown) => boolean> = {
  any: (value) => typeof value === "object",
  boolean: (value) => typeof value === "boolean",
  int: Number.isSafeInteger,
  string: (value) =>
    typeof value === "string" && value !== "" && value.length <= 65_535 && malformedTexts(value).length === 0,
  ip: (value) => /^[\d.]{7,15}$|^[\da-fA-F:.]{2,45}$/.test(String(value)),
  email: (value) => /^[a-zA-Z0-9!#$%&'*+\-/=?^_`{|}~.]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+$/.test(String(value)),
};

/** What is wrong with an object of the schema. */
function faultsOf(value: Json, name: string): string[] {
  const { attributes = {}, atLeastOne } = schema[name] ?? {};
  const missing = Object.keys(attributes).filter((key) => attributes[key]?.endsWith("!") && value[key] === undefined);
  const faults = missing.map((key) => `${name}.${key} is missing`);
  if (atLeastOne && !atLeastOne.some((key) => key in value)) faults.push(`${name} has none of ${atLeastOne}`);
  for (const [key, member] of Object.entries(value)) {
    const type = attributes[key]?.replace("!", "");
    if (type === undefined) faults.push(`${name}.${key} is unknown`);
    else if (type.endsWith("[]")) {
      if (!Array.isArray(member)) faults.push(`${name}.${key} is no array`);
      else for (const each of member) faults.push(...faultsOfValue(each, type.slice(0, -2), `${name}.${key}`));
    } else faults.push(...faultsOfValue(member, type, `${name}.${key}`));
    const allowed = enums[key];
    if (allowed && !allowed.includes(member as string)) faults.push(`${name}.${key} is ${member}`);
  }
  return faults;
}

function faultsOfValue(value: unknown, type: string, at: string): string[] {
  const isScalar = scalars[type];
  if (isScalar) return isScalar(value) ? [] : [`${at} is no ${type}: ${JSON.stringify(value)?.slice(0, 100)}`];
  return typeof value === "object" && value !== null ? faultsOf(value as Json, type) : [`${at} is no object`];
}

function faultsOfDocument(document: Json): string[] {
  const { class_uid, activity_id, type_uid, category_uid } = document as Record<string, number>;
  const faults = faultsOf(document, String(class_uid));
  if (type_uid !== Number(class_uid) * 100 + Number(activity_id)) faults.push("type_uid");
  if (category_uid !== Math.floor(Number(class_uid) / 1000)) faults.push("category_uid");
  if (!activities[class_uid ?? -1]?.includes(activity_id ?? -1)) faults.push(`activity_id ${activity_id}`);
  return faults;
}

describe("a document", () => {
  test("fits the schema, whatever the event", () => {
    fc.assert(
      fc.property(anySentEvent, (any) => {
        const document = encode(any);
        expect(faultsOfDocument(document)).toEqual([]);
        expect(malformedTexts(document)).toEqual([]);
        expect(JSON.stringify(document).length).toBeLessThan(1_000_000);
      }),
      { numRuns: 100 },
    );
  });

  test("of entries that are not sent fits the schema", () => {
    const range = { first: 3, end: 9, entries: 6, reason: "expired", hashes: null } as const;
    const document = encodeOmission("ocsf", range, { origin: SENT_ORIGIN, epoch: 2, now: 5 }) as Json;
    expect(faultsOfDocument(document)).toEqual([]);
    expect(document).toMatchObject({
      time: 5,
      message: "Entries 3 to 8 of the log are not sent: retention deleted them before they were sent.",
      unmapped: { omitted: { origin: SENT_ORIGIN, epoch: 2, first: 3, end: 9, reason: "expired", entries: 6 } },
    });
  });

  test("has the event's time, seal and caller", () => {
    expect(encode(sentEvent)).toMatchObject({
      class_uid: 3001,
      type_uid: 300101,
      severity_id: 2,
      status_id: 1,
      time: Date.parse(sentEvent.occurred_at),
      metadata: {
        version: "1.4.0",
        uid: sentEvent.id,
        tenant_uid: sentEvent.authentication?.organization_id,
        sequence: 7,
      },
      actor: { user: { name: "ada@example.com", email_addr: "ada@example.com", type_id: 1 } },
      src_endpoint: { ip: "192.0.2.7", location: { country: "NZ" } },
      http_request: { http_method: "POST", url: { path: "/api/v1/api-keys" } },
      http_response: { code: 201, latency: 13 },
      user: { uid: sentEvent.resource.id, name: "deploy", type: "API key" },
      unmapped: { seal: { origin: SENT_ORIGIN, index: 7, epoch: 1 } },
    });
  });
});

const like = (changes: Partial<SentEvent>): SentEvent => ({ ...sentEvent, details: null, ...changes });
const flagged = (...flags: SentEvent["security"]["flags"]) => ({ ...sentEvent.security, flags });
const resource = (action: SentEvent["resource"]["action"], type: string, id: string | null = sentEvent.id) => ({
  action,
  type,
  id,
});
const failed = { ...sentEvent.response, status_code: 403, error_code: "METHOD_NOT_ALLOWED" };
const member = { resource_name: "bob@example.com", changes: [{ field: "permission", from: "read", to: "admin" }] };

describe("an event is classified", () => {
  test.each<[string, number, Partial<SentEvent>]>([
    [
      "a list",
      600302,
      {
        resource: resource("certificate.list", "certificate", null),
        security: flagged(),
        request: { ...request("GET") },
      },
    ],
    ["a creation", 600301, { resource: resource("monitor.create", "monitor"), security: flagged() }],
    [
      "a change",
      600303,
      { resource: resource("monitor.update", "monitor"), security: flagged(), request: request("PUT") },
    ],
    [
      "a deletion",
      600304,
      { resource: resource("monitor.delete", "monitor"), security: flagged(), request: request("DELETE") },
    ],
    ["a check", 600399, { resource: resource("monitor.check", "monitor"), security: flagged() }],
    ["a refused creation of a key", 600301, { response: failed }],
    ["a revocation", 300106, { resource: resource("api_key.revoke", "api_key"), security: flagged("key_revoked") }],
    ["a rotation", 300199, { resource: resource("api_key.rotate", "api_key"), security: flagged("key_rotated") }],
    [
      "a new member",
      300501,
      { resource: resource("member.set", "member"), security: flagged("member_added"), details: member },
    ],
    [
      "an accepted invitation",
      300501,
      { resource: resource("invitation.accept", "invitation"), security: flagged("member_added") },
    ],
    [
      "a removed member",
      300502,
      { resource: resource("member.remove", "member"), security: flagged("member_removed") },
    ],
    [
      "a sign-in",
      300201,
      { request: null, resource: resource("session.sign_in", "session"), security: flagged("sign_in") },
    ],
    [
      "a sign-out",
      300202,
      { request: null, resource: resource("session.sign_out", "session"), security: flagged("sign_out") },
    ],
    [
      "what a job does",
      600399,
      { request: null, resource: resource("audit_log.seal", "audit_log"), security: flagged() },
    ],
  ])("%s", (_, type_uid, changes) => {
    const document = encode(like(changes));
    expect(document.type_uid).toBe(type_uid);
    expect(faultsOfDocument(document)).toEqual([]);
  });

  test("a refused sign-in is a failure without a known person", () => {
    const document = encode(
      like({
        ...{
          request: null,
          resource: resource("session.sign_in", "session", null),
          security: flagged("sign_in_refused"),
        },
        authentication: { organization_id: sentEvent.id, type: "anonymous", api_key: null, user: null },
        response: {
          status_code: null,
          response_time_ms: 3,
          error_code: null,
          error_message: "The address is not verified.",
        },
      }),
    );
    expect(document).toMatchObject({
      type_uid: 300201,
      status_id: 2,
      severity_id: 3,
      status_detail: "The address is not verified.",
      user: { name: "anonymous" },
    });
  });

  test("a member's new permission is a privilege", () => {
    const changes = {
      resource: resource("member.update", "member"),
      security: flagged("member_changed"),
      details: member,
    };
    expect(encode(like(changes))).toMatchObject({
      user: { uid: sentEvent.id, name: "bob@example.com", email_addr: "bob@example.com" },
      privileges: ["admin"],
    });
  });

  test("a redacted caller stays unnamed, and the organization known", () => {
    const document = encode(like({ authentication: null, client: null }));
    expect(document).toMatchObject({
      metadata: { tenant_uid: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691" },
      actor: { user: { name: "redacted" } },
      src_endpoint: { name: "unknown" },
    });
  });
});

function request(method: string): NonNullable<SentEvent["request"]> {
  return { method, path: "/api/v1/monitors", route: null, query: null, body_size: null, content_type: null };
}
