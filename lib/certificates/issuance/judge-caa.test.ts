import { HOUR_MS } from "@/lib/time/units";
import "reflect-metadata";
import { beforeAll, expect, test } from "vitest";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { CaaReading, KnownName } from "@/lib/certificates/issuance/caa-records";
import { judgeCaa, type KnownCaa } from "@/lib/certificates/issuance/judge-caa";
import { type Certificate, parseCertificate } from "@/lib/certificates/x509/x509";

const NOW = new Date();
let leaf: Certificate;
beforeAll(async () => {
  leaf = parseCertificate((await makeCertificate({ name: "a.com", sans: ["a.com", "*.b.com", "c.com"] })).der);
});

const reading = (value: string | null, uris: string[] = []): CaaReading => ({
  at: value === null ? null : "com",
  records: value === null ? [] : [{ tag: "issue", value, critical: false }],
  accounts: uris.map((uri) => ({
    ...{ at: "com", authority: "ca.example", uri, source: "caa" as const, wildcard: false, until: null },
  })),
});

const named = (name: string, is: CaaReading, more: Partial<KnownName> = {}): KnownName => ({
  ...{ name, reading: is, before: null, changedAt: null, ...more },
});

const known = (names: KnownName[], more: Partial<KnownCaa> = {}): KnownCaa => ({
  ...{ sha256: leaf.sha256, domains: ["ca.example"], names, expectedAccounts: [], ...more },
});

const codes = (caa: KnownCaa | null, now = NOW) =>
  judgeCaa(leaf, caa, now).map(({ code, severity }) => [code, severity]);

test("an issuer that may not issue the next certificate, more severe when it is due", () => {
  const names = [
    named("a.com", reading("ca.example")),
    named("b.com", reading("other.example")),
    named("c.com", reading(null)),
  ];
  const [finding] = judgeCaa(leaf, known(names), NOW);
  expect(finding).toMatchObject({
    ...{ code: "caa_forbids_renewal", severity: "warning" },
    evidence: { names: [{ name: "b.com", at: "com", records: ["issue other.example"] }], names_total: 1 },
  });
  expect(codes(known(names), new Date(leaf.notAfter.getTime() - 10 * 24 * HOUR_MS))).toEqual([
    ["caa_forbids_renewal", "critical"],
  ]);
});

test("nothing about an issuer whose domains are not known, and about another certificate", () => {
  const names = [named("a.com", reading("other.example"))];
  expect(codes(known(names, { domains: null }))).toEqual([]);
  expect(codes(known(names, { sha256: "0" }))).toEqual([]);
  expect(codes(known([]))).toEqual([]);
  expect(codes(null)).toEqual([]);
});

test("a change is news for a day", () => {
  const changed = named("a.com", reading("ca.example", ["a:2"]), {
    before: reading("ca.example", ["a:1"]),
    changedAt: new Date(NOW.getTime() - HOUR_MS),
  });
  const [finding] = judgeCaa(leaf, known([changed]), NOW);
  expect(finding).toMatchObject({
    ...{ code: "caa_changed", severity: "warning" },
    evidence: { names: [{ name: "a.com", accounts: { from: ["a:1"], to: ["a:2"] } }] },
  });
  expect(codes(known([changed]), new Date(NOW.getTime() + 24 * HOUR_MS))).toEqual([]);
});

test("an account that is not expected is critical, unless none are named or its validation is over", () => {
  const names = [named("a.com", reading(null, ["a:1", "a:2"]))];
  expect(codes(known(names))).toEqual([]);
  expect(codes(known(names, { expectedAccounts: ["a:1", "a:2"] }))).toEqual([]);
  const [finding] = judgeCaa(leaf, known(names, { expectedAccounts: ["a:1"] }), NOW);
  expect(finding).toMatchObject({
    ...{ code: "account_unexpected", severity: "critical" },
    evidence: { accounts: [{ name: "a.com", uri: "a:2" }], accounts_total: 1, expected: ["a:1"] },
  });
  const over = reading(null, ["a:2"]);
  for (const account of over.accounts) account.until = new Date(NOW.getTime() - 1).toISOString();
  expect(codes(known([named("a.com", over)], { expectedAccounts: ["a:1"] }))).toEqual([]);
});
