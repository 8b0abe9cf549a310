import { expect, test } from "vitest";
import { isOnHold } from "@/components/integrity/hold-days";
import type { AuditHold } from "@/lib/audit-logs/hold/contract";

const by = { type: "user", id: null, name: "Zoë" } as const;
const hold: AuditHold = {
  ...{ id: "01a20b5b-f117-764b-b0eb-88def74bd696", name: "Case", reason: "x", filter: null },
  ...{ covers_since: "2026-11-03T12:00:00.000Z", placed_at: "2026-12-03T12:00:00.000Z", placed_by: by },
  ...{ released_at: null, released_by: null },
};

test.each<[string, AuditHold, string, boolean]>([
  ["before the hold", hold, "2026-11-02", false],
  ["on which it begins", hold, "2026-11-03", true],
  ["long after", hold, "2027-11-03", true],
  ["of a released hold", { ...hold, released_at: "2026-12-04T00:00:00.000Z" }, "2026-11-04", false],
  ["before its filter ends", { ...hold, filter: "method=PUT&until=2026-11-05T00%3A00%3A00Z" }, "2026-11-04", true],
  ["on which its filter ends", { ...hold, filter: "until=2026-11-05T00%3A00%3A00Z" }, "2026-11-05", false],
])("a day %s", (_, of, day, expected) => {
  expect(isOnHold([of], Date.parse(`${day}T00:00:00Z`))).toBe(expected);
});
