import { expect, test } from "vitest";
import { signInPath } from "@/lib/auth/sign-in-path";

test.each([
  ["/", "/sign-in"],
  ["/?_rsc=1a2b", "/sign-in"],
  ["/api-keys", "/sign-in?callbackUrl=%2Fapi-keys"],
  ["/audit-logs?status=4xx&q=a%20b", "/sign-in?callbackUrl=%2Faudit-logs%3Fstatus%3D4xx%26q%3Da%2520b"],
  ["/audit-logs?status=4xx&_rsc=1a2b", "/sign-in?callbackUrl=%2Faudit-logs%3Fstatus%3D4xx"],
  ["//evil.test", "/sign-in"],
  [`/audit-logs?q=${"a".repeat(4_000)}`, "/sign-in"],
])("from %s to %s", (target, path) => {
  expect(signInPath(target)).toBe(path);
});
