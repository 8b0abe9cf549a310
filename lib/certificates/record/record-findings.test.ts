import { expect, test } from "vitest";
import type { Finding } from "@/lib/certificates/findings";
import { compareFindings, type OpenFinding } from "@/lib/certificates/record/record-findings";

const expiry: Finding = { code: "expires_soon", severity: "info", evidence: { not_after: "2026-12-01T00:00:00.000Z" } };
const refused: Finding = { code: "unreachable", severity: "critical", evidence: { reason: "timeout", detail: null } };
const nothing = { opened: [], changed: [], closed: [] };

function open(finding: Finding): OpenFinding {
  return { id: `id of ${finding.code}`, ...finding };
}

test("findings with the same evidence are unchanged, in any key order", () => {
  const evidence = { detail: null, reason: "timeout" };
  expect(compareFindings([open(refused)], [{ ...refused, evidence }], false)).toEqual(nothing);
});

test("new findings open, missing findings close, more severe findings change", () => {
  const graver: Finding = { ...expiry, severity: "warning" };
  expect(compareFindings([], [expiry], true)).toEqual({ ...nothing, opened: [expiry] });
  expect(compareFindings([open(expiry)], [], true)).toEqual({ ...nothing, closed: [open(expiry)] });
  expect(compareFindings([open(expiry)], [graver], true)).toEqual({ ...nothing, changed: [open(graver)] });
});

test("without a certificate, its findings stay open and only reachability changes", () => {
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
