import { expect, test } from "vitest";
import { standingOf } from "@/lib/audit-logs/standing";
import { DAY_MS } from "@/lib/time/units";

const created = Date.parse("2026-01-01T00:00:00Z");
const replaced = created + 90 * DAY_MS;

test.each([
  ["never used the key", null, replaced, "unknown"],
  ["used it long before", created + 10 * DAY_MS, replaced, "known"],
  ["began 7 days before", replaced - 7 * DAY_MS, replaced, "known"],
  ["began a day before", replaced - DAY_MS, replaced, "recent"],
  ["began in the same moment", replaced, replaced, "recent"],
  ["has used the new secret since", replaced + 1, replaced, "known"],
  ["began on the key's first day, and the secret was replaced on it", created + 1, created + 2, "known"],
  ["began on the key's second day, and the secret was replaced then", created + DAY_MS, created + DAY_MS + 1, "recent"],
] as const)("an address that %s", (_, firstSuccess, replacedAt, standing) => {
  expect(standingOf(firstSuccess, created, replacedAt)).toBe(standing);
});
