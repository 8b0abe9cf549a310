import { expect, test } from "vitest";
import { isExpectedIssuer } from "@/lib/certificates/judge/policy";
import { keyOf } from "@/lib/subdomains/record-found";
import { issuerName, nameWithin } from "@/lib/subdomains/sources/issued";

test.each([
  ["C=US, O=Let's Encrypt, CN=R11", "CN=R11,O=Let's Encrypt,C=US"],
  ['C=US, O="DigiCert, Inc.", CN=G2', "CN=G2,O=DigiCert\\, Inc.,C=US"],
  ["CN=R11,O=Let's Encrypt,C=US", "CN=R11,O=Let's Encrypt,C=US"],
  ["C=AT, O=ZeroSSL, CN=ZeroSSL RSA Domain Secure Site CA", "CN=ZeroSSL RSA Domain Secure Site CA,O=ZeroSSL,C=AT"],
  ["something else", "something else"],
  ["", ""],
])("%s is kept as %s", (text, kept) => {
  expect(issuerName(text)).toBe(kept);
});

test("an issuer with a comma in its name can be expected", () => {
  const issuer = issuerName('C=US, O="DigiCert, Inc.", CN=G2');
  expect(isExpectedIssuer(issuer, ["digicert, inc."])).toBe(true);
  expect(isExpectedIssuer(issuer, ["Let's Encrypt"])).toBe(false);
});

test.each([
  ["example.com", "example.com"],
  [" WWW.Example.com. ", "www.example.com"],
  ["*.a.example.com", "*.a.example.com"],
  ["a.*.example.com", null],
  ["badexample.com", null],
  ["example.com.evil.org", null],
  ["someone@example.com", null],
  ["-a.example.com", null],
  [`${"a".repeat(64)}.example.com`, null],
])("%s is %s", (text, name) => {
  expect(nameWithin("example.com", text)).toBe(name);
});

test("a certificate has one key, whether or not the search includes the domain itself", () => {
  const one = {
    names: ["a.com", "www.a.com"],
    issuer: "CN=R11",
    notBefore: new Date("2026-10-01T00:00:00.000Z"),
    notAfter: new Date("2026-12-30T00:00:00.000Z"),
    revoked: null,
    publicKeySha256: null,
  };
  expect(keyOf("a.com", { ...one, names: ["www.a.com"] })).toEqual(keyOf("a.com", one));
  expect(keyOf("a.com", { ...one, names: ["api.a.com"] })).not.toEqual(keyOf("a.com", one));
});
