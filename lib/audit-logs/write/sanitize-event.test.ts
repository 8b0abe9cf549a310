import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { sanitizeEvent } from "@/lib/audit-logs/write/sanitize-event";

/** Any UTF-16 code unit, including lone surrogates. */
const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));

const odd = fc.oneof(fc.string({ unit }), fc.constant("é\0".repeat(5000)), fc.constant("\ud83d"));

describe("an event that the database refused", () => {
  test("keeps caller, time, route, outcome and body", () => {
    const known = {
      organization_id: "01a1fcff-5cd2-755f-bf9c-f5a4e5e70691",
      auth_type: "api_key",
      api_key_id: "01a1fcff-6680-7420-917f-1d9e34253279",
      method: "POST",
      route: "/api/v1/api-keys",
      status_code: 500,
      error_code: "INTERNAL_ERROR",
      ip_address: "192.0.2.7",
      flags: ["key_created" as const],
      action: "api_key.create",
    } as const;
    const { row } = new AuditEventDraft({ ...known, flags: [...known.flags] });
    const body = Buffer.from([0, 255]);
    const kept = sanitizeEvent({ row, body });
    expect(kept.row).toMatchObject({ ...known, id: row.id, retention_days: row.retention_days });
    expect(kept.body).toBe(body);
  });

  test("has printable ASCII text and numbers in range, and is otherwise complete", () => {
    fc.assert(
      fc.property(odd, odd, odd, fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), (path, query, other, number) => {
        const { row } = new AuditEventDraft({
          path: `/${path}`,
          query,
          content_type: other,
          user_agent: other,
          error_message: other,
          api_key_name: other,
          user_name: other,
          user_email: other,
          resource_id: other,
          body_size: number,
          response_time_us: number,
        });
        const kept = sanitizeEvent({ row, body: null }).row;
        expect(Object.keys(kept)).toEqual(Object.keys(row));
        for (const value of Object.values(kept)) {
          if (typeof value === "string") expect(value).toMatch(/^[\x20-\x7e]{0,1000}$/);
          if (typeof value === "number") expect(value).toBeLessThan(2 ** 31);
        }
      }),
    );
  });

  test("with plain text is unchanged", () => {
    const { row } = new AuditEventDraft({
      path: "/a",
      query: "b=c",
      user_agent: "curl/8",
      body_size: 7,
      response_time_us: 9,
    });
    expect(sanitizeEvent({ row, body: null }).row).toEqual(row);
  });
});
