import { expect, test } from "vitest";
import { expectedAlert } from "@/components/alerts/expected-alert";
import type { AlertDetail } from "@/lib/alerts/contract";

const at = "2026-11-21T12:00:00.000Z";
const id = "018f0000-0000-7000-8000-000000000001";
const alert: AlertDetail = {
  id,
  rule: { id, name: "Rule" },
  subject: { type: "endpoint", id, name: "shop.example.com:443" },
  certificate_id: null,
  status: "open",
  severity: "warning",
  step: 1,
  causes: ["self_signed"],
  detail: "self signed",
  flapping: false,
  opened_at: at,
  cause_gone_at: null,
  acknowledged_at: null,
  acknowledged_by: null,
  snoozed_until: null,
  resolved_at: null,
  resolved_by: null,
  last_told_at: null,
  timeline: [],
};

test("an action immediately shows the expected state, person and timeline entry with its note", () => {
  const acknowledged = expectedAlert(alert, { act: "acknowledgeAlert", sent: { id, note: "mine" } }, "Ada", at);
  expect(acknowledged).toMatchObject({ status: "acknowledged", acknowledged_at: at, acknowledged_by: "Ada" });
  expect(acknowledged.timeline).toEqual([
    { id: "now", at, actor: "Ada", kind: "acknowledged", details: { note: "mine" } },
  ]);
  const until = "2026-11-22T12:00:00.000Z";
  const snoozed = expectedAlert(alert, { act: "snoozeAlert", sent: { id, until } }, "Ada", at);
  expect(snoozed).toMatchObject({ status: "snoozed", snoozed_until: until });
  const resolved = expectedAlert(snoozed, { act: "resolveAlert", sent: { id } }, "Ada", at);
  expect(resolved).toMatchObject({ status: "resolved", resolved_by: "person", snoozed_until: null });
  expect(resolved.timeline.map(({ kind }) => kind)).toEqual(["snoozed", "resolved"]);
});
