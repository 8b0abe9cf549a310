import { describe, expect, test } from "vitest";
import { AuditEventDraft, auditEvent, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { flags, isSecurityEvent } from "@/lib/audit-logs/flags";
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
