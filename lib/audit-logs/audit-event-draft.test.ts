import { describe, expect, test } from "vitest";
import { AuditEventDraft, auditEvent, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import { flags, isSecurityEvent } from "@/lib/audit-logs/flags";
import { idTime, NOBODY } from "@/lib/ids";

describe("an event in the making", () => {
  test("is nobody's and anonymous until more is known", () => {
    expect(new AuditEventDraft().row).toMatchObject({
      organization_id: NOBODY,
      auth_type: "anonymous",
      retention_days: 30,
      flags: [],
    });
  });

  test("is dated by its id", () => {
    const event = new AuditEventDraft();
    expect(event.occurredAt.getTime()).toBe(idTime(event.id));
    expect(Math.abs(event.occurredAt.getTime() - Date.now())).toBeLessThan(5_000);
  });

  test("has each flag once", () => {
    const event = new AuditEventDraft();
    event.flag("rate_limited");
    event.flag("rate_limited");
    expect(event.row.flags).toEqual(["rate_limited"]);
  });

  test("does not share its flags with another", () => {
    new AuditEventDraft().flag("rate_limited");
    expect(new AuditEventDraft().row.flags).toEqual([]);
  });

  test("is timed when it is finished", () => {
    const event = new AuditEventDraft();
    event.finish(200);
    expect(event.row.status_code).toBe(200);
    expect(event.row.response_time_us).toBeGreaterThanOrEqual(0);
  });

  test("is the one the code runs under, and outside of any a change is refused", async () => {
    const [one, other] = [new AuditEventDraft(), new AuditEventDraft()];
    const seen = await Promise.all([one, other].map((event) => draftStorage.run(event, async () => auditEvent())));
    expect(seen).toEqual([one, other]);
    expect(() => auditEvent()).toThrow("outside of a recording");
  });
});

describe("flags", () => {
  test("are the closed list of the contract, and one for an organization that is carried off", () => {
    expect(new Set(flags).size).toBe(flags.length);
    expect([...flags].sort()).toEqual(
      [
        ..."invalid_credentials expired_key revoked_key rotated_secret ip_not_allowed method_not_allowed".split(" "),
        ..."rate_limited cross_site_request key_created key_updated key_rotated key_revoked sign_in".split(" "),
        ..."sign_in_refused sign_out member_added member_changed member_removed organization_updated".split(" "),
        ..."plan_changed audit_exported organization_exported new_address new_country interrupted".split(" "),
      ].sort(),
    );
  });

  test("make a security event, but for interrupted alone", () => {
    expect(isSecurityEvent([])).toBe(false);
    expect(isSecurityEvent(["interrupted"])).toBe(false);
    expect(isSecurityEvent(["interrupted", "sign_in"])).toBe(true);
    for (const flag of flags) expect(isSecurityEvent([flag])).toBe(flag !== "interrupted");
  });
});
