import { expect, test } from "vitest";
import { bodyBytes, bodyView } from "@/components/audit-logs/entry/body-view";

test("JSON is formatted, and the raw text is kept", () => {
  const view = bodyView('{"a": [1, "x  y"]}', "utf8");
  expect(view.pretty).toBe('{\n  "a": [\n    1,\n    "x  y"\n  ]\n}');
  expect(view.raw).toBe('{"a": [1, "x  y"]}');
});

test("text that formatting would change is shown raw only", () => {
  expect(bodyView('{"a": 12345678901234567890123}', "utf8").pretty).toBeNull();
  expect(bodyView('{"a": 1, "a": 2}', "utf8").pretty).toBeNull();
  expect(bodyView('{"a": ', "utf8").pretty).toBeNull();
  expect(bodyView("AP8=", "base64").pretty).toBeNull();
});

test("control characters are visible", () => {
  expect(bodyView("a\r\nb\u0000\tc\u007f", "utf8").raw).toBe("a␍\nb␀\tc␡");
});

test("a long body is truncated and marked as such", () => {
  const view = bodyView("x".repeat(70_000), "utf8");
  expect(view.isCut).toBe(true);
  expect(view.raw).toHaveLength(65_536);
});

test("a body is downloaded byte for byte", () => {
  expect([...bodyBytes("é\n", "utf8")]).toEqual([0xc3, 0xa9, 0x0a]);
  expect([...bodyBytes("/wCA", "base64")]).toEqual([0xff, 0x00, 0x80]);
});
