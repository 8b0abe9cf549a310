import { expect, test } from "vitest";
import { CLASSES } from "@/lib/audit-logs/partitions/classes";
import { plans } from "@/lib/plans";

// Events of a class that is not listed would be sealed as missing, for good.
test.each(Object.entries(plans))("the retention of the plan %s is a listed class", (_, { auditRetentionDays }) => {
  expect(CLASSES).toContain(auditRetentionDays);
});

test("classes of earlier releases stay", () => {
  expect(CLASSES).toEqual(expect.arrayContaining([30, 180, 365, 2555, 32_767]));
});
