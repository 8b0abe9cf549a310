import { expect, test } from "vitest";
import { canRequestRenewalInfo, directoryOf } from "@/lib/certificates/renewal-info/directories";
import { parseConfig } from "@/lib/config";

const ofSetting = (ACME_DIRECTORIES: string) => parseConfig({ ACME_DIRECTORIES }).ACME_DIRECTORIES;

test("the directory of an issuer, of which the operator's come first", () => {
  const own = ofSetting(
    "Example CA=https://acme.example.com/directory?a=b; Let's Encrypt=; CN=E7,O=Other,C=US=http://acme/",
  );
  expect(directoryOf("CN=R11,O=Let's Encrypt,C=US", [])).toBe("https://acme-v02.api.letsencrypt.org/directory");
  expect(directoryOf("CN=R11,O=Let's Encrypt,C=US", own)).toBeNull();
  expect(directoryOf("CN=WR1,O=Google Trust Services,C=US", own)).toMatch(/pki\.goog/);
  expect(directoryOf("CN=example ca,C=DE", own)).toBe("https://acme.example.com/directory?a=b");
  expect(directoryOf("CN=E7,O=Other,C=US", own)).toBe("http://acme/");
  expect(directoryOf("CN=Somebody", own)).toBeNull();
});

test("a public authority's directory is asked only about what leads to a public root, an operator's about all of the issuer", () => {
  const own = ofSetting("Example CA=https://acme.example.com/; Google Trust Services=");
  const [yes, no] = [() => true, () => false];
  expect(canRequestRenewalInfo("CN=R11,O=Let's Encrypt,C=US", own, yes)).toBe(true);
  expect(canRequestRenewalInfo("CN=R11,O=Let's Encrypt,C=US", own, no)).toBe(false);
  expect(canRequestRenewalInfo("CN=Example CA", own, no)).toBe(true);
  expect(canRequestRenewalInfo("CN=WR1,O=Google Trust Services,C=US", own, yes)).toBe(false);
  expect(canRequestRenewalInfo("CN=Somebody", own, yes)).toBe(false);
});

test.each(["Example CA", "=https://acme.example.com/", "Example CA=acme", "Example CA=file:///etc"])(
  "refuses %s",
  (text) => {
    expect(() => ofSetting(text)).toThrow(/^ACME_DIRECTORIES lists /);
  },
);
