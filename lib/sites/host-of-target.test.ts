import { expect, test } from "vitest";
import { hostOfPath, hostOfTarget, sitePath } from "@/lib/sites/host-of-target";

test.each([
  ["http", "https://Shop.example.com:8443/a?b", "shop.example.com"],
  ["http", "http://[::1]:8080/", "::1"],
  ["http", "https://bücher.example/", "xn--bcher-kva.example"],
  ["tcp", "db.example.com:5432", "db.example.com"],
  ["tcp", "[2001:DB8::1]:443", "2001:db8::1"],
  ["http", "not a url", null],
  ["tcp", "no-port", null],
  ["ping", "DB.example.com", "db.example.com"],
  ["dns", "Shop.example.com", "shop.example.com"],
])("the host of the %s target %s is %s", (type, target, host) => {
  expect(hostOfTarget({ type, target })).toBe(host);
});

test("the page of a host has an address from which the host can be read", () => {
  for (const host of ["shop.example.com", "::1", "192.0.2.1"]) {
    expect(hostOfPath(sitePath(host).slice("/sites/".length))).toBe(host);
  }
  expect([hostOfPath("a%2Fb"), hostOfPath("%"), hostOfPath("a%00")]).toEqual([null, null, null]);
});
