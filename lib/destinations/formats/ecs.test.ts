import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { ecsFormat } from "@/lib/destinations/formats/ecs";
import { encodeOmission } from "@/lib/destinations/formats/omission";
import { anySentEvent, malformedTexts, SENT_ORIGIN, sentEvent } from "@/server/testing/sent-events";

type Json = Record<string, unknown>;
const encode = (event: SentEvent) => ecsFormat.encode(event, { origin: SENT_ORIGIN }) as Json;

/** The fields that documents use, with their types in ECS 8.11.0 (github.com/elastic/ecs, tag v8.11.0, generated/ecs/ecs_flat.yml). */
const fields: Record<string, string> = {
  "@timestamp": "date",
  "ecs.version": "keyword",
  "error.code": "keyword",
  "error.message": "text",
  "event.action": "keyword",
  "event.category": "keyword[]",
  "event.created": "date",
  "event.dataset": "keyword",
  "event.duration": "long",
  "event.id": "keyword",
  "event.kind": "keyword",
  "event.module": "keyword",
  "event.outcome": "keyword",
  "event.provider": "keyword",
  "event.reason": "keyword",
  "event.sequence": "long",
  "event.severity": "long",
  "event.type": "keyword[]",
  "http.request.body.bytes": "long",
  "http.request.id": "keyword",
  "http.request.method": "keyword",
  "http.request.mime_type": "keyword",
  "http.response.status_code": "long",
  message: "text",
  "organization.id": "keyword",
  "related.ip": "ip[]",
  "related.user": "keyword[]",
  "service.name": "keyword",
  "service.type": "keyword",
  "source.address": "keyword",
  "source.geo.country_iso_code": "keyword",
  "source.ip": "ip",
  tags: "keyword[]",
  "url.original": "text",
  "url.path": "text",
  "url.query": "keyword",
  "user.email": "keyword",
  "user.full_name": "keyword",
  "user.id": "keyword",
  "user.name": "keyword",
  "user.target.email": "keyword",
  "user.target.id": "keyword",
  "user.target.name": "keyword",
  "user.target.roles": "keyword[]",
  "user_agent.original": "keyword",
};

/** The types that ECS expects for the categories that documents use (`expected_event_types`). */
const expectedTypes: Record<string, string[]> = {
  api: ["access", "admin", "allowed", "change", "creation", "deletion", "denied", "end", "info", "start", "user"],
  authentication: ["start", "end", "info"],
  configuration: ["access", "change", "creation", "deletion", "info"],
  iam: ["admin", "change", "creation", "deletion", "group", "info", "user"],
  session: ["start", "end", "info"],
};

const isType: Record<string, (value: unknown) => boolean> = {
  date: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  ip: (value) => /^[\d.]{7,15}$|^[\da-fA-F:.]{2,45}$/.test(String(value)),
  keyword: (value) => typeof value === "string" && value !== "" && value.length <= 1024,
  long: Number.isSafeInteger,
  text: (value) => typeof value === "string" && value !== "",
};

/** What is wrong with a document. Fields of `sealwatch` are ours, and labels are keywords of any name. */
function faultsOf(value: Json, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    if (path === "sealwatch") return [];
    const type = prefix === "labels." ? "keyword" : fields[path];
    if (type === undefined) {
      return typeof member === "object" && member !== null
        ? faultsOf(member as Json, `${path}.`)
        : [`${path} is unknown`];
    }
    const isValid = isType[type.replace("[]", "")];
    const members = type.endsWith("[]") ? (member as unknown[]) : [member];
    return Array.isArray(members) && members.every((each) => isValid?.(each)) ? [] : [`${path} is no ${type}`];
  });
}

function faultsOfDocument(document: Json): string[] {
  const { kind, category, type, outcome } = document.event as Record<string, string> & {
    category: string[];
    type: string[];
  };
  const faults = faultsOf(document);
  if (kind !== "event") faults.push(`kind ${kind}`);
  if (!["success", "failure", "unknown"].includes(outcome ?? "")) faults.push(`outcome ${outcome}`);
  for (const each of category) if (!(each in expectedTypes)) faults.push(`category ${each}`);
  for (const each of type) {
    if (!category.some((name) => expectedTypes[name]?.includes(each))) faults.push(`${category} with type ${each}`);
  }
  return faults;
}

const like = (changes: Partial<SentEvent>): SentEvent => ({ ...sentEvent, details: null, ...changes });
const flagged = (...flags: SentEvent["security"]["flags"]) => ({ ...sentEvent.security, flags });
const resource = (action: SentEvent["resource"]["action"], type: string) => ({ action, type, id: sentEvent.id });

describe("a document", () => {
  test("has fields, types and categories of ECS, whatever the event", () => {
    fc.assert(
      fc.property(anySentEvent, (any) => {
        const document = encode(any);
        expect(faultsOfDocument(document)).toEqual([]);
        expect(malformedTexts(document)).toEqual([]);
        expect(JSON.stringify(document).length).toBeLessThan(500_000);
      }),
      { numRuns: 100 },
    );
  });

  test("of entries that are not sent, too", () => {
    const range = { first: 3, end: 4, entries: 1, reason: "missing", hashes: null } as const;
    const document = encodeOmission("ecs", range, { origin: SENT_ORIGIN, epoch: 2, now: 0 }) as Json;
    expect(faultsOfDocument(document)).toEqual([]);
    expect(document).toMatchObject({
      "@timestamp": "1970-01-01T00:00:00.000Z",
      message: "Entries 3 to 3 of the log are not sent: they were sealed, but never stored.",
      sealwatch: { omitted: { first: 3, end: 4, reason: "missing", entries: 1 } },
    });
  });

  test("has the request, the person and the position in the log", () => {
    expect(encode(sentEvent)).toMatchObject({
      "@timestamp": sentEvent.occurred_at,
      ecs: { version: "8.11.0" },
      event: { id: sentEvent.id, action: "api_key.create", outcome: "success", sequence: 7, duration: 12_500_000 },
      http: { request: { id: sentEvent.id, method: "POST", body: { bytes: 34 } }, response: { status_code: 201 } },
      url: { path: "/api/v1/api-keys", original: "/api/v1/api-keys" },
      source: { ip: "192.0.2.7", geo: { country_iso_code: "NZ" } },
      user: { email: "ada@example.com", full_name: "Ada Lovelace" },
      user_agent: { original: "Firefox/145" },
      organization: { id: sentEvent.authentication?.organization_id },
      labels: { resource_type: "api_key", log_origin: SENT_ORIGIN, log_epoch: "1" },
      tags: ["key_created"],
    });
  });

  test("of a key's request names the key in labels, not as a user", () => {
    const key = { id: sentEvent.id, name: "deploy", hint: "sw_Ab…x9Zk" };
    const authentication = { organization_id: sentEvent.id, type: "api_key" as const, api_key: key, user: null };
    const document = encode(like({ authentication, security: flagged() }));
    expect(document).not.toHaveProperty("user");
    expect(document).toMatchObject({
      labels: { api_key_id: key.id, api_key_name: "deploy", api_key_hint: "sw_Ab…x9Zk" },
    });
  });
});

describe("an event is categorized", () => {
  const failed = { status_code: 403, response_time_ms: 1, error_code: "METHOD_NOT_ALLOWED", error_message: "no" };
  test.each<[string, string[], string[], Partial<SentEvent>]>([
    ["a creation", ["api"], ["creation"], { resource: resource("monitor.create", "monitor"), security: flagged() }],
    ["a refusal", ["api"], ["creation", "denied"], { response: failed, security: flagged("method_not_allowed") }],
    ["a new key", ["iam"], ["user", "creation"], {}],
    [
      "a sign-in",
      ["authentication", "session"],
      ["start"],
      { request: null, resource: resource("session.sign_in", "session") },
    ],
    [
      "a sign-out",
      ["authentication", "session"],
      ["end"],
      { request: null, resource: resource("session.sign_out", "session") },
    ],
    [
      "a job",
      ["configuration"],
      ["info"],
      { request: null, resource: resource("audit_log.seal", "audit_log"), security: flagged() },
    ],
  ])("%s", (_, category, type, changes) => {
    expect(encode(like(changes)).event).toMatchObject({ category, type });
  });
});
