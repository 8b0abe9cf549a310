import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const versionOf = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

test("the changelog begins with the version of package.json", () => {
  const [, newest] = /^## \[([^\]]+)\] - \d{4}-\d{2}-\d{2}$/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
  expect(newest).toBe(versionOf("package.json"));
  expect(newest).toBe(versionOf("package-lock.json"));
});

test("README is at most 150 lines long", () => {
  expect(readFileSync("README.md", "utf8").split("\n").length).toBeLessThanOrEqual(151);
});

test("every block of YAML is YAML", () => {
  const pages = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  const blocks = pages.flatMap((name) => {
    const found = readFileSync(join("docs", name), "utf8").matchAll(/^( *)```ya?ml\n([\s\S]*?)^ *```$/gm);
    return [...found].map(([, indent = "", text = ""]) => ({
      name,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }));
  });
  const faults = blocks.flatMap(({ name, text }) =>
    parseAllDocuments(text).flatMap(({ errors, warnings }) =>
      [...errors, ...warnings].map((fault) => `${name}: ${fault.message}`),
    ),
  );
  expect(faults).toEqual([]);
  expect(blocks.filter(({ name }) => name === join("operations", "destinations.md")).length).toBeGreaterThanOrEqual(5);
});
