import { expect, test } from "vitest";
import { groupedBy, valueLabel } from "@/components/audit-logs/group/group-words";

test("the URL groups by at most two known dimensions", () => {
  expect(groupedBy({})).toEqual([]);
  expect(groupedBy({ group: "ip" })).toEqual(["ip"]);
  expect(groupedBy({ group: "network,colour,network,status,route" })).toEqual(["network", "status"]);
});

test("a value is shown by its current name, else by the one in the events", () => {
  const known = { api_key_id: [{ value: "k1", label: "ci-deploy" }] };
  expect(valueLabel("api_key_id", "k1", "old-name", known)).toBe("ci-deploy");
  expect(valueLabel("api_key_id", "k2", "deleted", known)).toBe("deleted");
  expect(valueLabel("user_id", "u1", null, known)).toBe("u1");
  expect(valueLabel("country", "DE", null, known)).toBe("Germany");
  expect(valueLabel("flag", "rate_limited", null, known)).toBe("Rate limited");
  expect(valueLabel("route", "/api/v1/certificates/{id}", null, known)).toBe("/certificates/{id}");
  expect(valueLabel("network", "10.0.0.0/24", null, known)).toBe("10.0.0.0/24");
});
