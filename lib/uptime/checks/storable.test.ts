import { expect, test } from "vitest";
import { shownHeaders } from "@/lib/uptime/checks/evidence";
import { CheckFailure } from "@/lib/uptime/checks/outcome";
import { storable } from "@/lib/uptime/checks/storable";

test("a text that is cut within a character, or has NUL, is stored with replacements", () => {
  expect(storable("ab🙂", 3)).toBe("ab\ufffd");
  expect(storable("ab🙂", 4)).toBe("ab🙂");
  expect(storable("a\0b", 3)).toBe("a\ufffdb");
});

test("a failure's detail and the shown headers are stored so, too", () => {
  expect(new CheckFailure("json_mismatch", `${"x".repeat(199)}🙂`).detail).toBe(`${"x".repeat(199)}\ufffd`);
  expect(new CheckFailure("protocol_error", "a\0b").detail).toBe("a\ufffdb");
  expect(shownHeaders({ [`x-${"🙂".repeat(250)}`]: [`a\0${"🙂".repeat(250)}`] })).toEqual({
    [`x-${"🙂".repeat(249)}`]: `a\ufffd${"🙂".repeat(249)}`,
  });
  expect(shownHeaders({ "x-a": [`${"x".repeat(499)}🙂`] })).toEqual({ "x-a": `${"x".repeat(499)}\ufffd` });
});
