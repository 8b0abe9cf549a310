import { expect, test } from "vitest";
import { filtersOf, inventoryHref } from "@/components/certificates/inventory/inventory-view";

test("of an address only the API's filters are asked of it", () => {
  expect(filtersOf({ name: "a.test", sort: "discovered", cursor: "x", teapot: "1" })).toEqual({ name: "a.test" });
});

test("what is empty, and the usual order, are not in the address", () => {
  expect(inventoryHref({ sort: "expiry", name: "", issuer: "" })).toBe("/certificates/inventory");
  expect(inventoryHref({ sort: "discovered", unused: "true" })).toBe(
    "/certificates/inventory?sort=discovered&unused=true",
  );
});
