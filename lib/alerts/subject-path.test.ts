import { expect, test } from "vitest";
import type { Subject } from "@/lib/alerts/alert-state";
import { flaggedEntries, subjectPath } from "@/lib/alerts/subject-path";

const about = (type: Subject["type"], ...causes: string[]) => ({ subject: { type, id: "7" }, causes });

test.each([
  [about("endpoint", "expired"), "/certificates/endpoints/7"],
  [about("certificate", "revoked"), "/certificates/7"],
  [about("monitor", "down"), "/uptime/7"],
  [about("issuance", "issuance_unauthorized"), "/subdomains/issuances?accounted=false&current=true"],
  [about("issuance", "issuance_unexpected"), "/subdomains/issuances?unexpected=true"],
  [about("api_key", "api_key_expired"), "/api-keys/7"],
  [about("audit_log", "event_count"), "/audit-logs"],
  [about("audit_log", "log_broken"), "/integrity"],
  [about("destination", "destination_failing"), "/destinations/7"],
  [about("user", "new_ip", "new_country"), "/audit-logs?range=30d&flag=new_ip%2Cnew_country&user_id=7"],
  // Unidentified callers have no id to filter by.
  [about("organization", "rate_limited"), "/audit-logs?range=30d&flag=rate_limited"],
])("an alert about %o leads to %s", (alert, path) => {
  expect(subjectPath(alert)).toBe(path);
});

test("only callers have flagged entries", () => {
  expect(flaggedEntries(about("api_key", "revoked_key"))?.toString()).toBe("range=30d&flag=revoked_key&api_key_id=7");
  expect(flaggedEntries(about("endpoint", "expired"))).toBeNull();
});
