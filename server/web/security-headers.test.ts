import { describe, expect, test } from "vitest";
import { newNonce, pagePolicy, securityHeaders } from "@/server/web/security-headers";

const directives = (policy: string) =>
  new Map(policy.split("; ").map((each) => [each.split(" ")[0] ?? "", each.split(" ").slice(1)]));

describe("the policy of a page", () => {
  const nonce = newNonce();
  const policy = directives(pagePolicy(nonce, false));

  test("allows scripts only by the nonce", () => {
    expect(policy.get("script-src")).toEqual([`'nonce-${nonce}'`, "'strict-dynamic'"]);
  });

  test("allows our own files as workers, which are without that nonce", () => {
    expect(policy.get("worker-src")).toEqual(["'self'"]);
  });

  test("begins with 'none' and allows no other site", () => {
    expect(policy.get("default-src")).toEqual(["'none'"]);
    const sources = [...policy.values()].flat();
    expect(sources.filter((source) => !/^'(none|self|strict-dynamic|unsafe-inline|nonce-.*)'$/.test(source))).toEqual(
      [],
    );
    expect([...policy].filter(([, each]) => each.includes("'unsafe-inline'")).map(([name]) => name)).toEqual([
      "style-src-attr",
    ]);
  });

  test("allows hot reload in development only", () => {
    expect(pagePolicy(nonce, false)).not.toContain("unsafe-eval");
    expect(directives(pagePolicy(nonce, true)).get("script-src")).toContain("'unsafe-eval'");
  });
});

test("a nonce has 128 bits, is unique, and has the form that Next recognizes", () => {
  const nonces = Array.from({ length: 1000 }, newNonce);
  expect(new Set(nonces).size).toBe(1000);
  for (const nonce of nonces) {
    expect(Buffer.from(nonce, "base64")).toHaveLength(16);
    expect(nonce).toMatch(/^[A-Za-z0-9+/_-]+={0,2}$/);
  }
});

test("only responses over https bind the browser to https", () => {
  expect(securityHeaders(false)).not.toHaveProperty("Strict-Transport-Security");
  expect(securityHeaders(true)["Strict-Transport-Security"]).toBe("max-age=31536000");
});
