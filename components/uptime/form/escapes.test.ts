import { expect, test } from "vitest";
import { escapesOf, parseEscapes } from "@/components/uptime/form/escapes";

test.each([
  ["", null, "text"],
  ["PING\\r\\n", "PING\r\n", "text"],
  ["a\\\\r é", "a\\r é", "text"],
  ["\\x01\\t", "\x01\t", "text"],
  ["\\0\\x01", "AAE=", "base64"],
  ["\\xff\\xfeA", "//5B", "base64"],
] as const)("%j is read and written", (text, send, send_encoding) => {
  expect(parseEscapes(text)).toEqual({ send, send_encoding });
  expect(escapesOf({ send, send_encoding })).toBe(text);
});

test("text that is not an escape stays as it is", () => {
  expect(parseEscapes("C:\\dir \\xzz")).toEqual({ send: "C:\\dir \\xzz", send_encoding: "text" });
});
