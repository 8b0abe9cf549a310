import { expect, test } from "vitest";
import { httpUrl } from "@/lib/http/schemas/http-url";

test.each([
  "https://user@siem.example.com/",
  "https://:secret@siem.example.com/",
  "https://siem.example.com/#part",
  "ftp://siem.example.com/",
])("%s is refused, because it would be shown", (text) => {
  expect(httpUrl.safeParse(text).success).toBe(false);
});

test("paths and queries are kept", () => {
  expect(httpUrl.parse("https://siem.example.com:8443/audit?a=1")).toBe("https://siem.example.com:8443/audit?a=1");
});
