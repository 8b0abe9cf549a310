import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storable } from "@/lib/audit-logs/storable";

/** Any UTF-16 code unit, including lone surrogates. */
const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));

describe("storable text", () => {
  test.each([
    ["plain", "plain"],
    ["a\0b", "a\uFFFDb"],
    ["\ud83d", "\uFFFD"],
    ["\ude00\ud83d", "\uFFFD\uFFFD"],
    ["😀", "😀"],
    ["\\u0000", "\\u0000"],
  ])("%j becomes %j", (text, stored) => {
    expect(storable(text)).toBe(stored);
  });

  test("survives conversion to UTF-8 unchanged, and contains no NUL", () => {
    fc.assert(
      fc.property(fc.string({ unit }), fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "\0", "x") }), (a, b) => {
        const stored = storable(a + b);
        expect(Buffer.from(stored, "utf8").toString("utf8")).toBe(stored);
        expect(stored).not.toContain("\0");
        expect(storable(stored)).toBe(stored);
      }),
    );
  });
});
