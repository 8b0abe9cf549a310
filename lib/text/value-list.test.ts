import fc from "fast-check";
import { expect, test } from "vitest";
import { splitValues, writeValue } from "@/lib/text/value-list";

test("values are separated by commas, and ! excludes", () => {
  expect(splitValues("a, !b").map(({ value, isExcluded }) => [value, isExcluded])).toEqual([
    ["a", false],
    ["b", true],
  ]);
});

test("an escaped comma or exclamation mark is part of the value", () => {
  const agent = "Mozilla/5.0 (X11; Linux x86_64) (KHTML, like Gecko)";
  expect(writeValue(agent, true)).toBe("!Mozilla/5.0 (X11; Linux x86_64) (KHTML\\, like Gecko)");
  expect(splitValues("\\!a\\,b\\\\,c")).toMatchObject([{ value: "!a,b\\" }, { value: "c" }]);
  expect(splitValues("\\d")).toMatchObject([{ value: "\\d", written: "\\d" }]);
});

test("every list of values is read as it was written", () => {
  const value = fc.string({ unit: fc.constantFrom("a", "\\", ",", "!", "é", "😀") });
  fc.assert(
    fc.property(fc.array(fc.record({ value, isExcluded: fc.boolean() }), { minLength: 1 }), (values) => {
      const text = values.map(({ value, isExcluded }) => writeValue(value, isExcluded)).join(",");
      expect(splitValues(text).map(({ value, isExcluded }) => ({ value, isExcluded }))).toEqual(values);
    }),
  );
});
