import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decisionFiles } from "@/server/docs/tables";

test("decisions are numbered without gaps or duplicates", () => {
  const numbers = decisionFiles.map((_, at) => String(at + 1).padStart(4, "0"));
  expect(decisionFiles.map((name) => name.slice(0, 4))).toEqual(numbers);
});

test.each(decisionFiles)("%s has context, decision and when to undo it, in at most 20 lines", (name) => {
  const text = readFileSync(`docs/decisions/${name}`, "utf8");
  expect(name).toMatch(/^\d{4}(-[a-z0-9]+)+\.md$/);
  expect(text).toMatch(/^# .+\n\n\*\*Context\.\*\* [\s\S]+\n\n\*\*Decision\.\*\* [\s\S]+\n\n\*\*Undo when\*\* /);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
});
