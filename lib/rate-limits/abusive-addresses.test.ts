import { expect, test } from "vitest";
import { AbusiveAddresses } from "@/lib/rate-limits/abusive-addresses";

function flooded(times: number): AbusiveAddresses {
  const addresses = new AbusiveAddresses();
  for (let n = 0; n < times; n++) addresses.refused("a", 30, 1_000);
  return addresses;
}

test("an address is barred beyond ten times its limit, until the minute ends", () => {
  expect(flooded(300).isBarred("a", 1_000)).toBe(false);
  const addresses = flooded(301);
  expect(addresses.isBarred("a", 1_000)).toBe(true);
  expect(addresses.isBarred("b", 1_000)).toBe(false);
  expect(addresses.isBarred("a", 60_999)).toBe(true);
  expect(addresses.isBarred("a", 61_000)).toBe(false);
  expect(addresses.refused("a", 30, 61_000)).toBe(false);
});

test("an address with a valid credential is not barred, but each abusive client is disconnected", () => {
  const addresses = flooded(301);
  addresses.valid("a", 2_000);
  expect(addresses.isBarred("a", 2_000)).toBe(false);
  expect(addresses.refused("a", 30, 2_000)).toBe(true);
});

test("addresses that are no longer seen are forgotten", () => {
  const addresses = flooded(1);
  addresses.valid("b", 1_000);
  addresses.refused("c", 30, 1_000_000);
  expect([...(Reflect.get(addresses, "seen") as Map<string, unknown>).keys()]).toEqual(["c"]);
});
