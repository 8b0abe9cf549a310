import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FormatError } from "@/lib/sealed-log/format-error";
import { canonicalJson, canonicalJsonWithoutNulls } from "@/lib/sealed-log/jcs";

/** RFC 8785, appendix B: the bits of a double and its JSON. */
const numbers = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
] as const;

const double = (bits: string) => Buffer.from(bits, "hex").readDoubleBE();

test.each(numbers)("the number with the bits %s is %s", (bits, json) => {
  expect(canonicalJson(double(bits))).toBe(json);
});

test.each(["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"])("no JSON has the bits %s", (bits) => {
  expect(() => canonicalJson(double(bits))).toThrow(FormatError);
});

test("the example of RFC 8785, section 3.2.2", () => {
  const text = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(JSON.parse(text))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test("members are ordered by UTF-16 code units, as in RFC 8785, section 3.2.3", () => {
  const text = String.raw`{
    "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
  }`;
  const names = Object.values(JSON.parse(canonicalJson(JSON.parse(text))));
  const inText = [...canonicalJson(JSON.parse(text)).matchAll(/:"([^"]+)"/g)].map(([, name]) => name);
  expect(names).toHaveLength(7);
  expect(inText).toEqual([
    ...["Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign"],
    ...["Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh"],
  ]);
});

describe("nulls", () => {
  const value = { b: null, a: { c: null, d: [null, { e: null }] }, f: {} };

  test("stay", () => {
    expect(canonicalJson(value)).toBe('{"a":{"c":null,"d":[null,{"e":null}]},"b":null,"f":{}}');
  });

  test("are left out of objects at every depth, never of arrays, and empty objects stay", () => {
    expect(canonicalJsonWithoutNulls(value)).toBe('{"a":{"d":[null,{}]},"f":{}}');
  });
});

test.each([["\ud800"], ["a\udc00"], [{ "\ud800": 1 }], [["\ude00\ud83d"]]])(
  "a lone surrogate in %j is refused",
  (value) => {
    expect(() => canonicalJson(value)).toThrow("A string has a lone surrogate.");
  },
);

test.each([undefined, 1n, () => 1, Symbol("one")])("%s is not JSON", (value) => {
  expect(() => canonicalJson([value])).toThrow(FormatError);
});

test("a member named __proto__ is one like others", () => {
  expect(canonicalJson(JSON.parse('{"z":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"z":1}');
});

test("any JSON keeps its meaning, and has one text however its members are ordered", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = JSON.parse(JSON.stringify(value));
      const reversed = JSON.parse(JSON.stringify(json), (_, part: unknown) =>
        typeof part === "object" && part !== null && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).reverse())
          : part,
      );
      expect(JSON.parse(canonicalJson(json))).toEqual(json);
      expect(canonicalJson(reversed)).toBe(canonicalJson(json));
    }),
  );
});
