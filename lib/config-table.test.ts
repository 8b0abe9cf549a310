import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Config, parseConfig } from "@/lib/config";

/** Every variable that is read from the environment, in the order of the schema. */
function settingNames(): string[] {
  const asked = new Set<string>();
  parseConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }));
  return [...asked];
}

/** Rows of the table of settings: the name, and the default where it is written as a value. */
const rows = [
  ...readFileSync("docs/configuration.md", "utf8").matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)` \||([^|]*)\|)/gm),
].map(([, name = "", value]) => ({ name, value }));

describe("the table of settings", () => {
  test("has every setting, in the order of lib/config.ts", () => {
    expect(rows.map(({ name }) => name)).toEqual(settingNames());
  });

  test.each(rows)("tells the default of $name", ({ name, value }) => {
    const setting = name as keyof Config;
    const byDefault = parseConfig({})[setting];
    if (value === undefined) expect([undefined, []]).toContainEqual(byDefault);
    else expect(parseConfig({ [name]: value })[setting]).toEqual(byDefault);
  });
});

test(".env.example has every setting, and the defaults where it names any", () => {
  const lines = [...readFileSync(".env.example", "utf8").matchAll(/^#([A-Z_]+)=(.*)$/gm)];
  expect(lines.map(([, name]) => name).sort()).toEqual(settingNames().sort());
  for (const { name, value } of rows.filter(({ name }) => name !== "PUBLIC_URL")) {
    if (value !== undefined) expect(lines.find((line) => line[1] === name)?.[2], name).toBe(value);
  }
});
