import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCsv, toCsvLine } from "@/lib/text/csv";

describe("parseCsv", () => {
  test.each([
    [
      "two lines",
      "a,b\nc,d\n",
      [
        [1, "a", "b"],
        [2, "c", "d"],
      ],
    ],
    [
      "no line break at the end, and CRLF",
      "a,b\r\nc,d",
      [
        [1, "a", "b"],
        [2, "c", "d"],
      ],
    ],
    [
      "a byte order mark, empty lines and cells",
      "\uFEFFa,,\n\n,\n,b",
      [
        [1, "a", "", ""],
        [4, "", "b"],
      ],
    ],
    [
      "quotes, commas and line breaks within a cell",
      '"a ""b"", c\nd",e\nf',
      [
        [1, 'a "b", c\nd', "e"],
        [3, "f"],
      ],
    ],
    ["nothing", "", []],
  ])("%s", (_what, text, rows) => {
    expect(parseCsv(text).map(({ line, cells }) => [line, ...cells])).toEqual(rows);
  });

  test.each(['a\n"b', '"a"b', 'a\n"b""'])("refuses an unclosed quote: %j", (text) => {
    expect(() => parseCsv(text)).toThrow(/^line \d: a quote/);
  });

  test.each([
    ["a million characters in quotes", `a\n"${"x".repeat(1_000_000)}"`, 2],
    ["a million quotes", `a\n"${'""'.repeat(500_000)}"`, 2],
  ])("reads %s", (_, text, rows) => {
    expect(parseCsv(text)).toHaveLength(rows);
  });

  test("refuses more cells than the limit", () => {
    expect(() => parseCsv(",".repeat(60_000))).toThrow("must have at most 50000 cells");
    expect(() => parseCsv("\n".repeat(60_000))).toThrow("must have at most 50000 cells");
  });

  test("reads its own output", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "'", "=", "-") });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constant("x"), cell, cell), { maxLength: 5 }), (rows) => {
        expect(parseCsv(rows.map(toCsvLine).join("")).map(({ cells }) => cells)).toEqual(rows);
      }),
    );
  });
});

test("toCsvLine escapes formulas and leaves numbers unchanged", () => {
  expect(toCsvLine(["=1+1", "@x", "-1", -1, true, null, "a=b"])).toBe("'=1+1,'@x,'-1,-1,true,,a=b\r\n");
});

test("a cell cannot rearrange adjacent cells", () => {
  expect(toCsvLine(["=\u202ea", "b"])).toBe("'=\\E2\\80\\AEa,b\r\n");
});
