import { expect, test } from "vitest";
import { toAuditEvent } from "@/lib/audit-logs/audit-event";
import type { AuditRow } from "@/lib/audit-logs/audit-event-draft";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { REDACTED_CALLER } from "@/lib/audit-logs/redacted-caller";
import { entrySentence, weeklyEmail } from "@/lib/audit-views/weekly-email/email-text";
import { newIdAt } from "@/lib/ids";

const from = Date.parse("2026-11-16T00:00:00Z");
const at = newIdAt(Date.parse("2026-11-18T09:12:00Z"));
const entry = (known: Partial<AuditRow>) =>
  toAuditEvent({ ...new AuditEventDraft({ id: at, ...known }).row, is_security_event: false }, null);
const refused = entry({
  ...{ method: "GET", path: "/api/v1/certificates", status_code: 403, error_code: "IP_NOT_ALLOWED" },
  ...{ auth_type: "api_key", api_key_id: newIdAt(0), api_key_name: "CI deploy", ip_address: "192.0.2.1" },
});
const about = {
  ...{ view: "Refusals", organization: "ACME", week: { from, to: from + 7 * 86_400_000 } },
  ...{ count: 1_234, countBefore: 1_100, entries: [refused] },
  tops: [
    {
      title: "API keys",
      values: [
        { name: "CI deploy", events: 1_000 },
        { name: "ops", events: 34 },
      ],
      newest: null,
    },
    { title: "People", values: [], newest: null },
    { title: "Statuses", values: [{ name: "403", events: 1_234 }], newest: 50_000 },
  ],
  urls: { entries: "https://x.test/audit-logs?status=4xx", views: "https://x.test/audit-logs" },
};

test("the e-mail says what was found, how often, by whom, and where to see it and to stop it", () => {
  const { subject, text } = weeklyEmail(about);
  expect(subject).toBe("Refusals: 1,234 entries last week");
  expect(text).toBe(`“Refusals” in the audit log of ACME, 16 November 2026 to 22 November 2026 (UTC)

1,234 entries, 1,100 in the week before.

API keys
  1,000  CI deploy
     34  ops

Statuses (newest 50,000 entries)
  1,234  403

Newest entries
  Wed 18 Nov, 09:12: CI deploy requested GET /api/v1/certificates from 192.0.2.1: 403 IP_NOT_ALLOWED.

All entries of the week:
https://x.test/audit-logs?status=4xx

You are receiving this e-mail every Monday because you subscribed to it. To unsubscribe, open “Manage saved views” in the audit log:
https://x.test/audit-logs
`);
});

test("a week without entries, one with one, and one that could not be counted", () => {
  const none = { ...about, count: 0, countBefore: 12, tops: [], entries: [] };
  expect(weeklyEmail(none)).toMatchObject({ subject: "Refusals: 0 entries last week" });
  expect(weeklyEmail(none).text).toContain("(UTC)\n\nNo entries, 12 in the week before.\n\nAll entries of the week:");
  expect(weeklyEmail({ ...about, count: 1, countBefore: null }).text).toContain("\n\n1 entry.\n\n");
  const many = weeklyEmail({ ...about, count: null });
  expect(many.subject).toBe("Refusals: last week");
  expect(many.text).toContain("\n\nThere are more entries than could be counted.\n\n");
});

test("names and paths stay on their line, and are cut", () => {
  const { subject, text } = weeklyEmail({ ...about, view: "A\r\nBcc: x@x.test\u202e", organization: "B\nC" });
  expect(subject).toBe("A Bcc: x@x.test\\E2\\80\\AE: 1,234 entries last week");
  expect(text).toContain("in the audit log of B C,");
  const long = entrySentence(entry({ method: "GET", path: `/${"a".repeat(1_000)}`, status_code: 404 }));
  expect(long.length).toBeLessThan(250);
  expect(long).toMatch(/An unknown caller requested GET \/a+…: 404\.$/);
});

test("a redacted caller is not one that was unknown", () => {
  expect(entrySentence(entry({ method: "GET", path: "/a", status_code: 404, ...REDACTED_CALLER }))).toMatch(
    /A redacted caller requested GET \/a: 404\.$/,
  );
});

test("events that are not requests have a sentence too", () => {
  expect(entrySentence(entry({ action: "session.sign_in", user_id: newIdAt(0), user_name: "Ada" }))).toBe(
    "Wed 18 Nov, 09:12: Ada recorded session.sign_in.",
  );
  expect(entrySentence(entry({ action: "organization.set_plan", auth_type: "system" }))).toBe(
    "Wed 18 Nov, 09:12: Sealwatch recorded organization.set_plan.",
  );
});
