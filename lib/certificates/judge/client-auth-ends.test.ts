import { expect, test } from "vitest";
import { clientAuthEndOf, clientAuthEnds } from "@/lib/certificates/judge/client-auth-ends";

test("each end is a day, in order, with its source", () => {
  const days = clientAuthEnds.map(({ on }) => on);
  expect(days.every((day) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day))).toBe(true);
  expect(days.toSorted()).toEqual(days);
  expect(clientAuthEnds.every(({ source }) => source.startsWith("https://"))).toBe(true);
});

test.each([
  ["CN=R12,O=Let's Encrypt,C=US", "2026-07-08"],
  ["CN=DigiCert TLS RSA SHA256 2020 CA1,O=DigiCert Inc,C=US", "2027-03-01"],
  ["CN=X,O=DigiCert\\, Inc.,C=US", "2027-03-01"],
  ["CN=WR2,O=Google Trust Services,C=US", "2026-04-13"],
  ["CN=Ours,O=Example", undefined],
  ["", undefined],
])("of the issuer %s", (issuer, day) => {
  expect(clientAuthEndOf(issuer)?.on).toBe(day);
});
