import { expect, test } from "vitest";
import { sentNumber, sentNumberOrNull } from "@/components/requests/sent-number";

test.each([
  ["33", 33],
  [" -1 ", -1],
  ["0.5", 0.5],
  ["33%", "33%"],
  ["0,5", "0,5"],
  ["1e3", "1e3"],
  ["0x10", "0x10"],
  ["Infinity", "Infinity"],
])("%j is sent as %j", (text, sent) => {
  expect(sentNumber(text)).toBe(sent);
  expect(sentNumberOrNull(text)).toBe(sent);
});

test("nothing typed is no number, and null where a field can be empty", () => {
  expect([sentNumber(" "), sentNumberOrNull(" ")]).toEqual(["", null]);
});
