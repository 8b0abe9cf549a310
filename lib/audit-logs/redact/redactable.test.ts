import { expect, test } from "vitest";
import { toAuditEvent } from "@/lib/audit-logs/audit-event";
import { AuditEventDraft, type AuditRow } from "@/lib/audit-logs/audit-event-draft";
import type { Seal } from "@/lib/audit-logs/contract";
import { redactableParts } from "@/lib/audit-logs/redact/redactable";

const SEAL: Seal = { index: 1, epoch: 1, redaction: null };
const BY = { id: "01a20b5b-f117-764b-b0eb-88def74bd696", index: 2, epoch: 1, at: "2026-11-24T00:00:00.000Z" };

test.each<[string, Partial<AuditRow>, Seal | null, string[]]>([
  ["a request with a body", { method: "POST", body_size: 4 }, SEAL, ["body", "caller"]],
  ["a request without one", { method: "GET", body_size: 0 }, SEAL, ["caller"]],
  ["an event that is not sealed", { method: "POST", body_size: 4 }, null, []],
  [
    "an event without its body",
    { method: "POST", body_size: 4 },
    { ...SEAL, redaction: { body: BY, caller: null } },
    ["caller"],
  ],
  ["an event without its caller", { auth_type: "" }, { ...SEAL, redaction: { body: null, caller: BY } }, []],
  ["what Sealwatch did", { auth_type: "system" }, SEAL, []],
  ["a redaction", { action: "audit_log.redact", method: "POST", body_size: 4 }, SEAL, []],
  ["a change of the plan", { flags: ["plan_changed"], method: "POST", body_size: 4 }, SEAL, []],
])("the parts of %s that can be redacted", (_, known, seal, parts) => {
  const { row } = new AuditEventDraft(known);
  expect(redactableParts(toAuditEvent({ ...row, is_security_event: false }, seal))).toEqual(parts);
});
