import { expect, test } from "vitest";
import { anchorsOf, brokenLinks, missingPaths, orphans } from "@/server/docs/links";
import { readPages } from "@/server/docs/pages";

test("every link in the documentation leads to an existing file and heading", () => {
  expect(brokenLinks(readPages())).toEqual([]);
});

test("every page of the documentation is linked from another page", () => {
  expect(orphans(readPages())).toEqual([]);
});

test("every file and folder that the documentation names exists", () => {
  expect(missingPaths(readPages())).toEqual([]);
});

test("a link or picture whose file or heading is missing is found", () => {
  const page = [
    "[a](b.md) [c](README.md#title) [d](#two-words-1) [e](https://example.com/x) ![f](LICENSE)",
    '<img src="no.png">',
    "[g](README.md#none) `[h](i.md)` [j](package.json#here)",
    "## Two words",
    "## Two words",
  ].join("\n");
  const pages = new Map([
    ["page.md", page],
    ["README.md", "# Title"],
  ]);
  expect(brokenLinks(pages)).toEqual([
    "page.md: b.md",
    "page.md: README.md#none",
    "page.md: package.json#here",
    "page.md: no.png",
  ]);
  expect(orphans(pages)).toEqual(["page.md"]);
});

test("anchors are those of GitHub", () => {
  const headings = ["# What it guarantees", "## `api_keys`", "### A, b & c-d", "```sh\n# no heading\n```"];
  expect([...anchorsOf(headings.join("\n"))]).toEqual(["what-it-guarantees", "api_keys", "a-b--c-d"]);
});

test("a missing path in code style is found, and other words are not", () => {
  const page = "`lib/http` `lib/none.ts` `e2e/api`, `lib/<noun>/contract.ts` `lib/x y` `server/start.mjs`";
  expect(missingPaths(new Map([["page.md", page]]))).toEqual(["page.md: lib/none.ts"]);
});
