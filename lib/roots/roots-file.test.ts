import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseConfig } from "@/lib/config";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "roots-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function rootsOf(text: string): string[] | undefined {
  const path = join(folder, "roots.pem");
  writeFileSync(path, text);
  return parseConfig({ PUBLIC_ROOTS_FILE: path }).PUBLIC_ROOTS_FILE?.map(({ pem }) => pem);
}

test("the file's certificates replace the public roots, without the text around them", () => {
  const [one = "", two = ""] = rootCertificates;
  expect(rootsOf(`# Ours\n${one}\n\n# Theirs\n${two}\n`)).toEqual([one, two]);
  expect(parseConfig({}).PUBLIC_ROOTS_FILE).toBeUndefined();
});

test.each([
  ["without certificates", () => "hello", /has none/],
  [
    "with a broken certificate",
    () => `${rootCertificates[0]}\n${rootCertificates[1]?.replace("MII", "AAA")}`,
    /the 2\. of .* is broken/,
  ],
])("a file %s is refused", (_, text, message) => {
  expect(() => rootsOf(text())).toThrow(message);
});

test("a missing file is refused, so that the start fails instead of every check", () => {
  expect(() => parseConfig({ PUBLIC_ROOTS_FILE: join(folder, "none.pem") })).toThrow(
    /^PUBLIC_ROOTS_FILE must be a file that can be read: ENOENT/,
  );
});
