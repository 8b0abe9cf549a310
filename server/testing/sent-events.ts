import fc from "fast-check";
import { flags } from "@/lib/audit-logs/flags";
import type { SentEvent } from "@/lib/destinations/batches/batch";
import { actions } from "@/lib/http/actions";

/** Every text that the contract allows: any UTF-16, also lone surrogates and control characters, and what formats have to escape. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc
    .array(fc.constantFrom("\ud800", "\udc00", "\n", "\r", "\0", "\u2028", "|", "\\", "=", '"', "]", "é", "😀"), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
  fc.constantFrom("", "x".repeat(20_000), "😀".repeat(9_000), "\\".repeat(5_000), "a\r\nb=c|d\\e"),
);
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const uuid = fc.uuid({ version: 7 });
const count = fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER));
const duration = fc.double({ min: 0, max: 1e9, noNaN: true });
const address = fc.oneof(fc.ipV4(), fc.ipV6(), anyText);
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("base64"));
const occurredAt = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });

const change = fc.record(
  { field: fc.oneof(fc.constantFrom("name", "permission"), anyText), from: fc.jsonValue(), to: fc.jsonValue() },
  { requiredKeys: ["field"] },
);
const details = fc.record(
  {
    resource_name: anyText,
    changes: fc.array(change, { maxLength: 4 }),
    via: fc.constant("dashboard"),
    other: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

/** Every event that the contract of the audit log allows, as it is sent to destinations. */
export const anySentEvent: fc.Arbitrary<SentEvent> = fc.record({
  id: uuid,
  occurred_at: occurredAt.map((date) => date.toISOString()),
  request: orNull(
    fc.record({
      method: fc.oneof(fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND"), anyText),
      path: anyText,
      route: orNull(anyText),
      query: orNull(anyText),
      body_size: orNull(count),
      content_type: orNull(anyText),
    }),
  ),
  authentication: orNull(
    fc.record({
      organization_id: uuid,
      type: fc.constantFrom("api_key", "session", "anonymous", "system"),
      api_key: orNull(fc.record({ id: uuid, name: anyText, hint: anyText })),
      user: orNull(fc.record({ id: uuid, name: anyText, email: fc.oneof(fc.emailAddress(), anyText) })),
    }),
  ),
  response: fc.record({
    status_code: orNull(fc.integer({ min: 100, max: 599 })),
    response_time_ms: orNull(duration),
    error_code: orNull(anyText),
    error_message: orNull(anyText),
  }),
  client: orNull(
    fc.record({
      ip_address: orNull(address),
      user_agent: orNull(anyText),
      country: orNull(fc.oneof(fc.constant("NZ"), anyText)),
    }),
  ),
  security: fc.record({
    rate_limit_remaining: orNull(fc.nat()),
    flags: fc.uniqueArray(fc.constantFrom(...flags), { maxLength: 4 }),
    is_security_event: fc.boolean(),
  }),
  resource: fc.record({
    type: orNull(fc.oneof(fc.constantFrom("api_key", "member", "invitation", "session"), anyText)),
    id: orNull(fc.oneof(uuid, anyText)),
    action: orNull(fc.constantFrom(...actions)),
  }),
  seal: fc.record({
    index: count,
    epoch: fc.nat(),
    redaction: fc.constant(null),
    commitment: hash,
    salts: fc.dictionary(fc.constantFrom("request", "caller", "outcome"), hash),
    hashes: fc.dictionary(fc.constantFrom("body", "caller"), hash),
  }),
  details: orNull(details),
});

/** The origin of the log of the events. */
export const SENT_ORIGIN = "sealwatch.example.com/log/01a1fcff-5cd2-755f-bf9c-f5a4e5e70691/0/1";

/** An ordinary event: a key was created by a person. */
export const sentEvent: SentEvent = {
  id: "01a1fcff-6680-7420-917f-1d9e34253279",
  occurred_at: "2026-11-21T07:25:58.784Z",
  request: {
    method: "POST",
    path: "/api/v1/api-keys",
    route: "/api/v1/api-keys",
    query: null,
    body_size: 34,
    content_type: "application/json",
  },
  authentication: {
    organization_id: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691",
    type: "session",
    api_key: null,
    user: { id: "01a1fcff-0001-7420-917f-1d9e34253279", name: "Ada Lovelace", email: "ada@example.com" },
  },
  response: { status_code: 201, response_time_ms: 12.5, error_code: null, error_message: null },
  client: { ip_address: "192.0.2.7", user_agent: "Firefox/145", country: "NZ" },
  security: { rate_limit_remaining: 59, flags: ["key_created"], is_security_event: true },
  resource: { type: "api_key", id: "01a1fcff-0002-7420-917f-1d9e34253279", action: "api_key.create" },
  seal: {
    ...{ index: 7, epoch: 1, redaction: null, commitment: "AAAA" },
    ...{ salts: { request: "BBBB" }, hashes: { body: "CCCC" } },
  },
  details: { resource_name: "deploy", changes: [{ field: "permission", from: null, to: "read" }] },
};

/** The texts of a JSON value that have lone surrogates: they cannot be written as UTF-8. */
export function malformedTexts(value: unknown): string[] {
  if (typeof value === "string") return /\p{Cs}/u.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [...malformedTexts(name), ...malformedTexts(member)]);
}
