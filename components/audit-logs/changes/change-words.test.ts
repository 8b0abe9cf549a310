import { expect, test } from "vitest";
import {
  changeSummary,
  entriesWords,
  fieldWords,
  isTime,
  listChange,
  valueWords,
} from "@/components/audit-logs/changes/change-words";
import type { AuditEvent } from "@/lib/audit-logs/contract";

function said(action: string, details: Record<string, unknown> | null): string | undefined {
  return changeSummary({ resource: { action }, details } as unknown as AuditEvent)?.text;
}

const changed = (...fields: string[]) => fields.map((field) => ({ field, from: "a", to: "b" }));

test.each([
  ["api_key.update", { changes: changed("ip_whitelist") }, "Changed terraform’s IP whitelist"],
  ["api_key.update", { changes: changed("name", "expires_at") }, "Changed terraform’s name and expiration"],
  ["api_key.rotate", { changes: changed("hint") }, "Rotated terraform’s secret"],
  ["api_key.revoke", { changes: changed("revoked_at") }, "Revoked API key terraform"],
  ["api_key.create", { changes: [] }, "Created API key terraform"],
  ["api_key.update", { changes: [] }, "Left terraform unchanged"],
  ["alert_rule.update", { changes: changed("steps.0.severity") }, "Changed terraform’s severity of step 1"],
  ["alert_rule.update", { changes: changed("steps.0.severity", "steps.1.severity") }, "Changed terraform’s steps"],
  ["monitor.update", { changes: changed("a", "b", "c", "d") }, "Changed terraform’s a, b, c and more"],
  ["monitor.update", { changes: changed("a"), changes_omitted: 3 }, "Changed terraform’s a and more"],
  ["member.set", { changes: [{ field: "permission", from: null, to: "read" }] }, "Added member terraform"],
  ["invitation.accept", { changes: [{ field: "permission", from: null, to: "read" }] }, "Added member terraform"],
  ["member.remove", { changes: [{ field: "permission", from: "read", to: null }] }, "Removed member terraform"],
  ["member.set", { changes: changed("permission") }, "Changed terraform’s permission"],
])("%s with %j: %s", (action, details, text) => {
  expect(said(action, { resource_name: "terraform", ...details })).toBe(text);
});

test.each([
  [{ created: 2, updated: 1 }, "Added 2 endpoints, changed 1"],
  [{ created: 0, updated: 1 }, "Changed 1 endpoint"],
  [{ created: 0, updated: 0 }, "Left all endpoints unchanged"],
])("a bulk request with %j: %s", (counts, text) => {
  expect(said("certificate_endpoint.import", { ...counts, changes: [] })).toBe(text);
});

test("an event that records no changes has no sentence", () => {
  expect(said("api_key.update", null)).toBeUndefined();
  expect(said("audit_log.export_finished", { rows: 1 })).toBeUndefined();
});

test("fields are in words", () => {
  expect(["settings.url", "quiet_hours.start", "steps.2.channels"].map(fieldWords)).toEqual([
    "URL",
    "quiet hours start",
    "channels of step 3",
  ]);
});

test("of a list the entries that were added and removed", () => {
  const { added, removed } = listChange({ field: "tags", from: ["a", "b"], to: ["b", "c", "d"] }) ?? {};
  expect([added, removed]).toEqual([
    { count: 2, first: ["c", "d"] },
    { count: 1, first: ["a"] },
  ]);
  expect(listChange({ field: "name", from: "a", to: null })).toBeNull();
  expect(entriesWords({ count: 1_200, first: ["a", "b", "c"] }, 2)).toBe("a, b, 1,198 more");
});

test("values are in words, and times are recognized", () => {
  expect([null, true, "", 443, "x"].map(valueWords)).toEqual(["none", "yes", "empty", "443", "x"]);
  expect(["2027-01-01T00:00:00.000Z", "2027", 1].map(isTime)).toEqual([true, false, false]);
});
