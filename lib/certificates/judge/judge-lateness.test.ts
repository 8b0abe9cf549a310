import { expect, test } from "vitest";
import { judgeLateness } from "@/lib/certificates/judge/judge-lateness";

const leaf = { notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2026-04-11T00:00:00Z") };
/** A moment at which this share of the 100 days is left. */
const left = (share: number) => new Date(leaf.notAfter.getTime() - share * 100 * 86_400_000);

test("nothing is usual before three renewals", () => {
  expect(judgeLateness(leaf, [0.5, 0.5], left(0.1))).toBeNull();
});

test("a renewal is late once less is left than usual, and says what is usual", () => {
  const leads = [0.5, 0.48, 0.52];
  expect(judgeLateness(leaf, leads, left(0.46))).toBeNull();
  expect(judgeLateness(leaf, leads, left(0.44))).toEqual({
    code: "renewal_later_than_usual",
    severity: "info",
    evidence: {
      not_after: "2026-04-11T00:00:00.000Z",
      usually_renewed_at: "2026-02-20T00:00:00.000Z",
      usual_left_share: 0.5,
      renewals: 3,
    },
  });
});

test("the severity follows the time left, and the evidence does not", () => {
  const early = judgeLateness(leaf, [0.5, 0.5, 0.5], left(0.3));
  const late = judgeLateness(leaf, [0.5, 0.5, 0.5], left(0.05));
  expect([early?.severity, late?.severity]).toEqual(["info", "critical"]);
  expect(late?.evidence).toEqual(early?.evidence);
});

test("where renewals vary, more is needed to be late", () => {
  expect(judgeLateness(leaf, [0.6, 0.3, 0.45, 0.2], left(0.15))).toBeNull();
});

test("names that are renewed at the last moment are not late before, and expired ones are only expired", () => {
  expect(judgeLateness(leaf, [0.04, 0.02, 0.03], left(0.01))).toBeNull();
  expect(judgeLateness(leaf, [0.5, 0.5, 0.5], left(-0.01))).toBeNull();
});
