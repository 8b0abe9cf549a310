import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseConfig } from "@/lib/config";
import { environmentExample, settingList } from "@/server/docs/settings";

test(".env.example is up to date; if not, run `npm run docs`", () => {
  expect(readFileSync(".env.example", "utf8")).toBe(environmentExample());
});

test.each(settingList)("$name says what applies if it is unset", ({ name, description, byDefault, unset }) => {
  expect(description).toMatch(/\.$/);
  const value = parseConfig({})[name];
  if (byDefault !== undefined) expect(parseConfig({ [name]: byDefault })[name]).toEqual(value);
  else expect([unset !== "", value === undefined || (value as unknown[]).length === 0]).toEqual([true, true]);
});
