import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "@/lib/api/endpoints";
import { groupLimits } from "@/lib/rate-limits/groups";

const readme = readFileSync("README.md", "utf8");

test("README's table of endpoints has every endpoint, and no other", () => {
  const rows = [...readme.matchAll(/^\| `([a-z_]+)` \| ([A-Z]+) \| `(\/[^`]*)` \| .+ \|$/gm)].map(
    ([, group, method, path]) => `${group} ${method} ${path}`,
  );
  expect(rows.sort()).toEqual(endpoints.map(({ group, method, path }) => `${group} ${method} ${path}`).sort());
});

test("README's table of limits has every group with its limit", () => {
  const rows = [...readme.matchAll(/^\| `([a-z_]+)` \| (\d+) \|$/gm)].map(([, group, limit]) => [group, Number(limit)]);
  expect(rows).toEqual(Object.entries(groupLimits));
});

/** Code in README that begins with `// path` is a part of that file. */
const excerpts = [...readme.matchAll(/^ *```tsx?\n *\/\/ (\S+)\n([\s\S]*?)^ *```/gm)].map(
  ([, file = "", code = ""]) => [file, code.replace(/^ {3}/gm, "").trim()] as const,
);

test.each(excerpts)("README shows %s as it is", (file, code) => {
  expect(readFileSync(file, "utf8")).toContain(code);
});
