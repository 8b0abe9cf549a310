import { expect, test } from "vitest";
import { joinPart, type ListPart, readUpTo } from "@/components/table/infinite/list-part";

const items = (...ids: string[]) => ids.map((id) => ({ id }));

test("a part is added without the items that are already there", () => {
  expect(joinPart(items("a", "b"), { items: items("b", "c"), next: 2 })).toEqual({
    items: items("a", "b", "c"),
    next: 2,
  });
});

test("parts are read until there are enough items, or to the end", async () => {
  const parts: ListPart<{ id: string }, number>[] = [
    { items: items("a"), next: 1 },
    { items: items("b", "c"), next: 2 },
    { items: items("d"), next: null },
  ];
  const [first = { items: [], next: null }] = parts;
  const read = async (cursor: number) => parts[cursor] ?? { items: [], next: null };
  expect(await readUpTo(1, first, read)).toEqual({ items: items("a"), next: 1 });
  expect(await readUpTo(2, first, read)).toEqual({ items: items("a", "b", "c"), next: 2 });
  expect(await readUpTo(9, first, read)).toEqual({ items: items("a", "b", "c", "d"), next: null });
});
