import { expect, test } from "vitest";
import { oneLine, withoutBreaks } from "@/lib/text/one-line";

test.each([
  ["Ada Lovelace", "Ada Lovelace"],
  ["Ada\r\n\r\nPay here", "Ada Pay here"],
  ["Ada\u2028Pay\u2029here\u0085", "Ada Pay here "],
  ["\u202eecila", "\\E2\\80\\AEecila"],
  ["x".repeat(161), `${"x".repeat(160)}…`],
])("%j is %j on one line", (text, line) => expect(oneLine(text)).toBe(line));

test("text without breaks keeps its length otherwise", () => {
  expect(withoutBreaks(`a\tb${"x".repeat(500)}`)).toBe(`a b${"x".repeat(500)}`);
});
