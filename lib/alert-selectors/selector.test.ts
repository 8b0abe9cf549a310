import { expect, test } from "vitest";
import { isSelected, normalized, unionOf } from "@/lib/alert-selectors/selector";

const [shop, docs] = [
  { tags: ["shop"], ids: [] },
  { tags: [], ids: ["7"] },
];

test("an empty selector selects everything, others what has one of their tags or ids", () => {
  expect(isSelected({ tags: [], ids: [] }, ["1"], [])).toBe(true);
  expect(isSelected(shop, ["7"], ["web"])).toBe(false);
  expect(isSelected(shop, ["1"], ["web", "shop"])).toBe(true);
  expect(isSelected(docs, ["1", "7"], [])).toBe(true);
});

test("a union selects what any of its selectors selects", () => {
  expect(unionOf([])).toBeNull();
  expect(unionOf([shop, docs])).toEqual({ tags: ["shop"], ids: ["7"] });
  expect(unionOf([shop, { tags: [], ids: [] }])).toEqual({ tags: [], ids: [] });
});

test("ids are compared in lower case, and tags too in rules about endpoints", () => {
  const given = { tags: [" Shop"], ids: ["7F"] };
  expect(normalized(given, "finding")).toEqual({ tags: ["shop"], ids: ["7f"] });
  expect(normalized(given, "time_left")).toEqual({ tags: ["shop"], ids: ["7f"] });
  expect(normalized(given, "latency")).toEqual({ tags: [" Shop"], ids: ["7f"] });
});
