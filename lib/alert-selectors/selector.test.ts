import { expect, test } from "vitest";
import { isSelected, unionOf } from "@/lib/alert-selectors/selector";

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
