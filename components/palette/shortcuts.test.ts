import { expect, test } from "vitest";
import { destinations } from "@/components/palette/shortcuts";

test("no two pages have the same letter", () => {
  const letters = destinations.flatMap(({ letter }) => letter ?? []);
  expect(new Set(letters).size).toBe(letters.length);
});
