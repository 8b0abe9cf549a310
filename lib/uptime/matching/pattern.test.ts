import { RE2JS } from "re2js";
import { expect, test, vi } from "vitest";
import { ArrivingMatch, compilePattern, MATCHED_LENGTH, matches } from "@/lib/uptime/matching/pattern";

test.each([
  ["look-ahead", "a(?=b)", /not a regular expression of RE2/],
  ["a back-reference", "(a)\\1", /not a regular expression of RE2/],
  ["an open group", "(a", /missing closing/],
  ["many repetitions", "(a{20}b){20}", /too complex: it has \d+ steps/],
])("refuses %s", (_what, pattern, message) => {
  expect(() => compilePattern(pattern)).toThrow(message);
});

test("what would never end elsewhere ends", () => {
  expect(matches(compilePattern("(a+)+(a|aa)+$b"), Buffer.from(`${"a".repeat(MATCHED_LENGTH - 1)}!`))).toBe(false);
});

test("only the beginning is matched", () => {
  const after = (blanks: string) => matches(compilePattern("needle"), Buffer.from(`${blanks}needle`));
  expect(MATCHED_LENGTH).toBe(16 * 1024);
  expect(after(" ".repeat(MATCHED_LENGTH - 6))).toBe(true);
  expect(after(" ".repeat(MATCHED_LENGTH - 5))).toBe(false);
  expect(after("é".repeat(MATCHED_LENGTH / 2 - 3))).toBe(true);
  expect(after("é".repeat(MATCHED_LENGTH / 2 - 2))).toBe(false);
});

/** A text of `a` arrives in parts of `size` bytes: the lengths that were matched, and whether it matched in the end. */
function arrive(size: number, total: number, pattern = "^a+b") {
  const matcher = vi.spyOn(RE2JS.prototype, "matcher");
  try {
    const match = new ArrivingMatch(pattern, total);
    const body = Buffer.alloc(total, "a");
    for (let length = size; length <= total; length += size) match.isIn(body.subarray(0, length), false);
    const isFound = match.isIn(body, true);
    return { isFound, lengths: matcher.mock.calls.map(([text]) => String(text).length) };
  } finally {
    matcher.mockRestore();
  }
}

test("what arrives in few parts is matched after each, and not again at the end", () => {
  expect(arrive(4096, 4096).lengths).toEqual([4096]);
  expect(arrive(2048, 4096).lengths).toEqual([2048, 4096]);
  expect(arrive(1000, 4096).lengths).toEqual([1000, 2000, 3000, 4096]);
  const match = new ArrivingMatch("^220 ready", 4096);
  const parts = ["220 re", "220 ready\r\n"].map((text) => Buffer.from(text));
  expect(parts.map((part) => match.isIn(part, false))).toEqual([false, true]);
  expect(new ArrivingMatch("^$", 4096).isIn(Buffer.alloc(0), true)).toBe(true);
});

test("what arrives byte by byte is matched again when it has doubled, and at the end", () => {
  const { lengths } = arrive(1, 4096);
  expect(lengths.slice(0, 3)).toEqual([1, 2, 3]);
  expect(lengths.slice(-7)).toEqual([127, 254, 508, 1016, 2032, 4064, 4096]);
  expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(5 * 4096);
  expect(arrive(1, 300, "a{40}$")).toMatchObject({ isFound: true });
});
