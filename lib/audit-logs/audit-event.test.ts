import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ShownRow, toAuditEvent, toAuditEventWithBody } from "@/lib/audit-logs/audit-event";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { auditEvent, auditEventWithBody } from "@/lib/audit-logs/contract";
import { isSecurityEvent } from "@/lib/audit-logs/flags";

const ID = "01a1fcff-6680-7420-917f-1d9e34253279";
const request = { id: ID, method: "POST", path: "/api/v1/api-keys" } as const;

const shown = (known: Partial<AuditRow> = {}): ShownRow => {
  const { row } = new AuditEventDraft(known);
  return { ...row, is_security_event: isSecurityEvent(row.flags) };
};

const bodyOf = (bytes: Buffer | null, body_size: number | null) =>
  toAuditEventWithBody(shown({ ...request, body_size }), bytes, null).request;

describe("an event", () => {
  test("of a request matches the contract", () => {
    const row = shown({
      ...request,
      route: "/api/v1/api-keys",
      query: "a=1",
      body_size: 2,
      content_type: "application/json",
      organization_id: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691",
      auth_type: "api_key",
      api_key_id: ID,
      api_key_name: "deploy",
      api_key_hint: "sw_Ab…x9Zk",
      status_code: 201,
      response_time_us: 1234,
      ip_address: "192.0.2.7",
      user_agent: "curl/8",
      country: "NZ",
      rate_limit_remaining: 59,
      flags: ["key_created"],
      resource_type: "api_key",
      resource_id: ID,
      action: "api_key.create",
    });
    expect(auditEvent.parse(toAuditEvent(row, { index: 7, epoch: 1, redaction: null }))).toEqual({
      id: ID,
      occurred_at: "2026-11-21T07:25:58.784Z",
      request: {
        method: "POST",
        path: "/api/v1/api-keys",
        route: "/api/v1/api-keys",
        query: "a=1",
        body_size: 2,
        content_type: "application/json",
      },
      authentication: {
        organization_id: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691",
        type: "api_key",
        api_key: { id: ID, name: "deploy", hint: "sw_Ab…x9Zk" },
        user: null,
      },
      response: { status_code: 201, response_time_ms: 1.234, error_code: null, error_message: null },
      client: { ip_address: "192.0.2.7", user_agent: "curl/8", country: "NZ" },
      security: { rate_limit_remaining: 59, flags: ["key_created"], is_security_event: true },
      resource: { type: "api_key", id: ID, action: "api_key.create" },
      seal: { index: 7, epoch: 1, redaction: null },
      details: null,
    });
  });

  test("that is not a request has no request", () => {
    const row = shown({
      auth_type: "session",
      user_id: ID,
      user_name: "Ada",
      user_email: "ada@example.com",
    });
    const event = auditEventWithBody.parse(toAuditEventWithBody(row, null, null));
    expect(event.request).toBeNull();
    expect(event.authentication?.user).toEqual({ id: ID, name: "Ada", email: "ada@example.com" });
  });

  test("without any details still matches the contract", () => {
    expect(auditEvent.safeParse(toAuditEvent(shown(), null)).success).toBe(true);
  });
});

describe("the body of an event", () => {
  test.each<[string, Buffer | null, number | null, string | null, string | null]>([
    ["text", Buffer.from("{}"), 2, "{}", "utf8"],
    ["invalid JSON", Buffer.from("{'a'"), 4, "{'a'", "utf8"],
    ["a byte order mark", Buffer.from("\uFEFF{}"), 5, "\uFEFF{}", "utf8"],
    ["a NUL", Buffer.from("a\0b"), 3, "YQBi", "base64"],
    ["no UTF-8", Buffer.from([0xff, 0xfe]), 2, "//4=", "base64"],
    ["truncated UTF-8", Buffer.from("é").subarray(0, 1), 1, "ww==", "base64"],
    ["a surrogate in UTF-8", Buffer.from([0xed, 0xa0, 0xbd]), 3, "7aC9", "base64"],
    ["an empty body", null, 0, "", "utf8"],
    ["a body refused without reading it", null, 5_000_000, null, null],
    ["a GET", null, null, null, null],
  ])("of %s", (_, bytes, size, body, body_encoding) => {
    expect(bodyOf(bytes, size)).toMatchObject({ body, body_encoding, body_size: size });
  });

  test("preserves the exact bytes", () => {
    const text = fc
      .string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) })
      .map((each) => Buffer.from(each));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array().map((each) => Buffer.from(each)),
          text,
        ),
        (bytes) => {
          const kept = bodyOf(bytes.length > 0 ? bytes : null, bytes.length);
          expect(Buffer.from(kept?.body ?? "?", kept?.body_encoding ?? "hex")).toEqual(bytes);
          // Includes the conversion to JSON, as in responses.
          const parsed = JSON.parse(JSON.stringify(kept)) as typeof kept;
          expect(Buffer.from(parsed?.body ?? "?", parsed?.body_encoding ?? "hex")).toEqual(bytes);
        },
      ),
    );
  });
});
