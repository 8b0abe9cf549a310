import { describe, expect, test } from "vitest";
import { AuditEventDraft, auditEvent, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { flags, isSecurityEvent } from "@/lib/audit-logs/flags";
import { ApiError } from "@/lib/http/errors";
import { idTime, NOBODY } from "@/lib/ids";

describe("a draft of an event", () => {
  test("has no organization and is anonymous by default", () => {
    expect(new AuditEventDraft().row).toMatchObject({
      organization_id: NOBODY,
      auth_type: "anonymous",
      retention_days: 30,
      flags: [],
    });
  });

  test("has the time of its id", () => {
    const event = new AuditEventDraft();
    expect(event.occurredAt.getTime()).toBe(idTime(event.id));
    expect(Math.abs(event.occurredAt.getTime() - Date.now())).toBeLessThan(5_000);
  });

  test("has each flag only once", () => {
    const event = new AuditEventDraft();
    event.flag("rate_limited");
    event.flag("rate_limited");
    expect(event.row.flags).toEqual(["rate_limited"]);
  });

  test("does not share its flags with another draft", () => {
    new AuditEventDraft().flag("rate_limited");
    expect(new AuditEventDraft().row.flags).toEqual([]);
  });

  test("has a response time when finished", () => {
    const event = new AuditEventDraft();
    event.finish(200);
    expect(event.row.status_code).toBe(200);
    expect(event.row.response_time_us).toBeGreaterThanOrEqual(0);
  });

  test("takes over what its change recorded, and keeps how the request ended", () => {
    const event = new AuditEventDraft({ details: { trace_id: "t" }, flags: ["new_address"] });
    const committed = {
      ...event.row,
      ...{ organization_id: "o", resource_type: "api_key", resource_id: "k", flags: ["key_created" as const] },
      details: { resource_name: "deploy", changes: [] },
    };
    event.fail(new ApiError("UNAVAILABLE", "Try again."));
    event.finish(503);
    const { response_time_us } = event.row;
    event.adopt(committed);
    expect(event.row).toEqual({
      ...committed,
      ...{ status_code: 503, error_code: "UNAVAILABLE", error_message: "Try again.", response_time_us },
      flags: ["key_created", "new_address"],
      details: { resource_name: "deploy", changes: [], trace_id: "t", change_committed: true },
    });
  });

  test("has no more of an error's message than it has room for", () => {
    const event = new AuditEventDraft();
    event.fail(new ApiError("INVALID_REQUEST", "x".repeat(5_000)));
    expect([event.row.error_code, event.row.error_message?.length]).toEqual(["INVALID_REQUEST", 2_000]);
  });

  test("is the draft of the running code, and changes without a draft are refused", async () => {
    const [one, other] = [new AuditEventDraft(), new AuditEventDraft()];
    const seen = await Promise.all([one, other].map((event) => draftStorage.run(event, async () => auditEvent())));
    expect(seen).toEqual([one, other]);
    expect(() => auditEvent()).toThrow("without an audit event");
  });
});

describe("flags", () => {
  test("are the closed list of the contract, plus those of organization exports and redactions", () => {
    expect(new Set(flags).size).toBe(flags.length);
    expect([...flags].sort()).toEqual(
      [
        ..."invalid_credentials expired_key revoked_key rotated_secret ip_not_allowed method_not_allowed".split(" "),
        ..."rate_limited cross_site_request key_created key_updated key_rotated key_revoked sign_in".split(" "),
        ..."sign_in_refused sign_out member_added member_changed member_removed organization_updated".split(" "),
        ..."out_of_scope plan_changed audit_exported audit_redacted audit_hold_placed audit_hold_released destination_changed organization_exported new_address new_country interrupted".split(
          " ",
        ),
      ].sort(),
    );
  });

  test("make a security event, except interrupted", () => {
    expect(isSecurityEvent([])).toBe(false);
    expect(isSecurityEvent(["interrupted"])).toBe(false);
    expect(isSecurityEvent(["interrupted", "sign_in"])).toBe(true);
    for (const flag of flags) expect(isSecurityEvent([flag])).toBe(flag !== "interrupted");
  });
});
