import { expect, test } from "vitest";
import { url } from "@/lib/destinations/kinds/fields";

test.each([
  "https://user@siem.example.com/",
  "https://:secret@siem.example.com/",
  "https://siem.example.com/#part",
  "ftp://siem.example.com/",
])("%s is refused, because it would be shown", (text) => {
  expect(url.safeParse(text).success).toBe(false);
});

test("paths and queries are kept", () => {
  expect(url.parse("https://siem.example.com:8443/audit?a=1")).toBe("https://siem.example.com:8443/audit?a=1");
});
