import { expect, test } from "vitest";
import { sample } from "@/lib/analytics/metrics";

test("escapes labels as the text format requires", () => {
  expect(sample("sealwatch_x", { host: 'a"b\\c\nd', port: 443 }, 1.5)).toBe(
    'sealwatch_x{host="a\\"b\\\\c\\nd",port="443"} 1.5\n',
  );
});
