import { expect, test } from "vitest";
import { unauthorizedSince } from "@/lib/subdomains/accounting/unauthorized";
import { HOUR_MS } from "@/lib/time/units";

const now = new Date("2026-11-20T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
const row = {
  authorizedBy: null,
  notBefore: hoursAgo(49),
  notAfter: new Date("2027-02-01T00:00:00Z"),
  firstSeenAt: hoursAgo(48),
};
const domain = { unauthorizedAfterHours: 24, accountedSince: hoursAgo(1000) };

test("an issuance that nobody accounts for in time is a finding from then on", () => {
  expect(unauthorizedSince(row, domain, now)).toEqual(hoursAgo(24));
  expect(unauthorizedSince(row, { ...domain, unauthorizedAfterHours: 0 }, now)).toEqual(hoursAgo(48));
  expect(unauthorizedSince(row, { ...domain, unauthorizedAfterHours: 49 }, now)).toBeNull();
});

test("it is none if it is accounted for, if nobody asked, or if it was issued before", () => {
  expect(unauthorizedSince({ ...row, authorizedBy: "key" }, domain, now)).toBeNull();
  expect(unauthorizedSince(row, { ...domain, unauthorizedAfterHours: null }, now)).toBeNull();
  expect(unauthorizedSince(row, { ...domain, accountedSince: null }, now)).toBeNull();
  expect(unauthorizedSince(row, { ...domain, accountedSince: hoursAgo(24) }, now)).toBeNull();
  expect(unauthorizedSince(row, { ...domain, accountedSince: hoursAgo(26) }, now)).not.toBeNull();
});

test("a certificate that expired before is no longer a risk", () => {
  expect(unauthorizedSince({ ...row, notAfter: hoursAgo(30) }, domain, now)).toBeNull();
});
