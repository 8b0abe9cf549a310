import { expect, test } from "vitest";
import { filtersOf, inventoryHref } from "@/components/certificates/inventory/inventory-view";

test("only the API's filters are taken from the URL", () => {
  expect(filtersOf({ name: "a.test", sort: "discovered", cursor: "x", teapot: "1" })).toEqual({ name: "a.test" });
});

test("empty values and the default order are not in the URL", () => {
  expect(inventoryHref({ sort: "expiry", name: "", issuer: "" })).toBe("/certificates/inventory");
  expect(inventoryHref({ sort: "discovered", unused: "true" })).toBe(
    "/certificates/inventory?sort=discovered&unused=true",
  );
});
