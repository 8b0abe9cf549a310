import { expect, test } from "vitest";
import { compilePattern, MATCHED_LENGTH, matches } from "@/lib/uptime/matching/pattern";

test.each([
  ["look-ahead", "a(?=b)", /not a regular expression of RE2/],
  ["a back-reference", "(a)\\1", /not a regular expression of RE2/],
  ["an open group", "(a", /missing closing/],
  ["many repetitions", "(a{20}b){20}", /too complex: it has \d+ steps/],
])("refuses %s", (_what, pattern, message) => {
  expect(() => compilePattern(pattern)).toThrow(message);
});

test("what would never end elsewhere ends", () => {
  expect(matches("(a+)+(a|aa)+$b", Buffer.from(`${"a".repeat(MATCHED_LENGTH - 1)}!`))).toBe(false);
});

test("only the beginning is matched", () => {
  const after = (blanks: string) => matches("needle", Buffer.from(`${blanks}needle`));
  expect(MATCHED_LENGTH).toBe(16 * 1024);
  expect(after(" ".repeat(MATCHED_LENGTH - 6))).toBe(true);
  expect(after(" ".repeat(MATCHED_LENGTH - 5))).toBe(false);
  expect(after("é".repeat(MATCHED_LENGTH / 2 - 3))).toBe(true);
  expect(after("é".repeat(MATCHED_LENGTH / 2 - 2))).toBe(false);
});
