import { expect, test } from "vitest";
import type { Finding } from "@/lib/certificates/findings";
import { compareFindings, type OpenFinding } from "@/lib/certificates/record/record-findings";

const expiry: Finding = { code: "expires_soon", severity: "info", evidence: { not_after: "2026-12-01T00:00:00.000Z" } };
const refused: Finding = { code: "unreachable", severity: "critical", evidence: { reason: "timeout", detail: null } };
const nothing = { opened: [], changed: [], closed: [] };

function open(finding: Finding): OpenFinding {
  return { id: `id of ${finding.code}`, ...finding };
}

test("what is found again is left as it is, in whatever order its evidence comes", () => {
  const evidence = { detail: null, reason: "timeout" };
  expect(compareFindings([open(refused)], [{ ...refused, evidence }], false)).toEqual(nothing);
});

test("what is new opens, what is gone closes, what is graver changes", () => {
  const graver: Finding = { ...expiry, severity: "warning" };
  expect(compareFindings([], [expiry], true)).toEqual({ ...nothing, opened: [expiry] });
  expect(compareFindings([open(expiry)], [], true)).toEqual({ ...nothing, closed: [open(expiry)] });
  expect(compareFindings([open(expiry)], [graver], true)).toEqual({ ...nothing, changed: [open(graver)] });
});

test("while no certificate is seen, what was found about it stays, and reachability is judged", () => {
  const lost: Finding = { code: "dns_failure", severity: "critical", evidence: {} };
  expect(compareFindings([open(expiry)], [refused], false)).toEqual({ ...nothing, opened: [refused] });
  expect(compareFindings([open(expiry), open(lost)], [refused], false)).toEqual({
    ...nothing,
    opened: [refused],
    closed: [open(lost)],
  });
  expect(compareFindings([open(expiry), open(refused)], [expiry], true)).toEqual({
    ...nothing,
    closed: [open(refused)],
  });
});
