import { expect, test } from "vitest";
import { redirected } from "@/lib/certificates/revocation/published-files";

const secure = new URL("https://ca.example/directory");

test("an unsigned file is not fetched without the protection that its address promises", () => {
  expect(() => redirected(secure, "http://ca.example/directory", true)).toThrow("fetch_failed");
  expect(redirected(secure, "https://other.example/", true)?.href).toBe("https://other.example/");
  expect(redirected(secure, "/new", true)?.href).toBe("https://ca.example/new");
  expect(redirected(new URL("http://ca.example/"), "http://other.example/", true)?.href).toBe("http://other.example/");
});

test("a signed file may be anywhere", () => {
  expect(redirected(secure, "http://ca.example/crl", false)?.href).toBe("http://ca.example/crl");
  expect(redirected(secure, "http://[", false)).toBeNull();
});
