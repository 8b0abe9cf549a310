import { describe, expect, test } from "vitest";
import { type Finding, found } from "@/lib/certificates/findings";
import { judgeAlternation, type LeafSeries, nextSeries } from "@/lib/certificates/judge/judge-alternation";

const expired = found("expired", "critical", { subject: "CN=old" });
const soon = (of: string) => found("expires_soon", "info", { of });

/** A served certificate by name, with what is found of it. */
function leaf(id: string, findings: Finding[] = []) {
  return { id, sha256: id.repeat(4), not_after: "2027-01-01T00:00:00.000Z", findings };
}

/** The series after checks saw these certificates, each letter one check. */
function seriesOf(checks: string, findings: Record<string, Finding[]> = {}): LeafSeries | null {
  const leaves = [...checks].map((id) => leaf(id, findings[id]));
  return leaves.reduce<LeafSeries | null>((series, each, at) => nextSeries(series, leaves[at - 1] ?? null, each), null);
}

const letters = (series: LeafSeries | null) => series?.seen.map((at) => series.certificates[at]?.id).join("");

describe("nextSeries", () => {
  test.each([
    ["a", undefined],
    ["aaaa", undefined],
    ["aab", "ab"],
    ["aba", "aba"],
    ["abbbb", "abbbb"],
    ["abbbbb", undefined],
    ["ababbbbb", undefined],
    ["abbbbba", "ba"],
    ["abababababab", "ababababab"],
    ["abcdedcba", "dcba"],
    ["abcde", "bcde"],
  ])("of %s is %s", (checks, expected) => {
    expect(letters(seriesOf(checks))).toBe(expected);
  });

  test("has what the last check of each certificate found", () => {
    const before = seriesOf("ab", { a: [expired] });
    expect(before?.certificates.map(({ findings }) => findings)).toEqual([[expired], []]);
    const fixed = nextSeries(before, null, leaf("a"));
    expect(fixed?.certificates.map(({ findings }) => findings)).toEqual([[], []]);
  });

  test("follows a certificate of which nothing was known before", () => {
    expect(nextSeries(null, null, leaf("a"))).toBeNull();
  });
});

describe("judgeAlternation", () => {
  test("does not take a renewal, or a renewal that was taken back, for an alternation", () => {
    expect(judgeAlternation([soon("b")], seriesOf("ab", { a: [expired] }), null)).toEqual([soon("b")]);
    expect(judgeAlternation([soon("a")], seriesOf("abba", { b: [expired] }), null)).toEqual([soon("a")]);
    expect(judgeAlternation([], null, null)).toEqual([]);
  });

  test("names the certificates that the last checks saw, once they changed three times", () => {
    expect(judgeAlternation([], seriesOf("abaab"), "192.0.2.1")).toEqual([
      {
        code: "certificates_alternate",
        severity: "warning",
        evidence: {
          address: "192.0.2.1",
          checks: 10,
          certificates: [
            { id: "a", sha256: "aaaa", not_after: "2027-01-01T00:00:00.000Z" },
            { id: "b", sha256: "bbbb", not_after: "2027-01-01T00:00:00.000Z" },
          ],
        },
      },
    ]);
  });

  test("keeps the findings of each, whichever the last check saw, without those of every change", () => {
    const changed = found("certificate_changed", "info", {});
    const findings = { a: [expired, soon("a"), changed], b: [soon("b"), changed] };
    for (const checks of ["abab", "ababa"]) {
      const codes = judgeAlternation(findings.b, seriesOf(checks, findings), null);
      expect(codes.slice(0, -1)).toEqual([expired, soon("a")]);
    }
  });

  test("finds the same while the same certificates alternate, in whatever order", () => {
    const first = judgeAlternation([], seriesOf("abab"), null);
    for (const checks of ["baba", "ababa", "abaab", "abababbbb", "abababababaab"]) {
      expect(judgeAlternation([], seriesOf(checks), null)).toEqual(first);
    }
  });

  test("ends when the last five checks saw the same", () => {
    expect(judgeAlternation([], seriesOf("ababbbbb", { a: [expired] }), null)).toEqual([]);
  });
});
