import { expect, test } from "vitest";
import { issuerWords } from "@/components/subdomains/words";

test.each([
  ["CN=R11,O=Let's Encrypt,C=US", "Let's Encrypt"],
  ["CN=G2,O=DigiCert\\, Inc.,C=US", "DigiCert, Inc."],
  ["CN=Alone", "Alone"],
  ["nothing known", "nothing known"],
])("%s is %s", (issuer, words) => {
  expect(issuerWords(issuer)).toBe(words);
});
