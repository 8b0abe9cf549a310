import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonScanner, MAX_DEPTH } from "@/lib/http/json-scanner";

/** Depth and number of values of a parsed value. */
function measure(value: unknown): { depth: number; values: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 1 };
  const inner = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

function scan(bytes: Uint8Array, cuts: readonly number[] = [], most = 1_000_000): JsonScanner {
  const scanner = new JsonScanner(most);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [index, edge] of edges.entries()) scanner.push(bytes.subarray(edge, edges[index + 1] ?? edge));
  return scanner;
}

/** This many objects with two of 200 fields each, no two with the same order of fields; 199 in a row share the first field. */
function pairs(count: number): string {
  const names = Array.from({ length: 200 }, (_, n) => `n${n}`);
  const all = names.flatMap((one) =>
    names.filter((other) => other !== one).map((other) => `{"${one}":"","${other}":""}`),
  );
  return all.slice(0, count).join();
}

const seen = ({ deepest, values, issue }: JsonScanner) => ({ deepest, values, issue });
const cuts = fc.array(fc.nat(), { maxLength: 20 });

describe("JSON scanned byte by byte", () => {
  test("has the same depth and number of values as in the parser, in any spelling and any chunks", () => {
    const spelling = fc.constantFrom(undefined, 1, "\t", "  ");
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), spelling, cuts, (value, space, at) => {
        const text = JSON.stringify(value, null, space);
        const escaped = text.replace(
          /[^\x20-\x7e\s]/g,
          (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        const { depth, values } = measure(JSON.parse(text));
        for (const spelt of [text, escaped, ` \r\n${text}\t`]) {
          expect(seen(scan(Buffer.from(spelt), at))).toEqual({ deepest: depth, values, issue: null });
        }
      }),
    );
  });

  test("has the same result in any chunks, even if it is not JSON", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'[]{}",:\\ \n1e-.tu\0é'), maxLength: 200 }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, cuts, fc.integer({ min: 0, max: 20 }), (given, at, most) => {
        expect(seen(scan(given, at, most))).toEqual(seen(scan(given, [], most)));
      }),
    );
  });

  test.each([
    ["[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH), null],
    ["[".repeat(MAX_DEPTH + 1), "must not be nested more than 64 levels deep"],
    ['{"a":'.repeat(MAX_DEPTH + 1), "must not be nested more than 64 levels deep"],
    [`{"${"é".repeat(500)}":1}`, null],
    [`{"${"é".repeat(500)}x":1}`, "must not have field names longer than 1000 bytes"],
    [`{"a":"${"x".repeat(1_001)}","${"y".repeat(1_001)}`, "must not have field names longer than 1000 bytes"],
    [`[-${"9".repeat(99)}, "${"9".repeat(2_000)}"]`, null],
    [`[-${"9".repeat(100)}`, "must not have numbers longer than 100 bytes"],
    [`[1e${"9".repeat(99)}`, "must not have numbers longer than 100 bytes"],
    [`[${"1,".repeat(9_999)}-1, "1", true]`, null],
    [`[${"1,".repeat(10_000)}-1]`, "must have at most 10000 numbers"],
    [`[${"x".repeat(2_000)}`, null],
    [`["${"\\n".repeat(999_999)}", "${"\\\\".repeat(1_000_001)}"]`, null],
    [`["${"\\n".repeat(999_999)}", "${"\\\\".repeat(1_000_002)}"]`, "must have at most 2000000 escaped characters"],
    [`[${"[],".repeat(1_000_000 - 2)}[]]`, null],
    [`[${"[],".repeat(1_000_000 - 1)}[]]`, "must have at most 1000000 values"],
    [`[${pairs(29_850)}]`, null],
    [`[${pairs(29_851)}]`, "must have the fields of all items in the same order"],
    [`[${'{"a":{"c":[]},"b":{"d":{"c":[]}}},'.repeat(40_000)}{}]`, null],
    [`{${Array.from({ length: 1_000 }, (_, n) => `"${n}":"${n}"`).join()}}`, null],
    [
      `{${Array.from({ length: 1_002 }, (_, n) => `"${n}":"${n}"`).join()}}`,
      "must have at most 1000 different field names",
    ],
    [`[${'{"a":[]},'.repeat(100_000)}{}]`, null],
    [`{${'"items":1,'.repeat(9_000)}"b":2}`, "is given more than once in one object"],
    ['"[[[\\"[[["', null],
    ["", null],
  ])("%.20s… is refused or not", (text, message) => {
    expect(scan(Buffer.from(text)).issue?.message ?? null).toBe(message);
  });

  test.each([
    ['{"permission":"read","permission":"admin"}', "permission"],
    ['{"permission":"read","\\u0070ermission":"admin"}', "permission"],
    ['{"é":1,"\\u00e9":2}', "é"],
    ['{"a\\/b":1,"a/b":2}', "a/b"],
    ['{"items":[{"a":1},{"b":{"a":1},"c":[{}],"b":2}]}', "b"],
    ['{"":1,"":2}', ""],
  ])("%s repeats the field %j", (text, path) => {
    const bytes = Buffer.from(text);
    for (const cuts of [[], Array.from(bytes.keys())]) {
      expect(scan(bytes, cuts).issue).toEqual({ path, message: "is given more than once in one object" });
    }
  });

  test.each([
    '[{"a":1},{"a":1}]',
    '{"a":{"a":{"a":"a"}},"b":["a",{"a":1}],"c":{"a":1}}',
    '{"é":1,"e\\u0301":2,"\\\\u00e9":3,"__proto__":4,"constructor":5}',
    '{"a":"\\"","b":"\\"a\\":1"}',
  ])("%s repeats no field", (text) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(scan(Buffer.from(text)).issue).toBeNull();
  });
});
