import { expect, test } from "vitest";
import { memberChanges, resourceChanges } from "@/components/audit-logs/changes/read-changes";
import { endpoints } from "@/lib/api/endpoints";
import { actions } from "@/lib/http/actions";

/** Actions of requests that write, or of Sealwatch itself, which are not part of the history of a resource with a page. */
const excepted: readonly string[] = [
  // What people do about a problem, which has a page of its own with its timeline.
  ...["alert.acknowledge", "alert.bulk", "alert.resolve", "alert.snooze", "api_key.handle_old_secrets"],
  // Tests, previews, checks and what arrives by itself.
  ...["alert_rule.preview", "alert_rule.send_test", "alert_rule.test", "api_key.preview_whitelist", "destination.test"],
  ...["destination.try", "notification_channel.test", "notification_delivery.retry", "domain.discover"],
  ...["certificate_endpoint.bulk_check", "certificate_endpoint.check", "certificate_endpoint.report"],
  ...["monitor.bulk_check", "monitor.check", "certificate_agent.report"],
  // The whole log, the plan's provider, files, agents, issued and discovered names: no page has a history of them.
  ...["audit_log.add_witness", "audit_log.epoch_started", "audit_log.export_finished", "audit_log.hold_placed"],
  ...["audit_log.hold_released", "audit_log.key_rotated", "audit_log.redact", "audit_log.remove_witness"],
  ...["audit_log.sealing_started", "audit_log.set_anchors", "billing.checkout", "billing.portal", "certificate.add"],
  ...["certificate.hand_in", "certificate_agent.enroll"],
  ...["organization.export_finished", "organization.purge", "subdomain.review"],
  // Memberships: their history goes by flag.
  ...["invitation.accept", "invitation.withdraw", "member.leave", "member.relink", "member.remove", "member.set"],
  ...["session.sign_in", "session.sign_out"],
  // They name no single resource, which the page says.
  ...["certificate_endpoint.bulk_upsert", "certificate_endpoint.import", "monitor.bulk_upsert"],
];

const listedOf = (types: readonly string[]) => resourceChanges(types, ["id"]).action?.split(",") ?? [];

test("every action that writes is part of the histories, or excepted here", () => {
  const reads = new Set<string>(endpoints.flatMap(({ method, action }) => (method === "GET" ? action : [])));
  const types = [...new Set(actions.map((action) => action.split(".", 1)[0] ?? ""))];
  const listed = listedOf(types);
  expect(actions.filter((action) => !reads.has(action) && !listed.includes(action)).sort()).toEqual(
    [...excepted].sort(),
  );
  expect(listed.filter((action) => reads.has(action))).toEqual([]);
});

test("histories and the links to all of their entries leave out what failed", () => {
  for (const { status } of [resourceChanges(["monitor"], ["id"]), memberChanges]) expect(status).toBe("!4xx,!5xx");
});

test("a destination's history has who paused, resumed and replayed it", () => {
  expect(listedOf(["destination"])).toEqual(
    expect.arrayContaining(["destination.pause", "destination.resume", "destination.replay"]),
  );
});

test("histories have requests about something else that change the resource", () => {
  expect(resourceChanges(["organization"], ["id"])).toMatchObject({
    resource_type: "organization",
    action: expect.stringContaining("billing.notice"),
  });
  expect(resourceChanges(["domain"], ["id"])).toMatchObject({
    resource_type: "domain,issuance",
    action: expect.stringContaining("issuance.authorize"),
  });
  expect(resourceChanges(["api_key"], ["id"]).resource_type).toBe("api_key,certificate_agent");
});
