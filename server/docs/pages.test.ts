import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const versionOf = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

test("the changelog begins with the version of package.json", () => {
  const [, newest] = /^## \[([^\]]+)\] - \d{4}-\d{2}-\d{2}$/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
  expect(newest).toBe(versionOf("package.json"));
  expect(newest).toBe(versionOf("package-lock.json"));
});

test("README is at most 150 lines long", () => {
  expect(readFileSync("README.md", "utf8").split("\n").length).toBeLessThanOrEqual(151);
});
