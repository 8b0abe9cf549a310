import { expect, test } from "vitest";
import { filtersOfGroup } from "@/components/audit-logs/group/filters-of-group";

test("a group is found by the values of its dimensions, without what the list excludes", () => {
  expect(filtersOfGroup(["route", "status"], ["/api/v1/uptime", "404"], { status: "4xx,!403" })).toEqual({
    route: "/api/v1/uptime",
    status: "404",
  });
  expect(filtersOfGroup(["user_agent"], ["Runner/1.0 (a, b)"], {})).toEqual({ user_agent: "Runner/1.0 (a\\, b)" });
});

test("an address in a network is found by the address", () => {
  expect(filtersOfGroup(["ip", "network"], ["203.0.113.7", "203.0.113.0/24"], {})).toEqual({ ip: "203.0.113.7" });
  expect(filtersOfGroup(["network", "ip"], ["203.0.113.0/24", "203.0.113.7"], {})).toEqual({ ip: "203.0.113.7" });
});

test.each([
  [undefined, "203.0.113.0/24"],
  ["!203.0.113.7", "203.0.113.0/24,!203.0.113.7"],
  ["203.0.113.7,198.51.100.9", "203.0.113.7"],
  ["203.0.113.0/25,2001:db8::1", "203.0.113.0/25"],
  ["::ffff:203.0.113.7", "::ffff:203.0.113.7"],
  ["203.0.0.0/16,203.0.113.7", "203.0.113.0/24"],
])("in a list with the addresses %s, a network is found by %s", (ip, found) => {
  expect(filtersOfGroup(["network"], ["203.0.113.0/24"], ip === undefined ? {} : { ip })).toEqual({ ip: found });
});

test("no filter finds the entries that have two flags", () => {
  expect(filtersOfGroup(["flag"], ["new_address"], { flag: "rotated_secret" })).toBeNull();
  expect(filtersOfGroup(["flag"], ["new_address"], { flag: "rotated_secret,new_address" })).toEqual({
    flag: "new_address",
  });
});
