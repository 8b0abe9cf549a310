import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { conditionTypes } from "@/lib/alerts/rules/conditions";
import { risks } from "@/lib/api-keys/risks";
import { findingCodes } from "@/lib/certificates/findings";
import { channelTypes } from "@/lib/notification-channels/providers/types";
import { readPages } from "@/server/docs/pages";
import { tableNames, withTables } from "@/server/docs/tables";

const pages = [...readPages()];
const read = (path: string) => readFileSync(path, "utf8");

describe("generated tables", () => {
  test.each(pages)("of %s are up to date; if not, run `npm run docs`", (_, text) => {
    expect(withTables(text)).toBe(text);
  });

  test.each(tableNames)("%s is on exactly one page", (name) => {
    expect(pages.filter(([, text]) => text.includes(`<!-- ${name}:begin -->`))).toHaveLength(1);
  });
});

/** The words in code style at the beginning of a table's rows, or anywhere on a page. */
const named = (path: string) => [...read(path).matchAll(/`([a-z_]+)`/g)].map(([, word = ""]) => word);

describe("lists that are written by hand", () => {
  test.each([
    ["docs/concepts/certificates.md", "finding", findingCodes],
    ["docs/concepts/keys-and-limits.md", "risk", risks],
    ["docs/concepts/alerts.md", "condition", conditionTypes],
    ["docs/concepts/alerts.md", "type of channel", channelTypes],
  ])("%s has every %s", (page, _, words) => {
    expect(named(page)).toEqual(expect.arrayContaining([...words]));
  });
});

/** Code that begins with `// path` is a part of that file. */
const excerpts = [
  ...read("docs/contributing/adding-an-endpoint.md").matchAll(/^ *```tsx?\n *\/\/ (\S+)\n([\s\S]*?)^ *```/gm),
].map(([, file = "", code = ""]) => [file, code.replace(/^ {3}/gm, "").trim()] as const);

test.each(excerpts)("docs/contributing/adding-an-endpoint.md shows %s as it is", (file, code) => {
  expect(read(file)).toContain(code);
});
