import { expect, test } from "vitest";
import { ownerChange, ownerWords } from "@/components/certificates/renewals/owner-change";

test("an owner that is not typed stays, as does a method that is not chosen", () => {
  expect(ownerChange(" ", "acme")).toEqual({ renewal_method: "acme" });
  expect(ownerChange(" Shop team ", "")).toEqual({ owner: "Shop team" });
  expect(ownerChange("Shop team", "acme")).toEqual({ owner: "Shop team", renewal_method: "acme" });
  expect(ownerChange("", "")).toEqual({});
});

test("the toast says what changed", () => {
  expect(ownerWords({ owner: null })).toBe("now without an owner");
  expect(ownerWords({ owner: "Shop team", renewal_method: "acme" })).toBe(
    "now owned by Shop team and with the method “ACME client”",
  );
  expect(ownerWords({ renewal_method: "acme" })).toBe("now with the method “ACME client”");
});
