import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safePath } from "@/lib/auth/safe-path";

const OWN = "https://sealwatch.example.com";

describe("the redirect after a sign-in", () => {
  test.each([
    ["/", "/"],
    ["/audit-logs?flag=sign_in&q=a%2Fb", "/audit-logs?flag=sign_in&q=a%2Fb"],
    ["/api-keys#top", "/api-keys"],
    [`${OWN}/api-keys`, "/api-keys"],
    [undefined, "/"],
    ["", "/"],
    ["https://evil.test", "/"],
    ["https://evil.test/api-keys", "/api-keys"],
    ["//evil.test", "/"],
    ["///evil.test", "/"],
    ["/\\evil.test", "/"],
    ["\\\\evil.test", "/"],
    ["/\t/evil.test", "/"],
    ["\n//evil.test", "/"],
    ["/.//evil.test", "/"],
    ["https://own.invalid//evil.test", "/"],
    ["/%2F%2Fevil.test", "/%2F%2Fevil.test"],
    ["/%5Cevil.test", "/%5Cevil.test"],
    [".evil.test", "/.evil.test"],
    ["@evil.test", "/@evil.test"],
    ["javascript:alert(1)", "/"],
    ["data:text/html,x", "/"],
    ["http://[", "/"],
  ])("%j leads to %s", (asked, path) => {
    expect(safePath(asked)).toBe(path);
  });

  test("is always a path of our own, and parsing it again does not change it", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      "//",
      "evil.test",
      "@",
      ":",
      "https:",
      "%2F",
      "%5C",
      "..",
      ".",
      "?",
      "#",
      "\t",
      " ",
    );
    const asked = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(piece).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(asked, (url) => {
        const path = safePath(url);
        expect(path).toMatch(/^\/(?![/\\])/);
        expect(new URL(path, OWN).origin).toBe(OWN);
        expect(safePath(path)).toBe(path);
      }),
      { numRuns: 300 },
    );
  });
});
