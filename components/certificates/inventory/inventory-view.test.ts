import { expect, test } from "vitest";
import { filtersOf, viewOf } from "@/components/certificates/inventory/inventory-view";

const params = { name: "a.test", sort: "discovered", cursor: "x", teapot: "1" };

test("only the API's filters are taken from the URL", () => {
  expect(filtersOf(params)).toEqual({ name: "a.test" });
});

test("a list is made up of filters, order and page", () => {
  expect(viewOf(params)).toEqual({ name: "a.test", sort: "discovered", cursor: "x" });
});
