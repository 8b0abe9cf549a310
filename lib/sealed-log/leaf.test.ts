import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { FormatError } from "@/lib/sealed-log/format-error";
import {
  commitEventParts,
  decodeBody,
  eventEntry,
  eventLeafHash,
  eventParts,
  MISSING,
  type Part,
  saltsOf,
} from "@/lib/sealed-log/leaf";

const ID = "0199d0a2-7c4b-7def-8123-456789abcdef";
const event = {
  id: ID,
  occurred_at: "2025-10-11T08:09:10.123Z",
  request: {
    method: "POST",
    path: "/api/v1/monitors",
    route: null,
    query: "a=ü",
    body_size: 2,
    content_type: "application/json",
    body: "{}",
    body_encoding: "utf8",
  },
  authentication: {
    organization_id: "0199d0a2-0000-7000-8000-000000000001",
    type: "api_key",
    api_key: null,
    user: null,
  },
  response: { status_code: 201, response_time_ms: 1.5, error_code: null, error_message: null },
  client: { ip_address: "192.0.2.1", user_agent: null, country: null },
  security: { rate_limit_remaining: null, flags: [], is_security_event: false },
  resource: { type: "monitor", id: "x", action: "monitor.create" },
  details: { b: null, a: [null] },
  seal: { index: 3, epoch: 1 },
};
const body = Buffer.from("{}");
const nonce = Buffer.alloc(16, 7);

const texts = (json: typeof event | Record<string, unknown>) => {
  const bytes = eventParts({ id: ID, ...json }, body);
  return Object.fromEntries(Object.entries(bytes).map(([part, one]) => [part, Buffer.from(one).toString()]));
};

test("the parts of a request", () => {
  expect(texts(event)).toEqual({
    request:
      '{"body_size":2,"content_type":"application/json","method":"POST","path":"/api/v1/monitors","query":"a=ü"}',
    body: "{}",
    caller:
      '{"authentication":{"organization_id":"0199d0a2-0000-7000-8000-000000000001","type":"api_key"},"client":{"ip_address":"192.0.2.1"}}',
    outcome:
      '{"details":{"a":[null],"b":null},"resource":{"action":"monitor.create","id":"x","type":"monitor"},"response":{"response_time_ms":1.5,"status_code":201},"security":{"flags":[]}}',
  });
});

test("the parts of an event that is not a request", () => {
  const parts = texts({ ...event, request: null, details: null });
  expect(parts.request).toBe("{}");
  expect(parts.outcome).not.toContain("details");
});

test("a commitment is computed as the format says", () => {
  const sha256 = (...bytes: Uint8Array[]) => createHash("sha256").update(Buffer.concat(bytes)).digest();
  const salts = createHash("sha512").update(nonce).digest();
  const parts = eventParts(event, body);
  const hashes = (["request", "body", "caller", "outcome"] as const).map((part, position) =>
    sha256(salts.subarray(16 * position, 16 * position + 16), parts[part]),
  );
  const commitment = sha256(...hashes);
  expect(Buffer.from(commitEventParts(event, body, nonce))).toEqual(commitment);
  const entry = Buffer.concat([Buffer.of(1), Buffer.from(ID.replaceAll("-", ""), "hex"), commitment]);
  expect(eventEntry(ID, commitment)).toEqual(entry);
  expect(Buffer.from(eventLeafHash(ID, commitment))).toEqual(sha256(Buffer.of(0), entry));
  expect(Buffer.concat(Object.values(saltsOf(nonce)))).toEqual(salts);
});

/** Another version of the event, and the parts that differ. */
const changes: [string, Record<string, unknown>, Part[]][] = [
  [
    "the time in words, the seal and the computed member",
    { occurred_at: "x", seal: null, security: { ...event.security, is_security_event: true } },
    [],
  ],
  ["a new member that is null", { later: null, response: { ...event.response, later: null } }, []],
  ["another order of members", Object.fromEntries(Object.entries(event).reverse()), []],
  [
    "the body's text, which is committed to as bytes",
    { request: { ...event.request, body: "x", body_encoding: "base64" } },
    [],
  ],
  ["the path", { request: { ...event.request, path: "/" } }, ["request"]],
  ["the address", { client: { ...event.client, ip_address: "192.0.2.2" } }, ["caller"]],
  ["the caller", { authentication: { ...event.authentication, type: "session" } }, ["caller"]],
  ["the status", { response: { ...event.response, status_code: 500 } }, ["outcome"]],
  ["a flag", { security: { ...event.security, flags: ["x"] } }, ["outcome"]],
  ["a null taken from details", { details: { a: [null] } }, ["outcome"]],
  ["a null in details that became a member more", { details: { ...event.details, c: null } }, ["outcome"]],
  ["a new member with a value", { later: 0 }, ["outcome"]],
  ["a new member of the request with a value", { request: { ...event.request, later: false } }, ["request"]],
];

test.each(changes)("%s", (_, changed, differing) => {
  const [before, after] = [texts(event), texts({ ...event, ...changed })];
  expect(Object.keys(before).filter((part) => before[part] !== after[part])).toEqual(differing);
});

describe("bodies", () => {
  test.each([
    ["text", "é\0", "utf8", Buffer.from("é\0")],
    ["bytes", "/wA=", "base64", Buffer.of(255, 0)],
    ["nothing", "", "utf8", Buffer.alloc(0)],
    ["no body", null, null, null],
  ])("%s", (_, text, encoding, bytes) => {
    expect(decodeBody(text, encoding)).toEqual(bytes);
  });

  test.each([
    ["base64 without padding", "/wA", "base64"],
    ["base64 that is not canonical", "/wB=", "base64"],
    ["a lone surrogate", "\ud800", "utf8"],
    ["an unknown encoding", "a", "hex"],
    ["text without encoding", "a", null],
    ["an encoding without text", null, "utf8"],
    ["a missing member", undefined, undefined],
  ])("%s is refused", (_, text, encoding) => {
    expect(() => decodeBody(text, encoding)).toThrow(FormatError);
  });
});

test.each([
  ["an id in upper case", ID.toUpperCase(), MISSING],
  ["an id without hyphens", ID.replaceAll("-", ""), MISSING],
  ["a short commitment", ID, Buffer.alloc(31)],
])("%s is refused", (_, id, commitment) => {
  expect(() => eventEntry(id, commitment)).toThrow(RangeError);
});

test("a nonce of another length is refused", () => {
  expect(() => saltsOf(Buffer.alloc(15))).toThrow(RangeError);
});
