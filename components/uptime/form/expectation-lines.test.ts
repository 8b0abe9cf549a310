import { expect, test } from "vitest";
import { jsonLine, parseJsonLines } from "@/components/uptime/form/expectation-lines";

test.each([
  ["$.items", { path: "$.items", comparison: "exists", value: null }],
  ['$.status = "ok"', { path: "$.status", comparison: "equals", value: "ok" }],
  ["$.queue <= 10", { path: "$.queue", comparison: "at_most", value: 10 }],
  ["$.free >= 0.5", { path: "$.free", comparison: "at_least", value: 0.5 }],
  ["$.error != null", { path: "$.error", comparison: "not_equals", value: null }],
  ["$['a = b'][0] = \"c = d\"", { path: "$['a = b'][0]", comparison: "equals", value: "c = d" }],
])("%s is read and written", (line, expectation) => {
  expect(parseJsonLines(`\n  ${line}  \n`)).toEqual([expectation]);
  expect(jsonLine(expectation as never)).toBe(line);
});

test("text needs no quotes, and signs need no spaces", () => {
  expect(parseJsonLines("$.status=ok")).toEqual([{ path: "$.status", comparison: "equals", value: "ok" }]);
  expect(parseJsonLines("$.list = [1]")).toEqual([{ path: "$.list", comparison: "equals", value: "[1]" }]);
});

test("text that is not a path stays as it is, so that the API can say why", () => {
  expect(parseJsonLines("status = ok")).toEqual([{ path: "status = ok", comparison: "exists", value: null }]);
});
