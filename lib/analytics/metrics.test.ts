import { expect, test } from "vitest";
import { sample } from "@/lib/analytics/metrics";

test("labels are escaped as the text format wants it", () => {
  expect(sample("sealwatch_x", { host: 'a"b\\c\nd', port: 443 }, 1.5)).toBe(
    'sealwatch_x{host="a\\"b\\\\c\\nd",port="443"} 1.5\n',
  );
});
