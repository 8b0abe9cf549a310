import fc from "fast-check";
import { expect, test } from "vitest";
import { auditEvent } from "@/lib/audit-logs/contract";
import { anySentEvent, sentEvent } from "@/server/testing/sent-events";

test("events of tests are those of the contract", () => {
  const check = ({ seal, ...event }: typeof sentEvent) => {
    const { index, epoch, redaction } = seal;
    expect(auditEvent.safeParse({ ...event, seal: { index, epoch, redaction } }).error).toBeUndefined();
  };
  check(sentEvent);
  fc.assert(fc.property(anySentEvent, check), { numRuns: 100 });
});
