import { describe, expect, test } from "vitest";
import { parseIfMatch } from "@/lib/api/preconditions";

describe("If-Match", () => {
  test.each([
    ["*", null],
    [" * ", null],
    ['"a"', ['"a"']],
    ['"a", "b"', ['"a"', '"b"']],
    ['"a,b" ,W/"c"', ['"a,b"', 'W/"c"']],
    ['""', ['""']],
  ])("%s is parsed", (text, tags) => {
    expect(parseIfMatch(text)).toEqual(tags);
  });

  test.each(["", "a", '"a', '"a" "b"', '"a",', 'w/"a"', "*, *", '*, "a"', '"a b"'])("%j is refused", (text) => {
    expect(() => parseIfMatch(text)).toThrow("If-Match");
  });

  test("of one megabyte is parsed quickly", () => {
    expect(() => parseIfMatch(`${'"a", '.repeat(200_000)}x`)).toThrow("If-Match");
  });
});
