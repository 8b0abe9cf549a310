import { expect, test } from "vitest";
import { invertFilter, parseFilter, withoutValue, withValue } from "@/components/audit-logs/filters/filter-values";

test("a filter is parsed as the API does", () => {
  expect(parseFilter("4xx, !404,500")).toEqual({ include: ["4xx", "500"], exclude: ["404"] });
  expect(parseFilter(undefined)).toEqual({ include: [], exclude: [] });
});

test("values are added once, on the side chosen last", () => {
  expect(withValue(undefined, "GET", false)).toBe("GET");
  expect(withValue("GET", "PUT", false)).toBe("GET,PUT");
  expect(withValue("GET,PUT", "PUT", true)).toBe("GET,!PUT");
  expect(withValue("!PUT", "PUT", false)).toBe("PUT");
});

test("removing the last value removes the filter", () => {
  expect(withoutValue("GET,!PUT", "PUT")).toBe("GET");
  expect(withoutValue("GET", "GET")).toBeNull();
});

test("is becomes is not, and the reverse", () => {
  expect(invertFilter("GET,PUT")).toBe("!GET,!PUT");
  expect(invertFilter("!GET")).toBe("GET");
});

test("a value keeps its commas", () => {
  const text = withValue("curl/8", "Mozilla/5.0 (KHTML, like Gecko)", true);
  expect(text).toBe("curl/8,!Mozilla/5.0 (KHTML\\, like Gecko)");
  expect(parseFilter(text ?? "")).toEqual({ include: ["curl/8"], exclude: ["Mozilla/5.0 (KHTML, like Gecko)"] });
});
