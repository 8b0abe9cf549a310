// biome-ignore-all lint/suspicious/noTemplateCurlyInString: manifests have variables in this form.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { MANIFEST_SCHEMA_FILE, manifestSchema } from "@/server/apply/manifest-schema";
import { readManifest } from "@/server/apply/read-manifest";
import { kinds } from "@/server/apply/resource";

const page = readFileSync("docs/operations/apply.md", "utf8");
const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
const environment = { PAGERDUTY_KEY: "R".repeat(32), SHOP_PROBE_TOKEN: "t" };

test("the JSON schema is up to date; if not, run `npm run docs`", () => {
  expect(readFileSync(MANIFEST_SCHEMA_FILE, "utf8")).toBe(manifestSchema());
});

test("the example of the page has every list, and is accepted", () => {
  const { managed, wanted } = readManifest(example, environment);
  expect([[...managed], wanted.length]).toEqual([[...kinds], 10]);
});

test("the JSON schema accepts the example, and refuses what the reader refuses", () => {
  // The library compiles patterns without the flag that properties of characters need.
  const isUsable = (name: string, value: unknown) => name !== "pattern" || !String(value).includes("\\p{");
  const text = readFileSync(MANIFEST_SCHEMA_FILE, "utf8");
  const schema = z.fromJSONSchema(JSON.parse(text, (name, value) => (isUsable(name, value) ? value : undefined)));
  expect(schema.safeParse(parse(example)).error).toBeUndefined();
  for (const wrong of [
    example.replace("version: 1", "version: 2"),
    example.replace("tags: [shop]", "tag: shop"),
    example.replace("${PAGERDUTY_KEY}", "0123456789abcdef0123456789abcdef"),
    example.replace("type: pagerduty", "type: pager"),
    example.replace("type: http", "type: htp"),
  ]) {
    expect(wrong).not.toBe(example);
    expect(schema.safeParse(parse(wrong)).success).toBe(false);
    expect(() => readManifest(wrong, environment)).toThrow(/^line \d+: /);
  }
});
