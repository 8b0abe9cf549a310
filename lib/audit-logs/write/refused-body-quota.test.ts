import { expect, test } from "vitest";
import { HOURLY, RefusedBodyQuota } from "@/lib/audit-logs/write/refused-body-quota";
import { NOBODY } from "@/lib/ids";
import { HOUR_MS } from "@/lib/time/units";

const owner = (organizationId: string, address: string) => ({ organizationId, address });

test("an address has an hourly quota across organizations", () => {
  const quota = new RefusedBodyQuota();
  quota.take(owner("o", "a"), HOURLY.address - 10, HOUR_MS);
  expect(quota.hasRoom(owner("p", "a"), 10, 2 * HOUR_MS - 1)).toBe(true);
  expect(quota.hasRoom(owner("p", "a"), 11, 2 * HOUR_MS - 1)).toBe(false);
  expect(quota.hasRoom(owner("o", "b"), 11, 2 * HOUR_MS - 1)).toBe(true);
  expect(quota.hasRoom(owner("p", "a"), 11, 2 * HOUR_MS)).toBe(true);
});

test.each([
  ["an organization", "o", HOURLY.organization],
  ["requests without an organization", NOBODY, HOURLY.nobody],
])("%s: a quota for all addresses together", (_, organizationId, most) => {
  const quota = new RefusedBodyQuota();
  for (let n = 0; n * HOURLY.address < most; n++) quota.take(owner(organizationId, `${n}`), HOURLY.address, 0);
  expect(quota.hasRoom(owner(organizationId, "new"), 0, 0)).toBe(true);
  expect(quota.hasRoom(owner(organizationId, "new"), 1, 0)).toBe(false);
  expect(quota.hasRoom(owner("another", "new"), 1, 0)).toBe(true);
});

test("owners are required only if a quota could be nearly used up", () => {
  const quota = new RefusedBodyQuota();
  expect(quota.isNear(HOURLY.address, 0)).toBe(false);
  expect(quota.isNear(HOURLY.address + 1, 0)).toBe(true);
  quota.take(owner("o", "a"), 1, 0);
  expect(quota.isNear(HOURLY.address, 0)).toBe(true);
  expect(quota.isNear(HOURLY.address, HOUR_MS)).toBe(false);
});
